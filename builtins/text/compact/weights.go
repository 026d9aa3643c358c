package compact

import "math"

// Weights of the choice: half way between those set by hand and those fitted on the entire-cli, livemcpbench and
// tau-airline parts of bench/toolsum, so that they are not made for these alone.
const (
	rarity   = 0.387 // an atom that stands n times in a text is worth n^-rarity each time
	repeated = 0.05  // an atom that was kept before is worth this part of it
	alike    = 0.875 // a unit is worth this part for each one like it that was kept
	firm     = 0.75  // a failure is, where units are discounted as in logs: the fifth still comes before a warning
	maxOf    = 4     // what the atoms of one unit can be worth
	perByte  = 0.548 // worth is divided by (length + perUnit)^perByte
	perUnit  = 16

	pieceBytes = 130 // a long line is cut into pieces of about this

	baseWorth    = 0.093 // of every line
	edgeWorth    = 0.4   // of the first and last lines
	early        = 0.15  // of the first line, falling to none
	errWorth     = 0.866 // of a line that tells of a fault
	sigWorth     = 1.25  // of a definition
	headWorth    = 0.465 // of a heading
	sumWorth     = 3     // of a line that sums up
	subjectWorth = 6     // of the subject of a commit, with which its hash is shown
	flowWorth    = -0.29 // of a branch or a return
	removedWorth = 0.6   // of a line that a diff takes out
	definedWorth = 1     // of a definition that a diff adds or takes out, besides
	wholeWorth   = 1     // less for other lines of new files, and for those of tests
	fileWorth    = 3     // of a line of a diff that names a file
	wordWorth    = 0.93  // of a word of the subject
	maxNamed     = 3     // what the words of the subject in one unit can be worth
	fewNamed     = 6     // units with a word of the subject, of which each is worth namedWorth more
	namedWorth   = 1.5   // where lines stand below others
	wordRare     = 0.35  // such a word that stands n times is worth n^-wordRare each time

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
	listedWorth = 0.5   // of a path of a listing
	listedWord  = 1     // of a word of the subject in one

	hitDefines = 0.6   // of a definition that a search found
	hitWord    = 1.5   // of a word of the subject in a line
	hitRare    = 0.5   // such a word that stands n times is worth n^-hitRare each time
	hitFirst   = 2.32  // of the first line of a file
	hitTest    = 1     // less for one in a test
	hitMatch   = 0.775 // of a line that matches, not one beside it

	alikeMember = 0.96 // a member is worth this part for each one before it of the same object whose value is alike
	memberName  = 0.8  // of what the name of a member says
	memberOnce  = 1    // of a value, divided by how often it stands
	memberFirst = 0.2  // of the first of an object
	memberNo    = 0.6  // less for a value that says that there is nothing
	memberAddr  = 0.8  // less for a web address

	columnMany    = 1.24 // of a column whose values all differ
	columnDecides = 3    // of one that tells how something stands
	columnExcepts = 1.5  // of one that few rows differ in
	columnHash    = 1.5  // less for one of hashes
	lengthOfHash  = 32
	columnFull    = 0.6 // of one that all rows have
	columnLong    = 60  // bytes of a cell that cost as much
	columnSparse  = 3   // less for a column that hardly a row has
	sparse        = 5   // one row of so many
	columnFree    = 1.5 // of the last column of aligned ones

	sectionSize = 0.62 // a part of JSON of n bytes has a share of n^sectionSize
)

// alikeTo, alikeFirm and perLength are what alike, firm and perByte come to.
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
