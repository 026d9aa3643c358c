package agent

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// places records what a model has been shown of the tree. Only these places can become
// candidates, never a path that the model makes up.
type places struct {
	known  map[string]bool // everything that was shown, to detect what is new
	hits   []*hit
	opened []opened
	lines  map[contract.Reference]string // text of the lines shown
}

// hit is a line named by a tool.
type hit struct {
	ref   contract.Reference
	what  string // such as "function Open"; may be ""
	worth int
}

// opened is a range of lines that was read.
type opened struct {
	path     string
	from, to int
}

// Points in favor of a place, beyond having been shown at all.
const (
	isNamed    = 8 // by the model, when it was done
	isOpened   = 4
	isDefined  = 2
	isOneOfFew = 1
	few        = 5
)

func newPlaces() *places {
	return &places{known: map[string]bool{}, lines: map[contract.Reference]string{}}
}

// recordResult records the places of a result, as far as its text was shown, and reports whether any
// is new. Results name places under "ref", and the lines that they show with "from" and "to".
func (p *places) recordResult(raw json.RawMessage, shown string, cut bool) bool {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return false
	}
	before, hits := len(p.known), len(p.hits)
	p.recordValue(v, shown, cut)
	if fresh := p.hits[hits:]; len(fresh) <= few {
		for _, h := range fresh {
			h.worth |= isOneOfFew
		}
	}
	return len(p.known) > before
}

func (p *places) recordValue(v any, shown string, cut bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			p.recordValue(e, shown, cut)
		}
	case string:
		p.recordFact(v, shown)
	case map[string]any:
		if ref, ok := v["ref"].(string); ok && ref != "" && containsRef(shown, ref) {
			p.recordPlace(ref, v, shown, cut)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch v[key].(type) {
			case []any, map[string]any:
				p.recordValue(v[key], shown, cut)
			}
			if path, ok := v[key].(string); ok && key == "path" {
				p.recordFact(path, shown)
			}
			if key == "references" { // of a builtin that answers on its own
				p.recordReferences(v[key], shown)
			}
		}
	}
}

func (p *places) recordReferences(v any, shown string) {
	list, _ := v.([]any)
	for _, e := range list {
		ref, _ := e.(string)
		if at := contract.ParseReference(ref); at.Line > 0 && containsRef(shown, ref) {
			p.addHit(contract.Reference{Path: at.Path, Line: at.Line}, "")
		}
	}
}

// recordFact records something that was shown.
func (p *places) recordFact(s, shown string) {
	if s != "" && strings.Contains(shown, s) {
		p.known[s] = true
	}
}

// recordPlace records one place of a result: a range that was read, or a line.
func (p *places) recordPlace(ref string, v map[string]any, shown string, cut bool) {
	at := contract.ParseReference(ref)
	p.keepLines(at, v)
	from, isRange := wholeNumber(v["from"])
	if to, ok := wholeNumber(v["to"]); ok && isRange {
		if cut {
			p.openLines(at, shownLines(shown, from, to))
		} else if from > 0 && to >= from {
			p.recordRange(at, from, to)
			p.addHit(contract.Reference{Path: at.Path, Line: max(at.Line, from)}, "")
		}
		return
	}
	p.known[ref] = true
	if at.Line > 0 {
		kind, _ := v["kind"].(string)
		name, _ := v["name"].(string)
		what := ""
		if kind != "" && name != "" {
			what = kind + " " + name
		}
		p.addHit(contract.Reference{Path: at.Path, Line: at.Line}, what)
	}
}

// recordRange records a range of lines that was read.
func (p *places) recordRange(at contract.Reference, from, to int) {
	p.opened = append(p.opened, opened{at.Path, from, to})
	p.known[at.Path+":"+strconv.Itoa(from)+"-"+strconv.Itoa(to)] = true
}

// openLines records the lines of a range that was shown in part.
func (p *places) openLines(at contract.Reference, lines []int) {
	if len(lines) == 0 {
		return
	}
	first := lines[0]
	for i, n := range lines {
		if i+1 == len(lines) || lines[i+1] != n+1 {
			p.recordRange(at, first, n)
			if i+1 < len(lines) {
				first = lines[i+1]
			}
		}
	}
	line := lines[0]
	if slices.Contains(lines, at.Line) {
		line = at.Line
	}
	p.addHit(contract.Reference{Path: at.Path, Line: line}, "")
}

// keepLines keeps the text of a line, or of each line of a range.
func (p *places) keepLines(at contract.Reference, v map[string]any) {
	text, _ := v["text"].(string)
	if _, isRange := v["from"]; !isRange {
		p.lines[contract.Reference{Path: at.Path, Line: at.Line}] = text
		return
	}
	for _, m := range numbered.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		p.lines[contract.Reference{Path: at.Path, Line: n}] = m[2]
	}
}

// prependAbove prepends to a place the lines right above it that the model saw: they hold its comment.
func (p *places) prependAbove(list []task.Candidate) {
	const most = 4
	for i := range list {
		c := &list[i]
		for range most {
			text, seen := p.lines[contract.Reference{Path: contract.ParseReference(c.Ref).Path, Line: c.First - 1}]
			if !seen || strings.TrimSpace(text) == "" {
				break
			}
			c.Lines, c.First = append([]string{text}, c.Lines...), c.First-1
		}
	}
}

func (p *places) addHit(ref contract.Reference, what string) *hit {
	for _, h := range p.hits {
		if h.ref == ref {
			h.what = cmp.Or(h.what, what)
			return h
		}
	}
	h := &hit{ref: ref, what: what}
	if what != "" {
		h.worth |= isDefined
	}
	p.hits = append(p.hits, h)
	return h
}

var numbered = lazyregexp.New(`(?m)^(\d+)\t(.*)$`)

var shownNumber = lazyregexp.New(`(?m)^(\d+)[\t ]`)

// shownLines returns the line numbers within a range that lines of a text begin with, as
// code.read shows them, in order.
func shownLines(shown string, from, to int) (out []int) {
	for _, m := range shownNumber.FindAllStringSubmatch(shown, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && from <= n && n <= to && (len(out) == 0 || n > out[len(out)-1]) {
			out = append(out, n)
		}
	}
	return out
}

var spokenPlace = lazyregexp.New(`[\w@.+/-]*\w(?::\d+)?`)

// recordNamed records the model's final words: a place that it names counts if the model has seen it, even if the line or the
// beginning of the path is missing.
func (p *places) recordNamed(text string) {
	for _, word := range spokenPlace.FindAllString(text, 200) {
		ref := contract.ParseReference(strings.TrimLeft(word, "./"))
		if ref.Line > 0 && slices.ContainsFunc(p.opened, func(o opened) bool { return o.has(ref.Path, ref.Line) }) {
			p.addHit(ref, "").worth |= isNamed
			continue
		}
		for _, h := range p.hits {
			whole := h.ref.Path == ref.Path || strings.HasSuffix(ref.Path, "/"+h.ref.Path)
			if whole && (ref.Line == 0 || ref.Line == h.ref.Line) {
				h.worth |= isNamed
			}
		}
	}
}

func (o opened) has(path string, line int) bool {
	return o.path == path && o.from <= line && line <= o.to
}

// Limits of one exploration.
const (
	placesMost = 6
	ofOneFile  = 2
	nearLines  = 10 // a candidate this near already covers the place
)

// bestCandidates returns the best places, without those that are already in list.
func (p *places) bestCandidates(list []task.Candidate) []task.Candidate {
	var able []*hit
	for _, h := range p.hits {
		if slices.ContainsFunc(p.opened, func(o opened) bool { return o.has(h.ref.Path, h.ref.Line) }) {
			h.worth |= isOpened
		}
		if h.worth > 0 {
			able = append(able, h)
		}
	}
	slices.SortStableFunc(able, func(a, b *hit) int { return cmp.Compare(b.worth, a.worth) })
	taken := make([]contract.Reference, 0, len(list)+placesMost)
	for _, c := range list {
		taken = append(taken, contract.ParseReference(c.Ref))
	}
	perFile := map[string]int{}
	var out []task.Candidate
	for _, h := range able {
		if len(out) == placesMost || perFile[h.ref.Path] == ofOneFile || isNear(h.ref, taken) {
			continue
		}
		perFile[h.ref.Path]++
		taken = append(taken, h.ref)
		c := task.Candidate{Ref: h.ref.String(), New: true}
		if h.what != "" {
			c.Head = sanitize.Neutral(h.what) + " (" + c.Ref + ")"
		}
		out = append(out, c)
	}
	return out
}

func isNear(ref contract.Reference, taken []contract.Reference) bool {
	return slices.ContainsFunc(taken, func(t contract.Reference) bool {
		return t.Path == ref.Path && max(t.Line-ref.Line, ref.Line-t.Line) <= nearLines
	})
}

// wholeNumber returns v as an integer if it is a whole number, decoded from JSON.
func wholeNumber(v any) (int, bool) {
	n, ok := v.(float64)
	return int(n), ok && n == float64(int(n))
}
