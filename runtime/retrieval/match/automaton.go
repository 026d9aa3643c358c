package match

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// automaton is a pattern prepared for a DFA over lines. It is immutable; a cache holds the states met so far.
//
// A state is the set of instructions that may be next, before assertions are resolved, and the kind of the
// preceding character. So \b, ^ and $ are decided on the next character, which may be the line's end. The
// order of instructions does not matter: the question is whether a line matches, not where.
type automaton struct {
	prog     *syntax.Prog
	anchored bool // begins with ^ or \A
	words    bool // has \b or \B

	// Bytes that no instruction distinguishes share a column. Column 0 is the newline, the last one
	// all bytes from 0x80 on, for which whole characters are read.
	columns [256]uint8
	sample  []rune // a character of each column
	limit   int    // of a cache, in transitions and set members together
}

// cacheLimit times four bytes is about the memory that one worker's cache may take.
const cacheLimit = 1 << 18

func newAutomaton(prog *syntax.Prog) *automaton {
	const begin = syntax.EmptyBeginLine | syntax.EmptyBeginText
	a := &automaton{prog: prog, limit: cacheLimit}
	// StartCond of a program that cannot match is all ones.
	a.anchored = prog.StartCond()&begin != 0
	for i := range prog.Inst {
		if in := &prog.Inst[i]; in.Op == syntax.InstEmptyWidth {
			a.words = a.words || syntax.EmptyOp(in.Arg)&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
		}
	}
	a.divideColumns()
	return a
}

// divideColumns computes the columns: ASCII is cut wherever a range of some instruction begins or ends.
func (a *automaton) divideColumns() {
	var cut [utf8.RuneSelf + 1]bool
	mark := func(lo, hi rune) {
		if lo < utf8.RuneSelf {
			cut[lo] = true
		}
		if hi < utf8.RuneSelf {
			cut[hi+1] = true
		}
	}
	mark('\n', '\n')
	if a.words {
		for _, r := range []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'} {
			mark(r, r)
		}
	}
	for i := range a.prog.Inst {
		markRanges(&a.prog.Inst[i], mark)
	}
	a.sample = []rune{'\n'}
	for b := range rune(utf8.RuneSelf) {
		if cut[b] && b != '\n' || b == 0 {
			a.sample = append(a.sample, b)
		}
		if b != '\n' {
			a.columns[b] = uint8(len(a.sample) - 1)
		}
	}
	for b := utf8.RuneSelf; b < 256; b++ {
		a.columns[b] = uint8(len(a.sample))
	}
}

func (a *automaton) width() int { return len(a.sample) + 1 }

// markRanges calls mark with the ranges of characters that an instruction distinguishes.
func markRanges(in *syntax.Inst, mark func(lo, hi rune)) {
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1:
		if len(in.Rune) > 1 {
			for i := 0; i < len(in.Rune); i += 2 {
				mark(in.Rune[i], in.Rune[i+1])
			}
			return
		}
		for _, r := range in.Rune {
			mark(r, r)
			if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
				for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
					mark(f, f)
				}
			}
		}
	}
}
