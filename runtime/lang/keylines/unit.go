package keylines

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// A unit is what may be shown on one line: a statement, or a condition with its consequence.
type unit struct {
	line   int
	text   string
	code   string
	note   string
	kind   kind
	guard  bool // a condition with its consequence
	nested int  // number of blocks around it
	calls  []Call
}

// Limits on a line that is shown.
const (
	maxLine    = 110
	maxGuard   = 66 // bytes of a condition that its consequence follows
	guardReach = 12 // lines between a condition and its consequence
)

// unitsOf turns statements into units, joining conditions with their consequences.
func unitsOf(list []statement) []unit {
	var out []unit
	var open []int // statements around the current one, outermost first
	taken := make([]bool, len(list))
	for i := range list {
		s := &list[i]
		if s.kind == remark {
			out = append(out, unit{line: s.line, text: s.text, kind: remark, nested: len(open)})
			continue
		}
		for len(open) > 0 && list[open[len(open)-1]].indent >= s.indent {
			open = open[:len(open)-1]
		}
		nested := len(open)
		around := -1
		if nested > 0 {
			around = open[nested-1]
		}
		if s.opens {
			open = append(open, i)
		}
		if taken[i] {
			continue
		}
		u := unit{line: s.line, text: s.text, code: s.code, note: s.note, kind: s.kind, nested: nested, calls: s.calls}
		if s.kind == condition && !s.opens {
			u.kind, u.guard = guardOf(s.code)
		}
		switch {
		case u.guard:
		case s.kind == condition && firstInBlock(list, i) > 0 && canJoin(s, &list[firstInBlock(list, i)]):
			taken[firstInBlock(list, i)] = true
			u.joinConsequence(&list[firstInBlock(list, i)], s.line)
		case (s.kind == fail || s.kind == leave) && around >= 0 && list[around].kind == condition && s.line-list[around].line <= guardReach:
			head := &list[around]
			u = unit{line: s.line, text: head.text, code: head.code, note: head.note + s.note, kind: head.kind, nested: nested - 1, calls: s.calls}
			u.joinConsequence(s, s.line)
		}
		out = append(out, u)
	}
	return out
}

// guardOf returns the kind of the consequence if a condition has one on the same line: if (done) return x.
func guardOf(code string) (kind, bool) {
	for i := 1; i < len(code); i++ {
		if c := code[i]; c != ' ' || !wordByte(code[min(i+1, len(code)-1)]) {
			continue
		}
		w, rest := firstWord(code[i:])
		switch {
		case failWords[w]:
			return fail, true
		case leaveWords[w]:
			return kindOf(w + " " + rest), true
		}
	}
	return condition, false
}

// firstInBlock returns the index of the first statement in the block that a statement opens, or 0 if there is none.
func firstInBlock(list []statement, i int) int {
	j := i + 1
	if j < len(list) && list[j].kind == remark {
		j++
	}
	if j < len(list) && list[j].indent > list[i].indent && list[j].kind != remark {
		return j
	}
	return 0
}

// canJoin reports whether a condition and the statement below it form one line.
func canJoin(head, s *statement) bool {
	if w, _ := firstWord(head.code); chooses[w] {
		return false
	}
	switch s.kind {
	case fail:
		return true
	case leave, plain:
		return len(head.text)+len(s.text) <= maxLine && !s.opens
	}
	return false
}

// chooses lists words whose blocks hold cases rather than a consequence.
var chooses = words.Set("match switch when select")

// joinConsequence appends the consequence of a condition.
func (u *unit) joinConsequence(s *statement, line int) {
	sep := " { "
	switch {
	case strings.HasSuffix(u.text, ":"):
		sep = " "
	case strings.HasSuffix(u.text, "=>"), strings.HasSuffix(u.text, "->"), strings.HasSuffix(u.text, " then"):
		sep = " "
	case strings.HasSuffix(u.text, ")"):
		sep = " "
	}
	then := s.text
	if sep == " { " {
		then += " }"
	}
	if room := maxLine - len(then) - len(sep); len(u.text) > max(room, maxGuard) {
		u.text = contract.Shorten(u.text, max(room, maxGuard))
	}
	u.text += sep + then
	u.code += " " + s.code
	u.note += s.note
	u.line = line
	u.kind, u.guard = s.kind, true
	if u.kind == plain {
		u.kind = condition
	}
	u.calls = append(append([]Call{}, u.calls...), s.calls...)
}
