package compact

import "math"

// Weights of the choice. They are half way between values set by hand and values fitted on the entire-cli, livemcpbench
// and tau-airline parts of bench/toolsum, to avoid overfitting to these.
const (
	rarity   = 0.387 // an atom that occurs n times in a text is worth n^-rarity each time
	repeated = 0.05  // the share of its worth that an atom keeps once it was shown
	alike    = 0.875 // the share of its worth that a unit keeps for each similar one that was kept
	firm     = 0.75  // the same for a failure, where units are discounted as in logs: the fifth still comes before a warning
	maxOf    = 4     // limits the worth of the atoms of one unit
	perByte  = 0.548 // worth is divided by (length + perUnit)^perByte
	perUnit  = 16

	pieceBytes = 130 // a long line is cut into pieces of about this length

	baseWorth    = 0.093 // of every line
	edgeWorth    = 0.4   // of the first and last lines
	early        = 0.15  // of the first line, falling to zero towards the last
	errWorth     = 0.866 // of a line that reports a fault
	sigWorth     = 1.25  // of a definition
	headWorth    = 0.465 // of a heading
	sumWorth     = 3     // of a line that sums up
	subjectWorth = 6     // of the subject of a commit, which is shown with its hash
	flowWorth    = -0.29 // of a branch or a return
	removedWorth = 0.6   // of a line that a diff removes
	definedWorth = 1     // of a definition that a diff adds or removes, in addition
	wholeWorth   = 1     // deducted for other lines of new files, and for lines of tests
	fileWorth    = 3     // of a line of a diff that names a file
	wordWorth    = 0.93  // of a word of the subject
	maxNamed     = 3     // limits the worth of the subject's words in one unit
	fewNamed     = 6     // if at most this many units contain a word of the subject, each is worth namedWorth more
	namedWorth   = 1.5   // where lines are nested
	wordRare     = 0.35  // a word that occurs n times is worth n^-wordRare each time

	atomPath    = 1.56  // a/b
	atomFile    = 1.6   // a.b
	atomSnake   = 1.26  // a_b
	atomHex     = 1.41  // 7f93a96
	atomCamel   = 0.697 // aB
	atomMixed   = 0.885 // a1
	atomHyphen  = 0.387 // a-b
	atomNumber  = 0.569 // 1.5, 2026-01-02
	atomLong    = 0.75  // 12345678
	atomMiddle  = 0.5   // 12345
	atomShort   = 0.15  // 1234
	listedWorth = 0.5   // of a path in a listing
	listedWord  = 1     // of a word of the subject in such a path

	hitDefines = 0.6   // of a definition that a search found
	hitWord    = 1.5   // of a word of the subject in a line
	hitRare    = 0.5   // a word that occurs n times is worth n^-hitRare each time
	hitFirst   = 2.32  // of the first line of a file
	hitTest    = 1     // deducted for a line in a test
	hitMatch   = 0.775 // of a matching line, not one of its context

	alikeMember = 0.96 // the share of its worth that a member keeps for each earlier one of the object with a similar value
	memberName  = 0.8  // factor for the worth of a member's name
	memberOnce  = 1    // of a value, divided by its number of occurrences
	memberFirst = 0.2  // of the first member of an object
	memberNo    = 0.6  // deducted for a value that means absence
	memberAddr  = 0.8  // deducted for a web address

	columnMany    = 1.24 // of a column whose values are all different
	columnDecides = 3    // of a column that tells the state of something
	columnExcepts = 1.5  // of a column in which few rows differ
	columnHash    = 1.5  // deducted for a column of hashes
	lengthOfHash  = 32
	columnFull    = 0.6 // of a column that has a value in all rows
	columnLong    = 60  // length of a cell, in bytes, that costs 1
	columnSparse  = 3   // deducted for a column with hardly any values
	sparse        = 5   // 1 row in sparse
	columnFree    = 1.5 // of the last of aligned columns

	sectionSize = 0.62 // a part of JSON of n bytes gets a share of n^sectionSize
)

// alikeTo, alikeFirm and perLength are tables of the powers of alike, firm and perByte.
var (
	alikeTo   = powers(64, func(n float64) float64 { return math.Pow(alike, n) })
	alikeFirm = powers(64, func(n float64) float64 { return math.Pow(firm, n) })
	perLength = powers(512, func(n float64) float64 { return math.Pow(perUnit+n, -perByte) })
)

func powers(n int, of func(float64) float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = of(float64(i))
	}
	return out
}
