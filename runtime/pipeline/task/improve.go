package task

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Improver puts what a model said of candidates into the result that the builtins
// found. The result keeps all that it holds, in the same order but for one
// reference that may rise.
type Improver struct {
	Question string
	Claim    func(id int, text string) string // a sentence about a candidate as it may leave, "" where it may not
	Summary  int                              // bytes at most; 0 is no limit
	Finding  int                              // bytes of one finding at most; 0 is no limit
}

// Annotate notes beside each candidate that was pointed at why it fits.
func (im Improver) Annotate(out *contract.Result, list []Candidate, points []Point) {
	for _, p := range points {
		c, note := &list[p.ID], im.Claim(p.ID, p.Note)
		if c.New && c.Head == "" && note != "" { // nothing else says what it is
			c.Head = strings.TrimSuffix(note, ".") + " (" + c.Ref + ")"
		}
		im.annotate(out, *c, note)
	}
}

// annotate adds to a candidate's finding why it fits, where that says more than
// the finding does.
func (im Improver) annotate(out *contract.Result, c Candidate, note string) {
	if note == "" || c.Ref == "" {
		return
	}
	for i, f := range out.KeyFindings {
		if !about(f, c.Ref) {
			continue
		}
		if long := f.Text + " — " + note; news(note, f.Text+" "+im.Question) && (im.Finding == 0 || len(long) <= im.Finding) {
			out.KeyFindings[i].Text = long
		}
		return
	}
}

// Tell puts the model's sentences behind the summary, marked as its own, each with
// the place that shows it.
func (im Improver) Tell(out *contract.Result, list []Candidate, points []Point) {
	mark := contract.Worded
	for _, p := range points {
		text := im.Claim(p.ID, p.Note)
		if text == "" || strings.Contains(out.Summary, text) || !news(text, out.Summary+" "+im.Question) {
			continue
		}
		if ref := list[p.ID].Ref; ref != "" && !strings.Contains(text, ref) {
			text = strings.TrimSuffix(text, ".") + " (" + ref + ")."
		}
		text = mark + " " + text
		if im.Summary > 0 && len(out.Summary)+len(text) > im.Summary {
			continue
		}
		out.Summary, mark = strings.TrimSpace(out.Summary+text), ""
	}
}

// Rise puts a reference, with its finding, to the front; one that only the
// model's own words found comes behind the third.
func Rise(out *contract.Result, c Candidate) {
	to := 0
	if c.New {
		to = min(3, len(out.References))
	}
	out.References = moved(out.References, c.Ref, to)
	for _, f := range out.KeyFindings {
		if about(f, c.Ref) {
			out.KeyFindings = moved(out.KeyFindings, f, min(to, len(out.KeyFindings)-1))
			return
		}
	}
	if c.Head != "" {
		out.KeyFindings = moved(out.KeyFindings, contract.Finding{Text: c.Head, Ref: c.Ref}, min(to, len(out.KeyFindings)))
	}
}

// moved is list with s at place to, whether it was there before or not. It
// never moves one down.
func moved[T comparable](list []T, s T, to int) []T {
	at := slices.Index(list, s)
	if at >= 0 && at <= to {
		return list
	}
	if at >= 0 {
		list = slices.Delete(slices.Clone(list), at, at+1)
	}
	return slices.Insert(slices.Clone(list), min(to, len(list)), s)
}

// news reports whether a note says at least two things that a text does not: the
// question said back is none.
func news(note, text string) bool {
	have := NewGrounds("", "", text)
	fresh := 0
	for _, w := range wordsOf(note) {
		if !fillers()[w] && !have.stems[words.Root(w)] {
			fresh++
		}
	}
	return fresh >= 2
}
