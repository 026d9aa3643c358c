package egress

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/tokens"
)

// fit cuts a report until its JSON has at most max tokens. What goes first is
// what a reader misses least: history, patterns and findings from their ends,
// then references of single roles that the report lists anyway, then
// keywords, then references from the end, at last words. Every cut is noted.
func fit(r *contract.Report, max int) {
	g := gauge{max: max}
	for _, c := range cuts {
		for g.over(r) {
			if !c.once(r) {
				break
			}
			note(r, c.what)
		}
	}
}

// gauge counts a report exactly near its limit and by proportion far above
// it, since each cut of many would otherwise cost a count of the whole.
type gauge struct{ max, tokens, bytes int }

func (g *gauge) over(r *contract.Report) bool {
	raw, err := marshal(r)
	if err != nil {
		return false
	}
	text := string(raw)
	if g.bytes > 0 && g.tokens*len(text)/g.bytes > g.max+g.max/20 {
		return true
	}
	if tokens.Estimate(text) <= g.max {
		return false
	}
	g.tokens, g.bytes = tokens.Count(text), len(text)
	return g.tokens > g.max
}

func note(r *contract.Report, what string) {
	if !slices.Contains(r.Meta.Truncations, what) {
		r.Meta.Truncations = append(r.Meta.Truncations, what)
	}
}

// cut takes one step; once reports false when there is nothing left to take.
type cut struct {
	what string
	once func(r *contract.Report) bool
}

var cuts = []cut{
	{"thoughts", func(r *contract.Report) bool { return dropFinding(r.Thoughts, 1) || dropReference(r.Thoughts, 1) }},
	{"patterns", func(r *contract.Report) bool { return dropFinding(r.Patterns, 2) || dropReference(r.Patterns, 2) }},
	{"analyzer findings", func(r *contract.Report) bool { return dropFinding(r.Analyzer, 3) }},
	{"locator findings", func(r *contract.Report) bool { return dropFinding(&r.Locator, 2) }},
	{"role references", func(r *contract.Report) bool {
		return dropReference(r.Analyzer, 1) || dropReference(r.Patterns, 1) || dropReference(&r.Locator, 3)
	}},
	{"keywords", func(r *contract.Report) bool { return pop(&r.Meta.Keywords, 4) }},
	{"references", func(r *contract.Report) bool { return pop(&r.References, 6) }},
	{"findings", func(r *contract.Report) bool {
		return dropFinding(r.Thoughts, 0) || dropFinding(r.Patterns, 1) || dropFinding(&r.Locator, 0) || dropFinding(r.Analyzer, 1)
	}},
	{"summaries", func(r *contract.Report) bool {
		return shortSummary(r.Thoughts, 60) || shortSummary(r.Patterns, 60) || shortSummary(r.Analyzer, 60) || shortSummary(&r.Locator, 60)
	}},
	{"references", func(r *contract.Report) bool { return pop(&r.References, 3) }},
	{"answer", func(r *contract.Report) bool { return short(&r.Answer, 240) }},
	{"question", func(r *contract.Report) bool { return short(&r.Question, 120) }},
	{"roles", func(r *contract.Report) bool {
		return dropRole(&r.Thoughts) || dropRole(&r.Patterns) || dropRole(&r.Analyzer)
	}},
	{"all but the answer", lastResort},
}

// lastResort takes whatever is left, a piece at a time.
func lastResort(r *contract.Report) bool {
	return dropFinding(&r.Locator, 0) || dropReference(&r.Locator, 0) || dropNotes(&r.Locator) || shortSummary(&r.Locator, 0) ||
		pop(&r.Meta.Keywords, 0) || pop(&r.References, 1) || short(&r.Question, 24) || short(&r.Answer, 60) ||
		pop(&r.RootsSearched, 1) || pop(&r.Meta.RolesRun, 0) || pop(&r.References, 0) || short(&r.Answer, 0)
}

func value(o *contract.Outcome[contract.Result]) *contract.Result {
	if o == nil {
		return nil
	}
	return o.Value
}

func dropFinding(o *contract.Outcome[contract.Result], keep int) bool {
	v := value(o)
	return v != nil && pop(&v.KeyFindings, keep)
}

func dropReference(o *contract.Outcome[contract.Result], keep int) bool {
	v := value(o)
	return v != nil && pop(&v.References, keep)
}

func dropNotes(o *contract.Outcome[contract.Result]) bool {
	v := value(o)
	if v == nil || v.Notes == nil {
		return false
	}
	v.Notes = nil
	return true
}

func shortSummary(o *contract.Outcome[contract.Result], to int) bool {
	v := value(o)
	return v != nil && short(&v.Summary, to)
}

func dropRole(o **contract.Outcome[contract.Result]) bool {
	if *o == nil {
		return false
	}
	*o = nil
	return true
}

func pop(list *[]string, keep int) bool {
	if len(*list) <= keep {
		return false
	}
	*list = (*list)[:len(*list)-1]
	return true
}

// short takes a third off a text, down to a floor in bytes.
func short(s *string, floor int) bool {
	if len(*s) <= floor {
		return false
	}
	to := max(len(*s)*2/3, floor)
	if to == 0 {
		*s = ""
		return true
	}
	cut := contract.Shorten(*s, to)
	if cut == *s {
		return false
	}
	*s = cut
	return true
}

// shrink cuts any other reply: the longest list loses its end until all fits,
// then the longest text. A "truncated" member becomes true and "notes" says
// what was left out, where the reply has such members.
func shrink(n *node, max int) json.RawMessage {
	raw := n.json()
	if tokens.Fits(string(raw), max) {
		return raw
	}
	taken := 0
	for !tokens.Fits(string(raw), max) {
		list := longest(n, 0)
		if list == nil || len(list.kids) == 0 {
			if !shortenLongest(n) {
				break
			}
		} else {
			drop := len(list.kids)/8 + 1
			list.kids = list.kids[:len(list.kids)-drop]
			taken += drop
		}
		markTruncated(n, taken)
		raw = n.json()
	}
	return raw
}

// longest is the list below n whose JSON is longest.
func longest(n *node, size int) *node {
	var best *node
	n.visit(func(_ string, v *node) {
		if v.delim == '[' && len(v.kids) > 0 {
			if s := len(v.json()); s > size {
				best, size = v, s
			}
		}
	})
	return best
}

func shortenLongest(n *node) bool {
	var best *node
	n.visit(func(key string, v *node) {
		if v.isStr && len(v.text) > 24 && key != "notes" && (best == nil || len(v.text) > len(best.text)) {
			best = v
		}
	})
	return best != nil && short(&best.text, 24)
}

func markTruncated(n *node, taken int) {
	if t := n.get("truncated"); t != nil && !t.isStr && t.delim == 0 {
		t.leaf = "true"
	}
	if t := n.get("notes"); t != nil && t.delim == 0 && taken > 0 {
		t.leaf, t.isStr = "", true
		t.text = fmt.Sprintf("%d entries left out to fit the token budget", taken)
	}
}
