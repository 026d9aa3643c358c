package compact

import "math"

// Weights of the choice, fitted on the entire-cli, livemcpbench and tau-airline parts of bench/toolsum and on no other.
const (
	rarity   = 0.387298 // an atom that stands n times in a text is worth n^-rarity each time
	repeated = 0.05     // an atom that was kept before is worth this part of it
	alike    = 0.874643 // a unit is worth this part for each one like it that was kept
	mostOf   = 4        // what the atoms of one unit can be worth
	perByte  = 0.547723 // worth is divided by (length + perUnit)^perByte
	perUnit  = 16

	pieceBytes = 130 // a long line is cut into pieces of about this

	baseWorth    = 0.0929516 // of every line
	edgeWorth    = 0.4       // of the first and last lines
	early        = 0.15      // of the first line, falling to none
	errWorth     = 0.866025  // of a line that tells of a fault
	sigWorth     = 1.2522    // of a definition
	headWorth    = 0.464758  // of a heading
	commentWorth = 0.01      // of a comment
	importWorth  = 0.01      // of an import
	flowWorth    = -0.29     // of a branch or a return
	wordWorth    = 0.929516  // of a word of the subject
	wordRare     = 0.35      // such a word that stands n times is worth n^-wordRare each time

	atomPath    = 1.55563  // a/b
	atomFile    = 1.6      // a.b
	atomSnake   = 1.26491  // a_b
	atomHex     = 1.41421  // 7f93a96
	atomCamel   = 0.697137 // aB
	atomMixed   = 0.885438 // a1
	atomHyphen  = 0.387298 // a-b
	atomNumber  = 0.56921  // 1.5, 2026-01-02
	atomLong    = 0.75     // 12345678
	atomMiddle  = 0.5      // 12345
	atomShort   = 0.15     // 1234
	listedWorth = 0.5
	listedWord  = 1
	hitDefines  = 0.6
	hitWord     = 1.5
	hitRare     = .5
	hitFirst    = 2.32379
	hitMatch    = 0.774597
	memberName  = 0.8
	memberOnce  = 1
	memberAddr  = 0.8
	columnMany  = 1.23935
	columnFull  = 0.6
	columnLong  = 60
	sectionSize = 0.619677
)

// alikeTo and perLength are what alike and perByte come to.
var (
	alikeTo   = powers(64, func(n float64) float64 { return math.Pow(alike, n) })
	perLength = powers(512, func(n float64) float64 { return math.Pow(perUnit+n, -perByte) })
)

func powers(n int, of func(float64) float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = of(float64(i))
	}
	return out
}
