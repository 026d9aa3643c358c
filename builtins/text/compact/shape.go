package compact

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Shaped is shortened JSON that still has the same shape.
type Shaped struct {
	JSON  []byte
	Note  string // a note of what was left out, or ""
	Whole bool   // the JSON is unchanged, because it is within the limit
}

// Errors of ShortenJSON.
var (
	ErrNotJSON  = errors.New("not valid JSON")
	ErrTooLarge = errors.New("the JSON is too large or nested too deep to be shortened in its shape")
	ErrTooSmall = errors.New("no JSON of this shape is within the bound")
	ErrShape    = errors.New("no shortened form passes the schema")
)

// ShortenJSON shortens JSON and keeps its shape: lists lose their least informative elements, long texts their middle;
// no member is renamed, no number reformatted and no type changed. As a last resort objects with many members lose
// some. The result passes validates, which may be nil; it is an error if no result within the limit does.
func ShortenJSON(raw []byte, o Options, validates func([]byte) bool) (Shaped, error) {
	if len(raw) > maxRaw {
		return Shaped{}, ErrTooLarge
	}
	if !json.Valid(raw) {
		return Shaped{}, ErrNotJSON
	}
	if validates == nil {
		validates = func([]byte) bool { return true }
	}
	if len(raw) <= o.Bytes && validates(raw) {
		return Shaped{JSON: raw, Whole: true}, nil
	}
	r := &reader{s: string(raw), left: maxShaped}
	r.space()
	root := r.value(0)
	if r.bad || r.left <= 0 {
		return Shaped{}, ErrTooLarge
	}
	f := &fitter{s: newShortener(o), bytes: o.Bytes, ranks: map[*value][]int{}}
	f.rank(&root)
	err := ErrTooSmall
	for _, way := range ways {
		out, ok := f.fit(&root, way)
		if !ok {
			continue
		}
		if b := f.print(&root, out); validates(b) {
			return Shaped{JSON: b, Note: f.note()}, nil
		}
		err = ErrShape
	}
	return Shaped{}, err
}

// Limits on parsing.
const (
	maxShaped = 1_000_000 // values
	maxRaw    = 64 << 20  // bytes
)

// limits say how much of each list, text and object is kept.
type limits struct {
	items   int // of a list
	bytes   int // of a text
	members int // of an object
}

// way is a way to cut: which limits may be lowered, and to what.
type way struct {
	items, members bool
	texts          []int // lengths of texts to try
}

const all = math.MaxInt

// ways are tried in order, the least lossy first. A schema may require a number of elements, or the form of a text.
var ways = []way{
	{texts: []int{2000, 800}},
	{items: true, texts: []int{400}},
	{items: true, texts: []int{160}},
	{items: true, texts: []int{all}},
	{texts: []int{400, 160, 64, 24}},
	{items: true, texts: []int{64, 24}},
	{items: true, members: true, texts: []int{160, 64}},
}

// fitter finds the limits that make a value fit.
type fitter struct {
	s     *shortener
	bytes int
	ranks map[*value][]int // indexes of the elements of lists and members of objects, best first
	count struct{ items, texts, members int }
}

// fit returns the highest limits of a way that make a value fit.
func (f *fitter) fit(root *value, w way) (limits, bool) {
	for _, texts := range w.texts {
		l := limits{all, texts, all}
		if f.size(root, l) <= f.bytes {
			return l, true
		}
		if w.items {
			if n, ok := f.mostFitting(root, func(n int) limits { return limits{n, texts, all} }); ok {
				return limits{n, texts, all}, true
			}
		}
		if w.members {
			if n, ok := f.mostFitting(root, func(n int) limits { return limits{n, texts, n} }); ok {
				return limits{n, texts, n}, true
			}
		}
	}
	return limits{}, false
}

// mostFitting returns the highest n that makes a value fit.
func (f *fitter) mostFitting(root *value, of func(int) limits) (int, bool) {
	if f.size(root, of(0)) > f.bytes {
		return 0, false
	}
	low, high := 0, 1
	for f.size(root, of(high)) <= f.bytes && high < maxShaped {
		low, high = high, high*2
	}
	for high-low > 1 {
		if mid := (low + high) / 2; f.size(root, of(mid)) <= f.bytes {
			low = mid
		} else {
			high = mid
		}
	}
	return low, true
}

// rank orders the elements of lists and the members of objects: those that the subject names, those that report an
// error, the first, then the others.
func (f *fitter) rank(v *value) {
	if v.kind != rawjson.Object && v.kind != rawjson.Array || len(v.kids) < 2 {
		for i := range v.kids {
			f.rank(&v.kids[i])
		}
		return
	}
	worth := make([]float64, len(v.kids))
	order := indexesOf(v.kids)
	for i := range v.kids {
		f.rank(&v.kids[i])
		worth[i] = f.worth(&v.kids[i], 0)
		if v.keys != nil {
			worth[i] += float64(len(f.s.subject.wordsOf(v.keys[i]))) + worthOfName(v.keys[i])
		}
		if i == 0 {
			worth[i] += .5
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case worth[a] > worth[b]:
			return -1
		case worth[a] < worth[b]:
			return 1
		}
		return 0
	})
	f.ranks[v] = order
}

const rankDepth = 4 // depth in an element to which its worth is computed

func (f *fitter) worth(v *value, depth int) float64 {
	w := 0.0
	if v.kind == rawjson.String {
		t := cut(v.text, 1000)
		w = float64(len(f.s.subject.wordsOf(t)))
		if len(t) < 300 && tellsError(t) {
			w += .6
		}
	}
	if depth < rankDepth {
		for i := range v.kids[:min(len(v.kids), 40)] {
			w += f.worth(&v.kids[i], depth+1)
		}
	}
	return min(w, 20)
}

// keptKids returns the indexes of the elements or members that limits leave, in order; nil for all.
func (f *fitter) keptKids(v *value, l limits) []int {
	n := l.items
	if v.kind == rawjson.Object {
		n = l.members
	}
	if n >= len(v.kids) {
		return nil
	}
	order, ok := f.ranks[v]
	if !ok {
		return []int{}
	}
	out := slices.Clone(order[:n])
	slices.Sort(out)
	return out
}

// size returns the length of a value within limits.
func (f *fitter) size(v *value, l limits) int {
	switch v.kind {
	case rawjson.Null:
		return 4
	case rawjson.String:
		return len(f.text(v.text, l))
	case rawjson.Object, rawjson.Array:
	default:
		return len(v.text)
	}
	n := 2
	eachKept(v, f.keptKids(v, l), func(i int) bool {
		n += f.size(&v.kids[i], l) + 1
		if v.keys != nil {
			n += len(rawjson.Quote(v.keys[i])) + 1
		}
		return n <= 4*f.bytes+64 // beyond that the exact length does not matter
	})
	return n
}

func eachKept(v *value, kept []int, fn func(i int) bool) {
	if kept == nil {
		for i := range v.kids {
			if !fn(i) {
				return
			}
		}
		return
	}
	for _, i := range kept {
		if !fn(i) {
			return
		}
	}
}

// text returns a JSON string within limits. A short one, or one without a space that is too short to be data,
// identifies something and is left unchanged.
func (f *fitter) text(t string, l limits) json.RawMessage {
	if len(t) <= l.bytes || len(t) <= longAtom && strings.IndexByte(t, ' ') < 0 {
		return rawjson.Quote(t)
	}
	return rawjson.Quote(clipMiddle(t, l.bytes))
}

// print writes a value within limits, and counts what it leaves out.
func (f *fitter) print(root *value, l limits) []byte {
	f.count.items, f.count.texts, f.count.members = 0, 0, 0
	return f.append(nil, root, l)
}

func (f *fitter) append(b []byte, v *value, l limits) []byte {
	switch v.kind {
	case rawjson.Null:
		return append(b, "null"...)
	case rawjson.String:
		t := f.text(v.text, l)
		if len(v.text) > l.bytes && strings.Contains(string(t), "…") {
			f.count.texts++
		}
		return append(b, t...)
	case rawjson.Object, rawjson.Array:
	default:
		return append(b, v.text...)
	}
	kept := f.keptKids(v, l)
	marks := "[]"
	if v.kind == rawjson.Object {
		marks = "{}"
	}
	if kept != nil {
		if v.kind == rawjson.Object {
			f.count.members += len(v.kids) - len(kept)
		} else {
			f.count.items += len(v.kids) - len(kept)
		}
	}
	b = append(b, marks[0])
	first := true
	eachKept(v, kept, func(i int) bool {
		if !first {
			b = append(b, ',')
		}
		first = false
		if v.keys != nil {
			b = append(rawjson.AppendQuote(b, v.keys[i]), ':')
		}
		b = f.append(b, &v.kids[i], l)
		return true
	})
	return append(b, marks[1])
}

// note returns a note of what was left out.
func (f *fitter) note() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{f.count.items, "items of lists"}, {f.count.members, "members of objects"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s left out", withCommas(c.n), c.what))
		}
	}
	if f.count.texts > 0 {
		parts = append(parts, withCommas(f.count.texts)+" texts cut in the middle")
	}
	if len(parts) == 0 {
		return ""
	}
	return note("%s", strings.Join(parts, ", "))
}
