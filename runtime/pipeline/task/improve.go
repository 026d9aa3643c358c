package task

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Improver merges what a model said about candidates into the result that the builtins found.
// The result keeps everything in the same order, except for one reference that may rise.
type Improver struct {
	Question string
	Claim    func(id int, text string) string // returns a sentence about a candidate as it may be passed on, or ""
	Summary  int                              // limit in bytes; 0 means no limit
	Finding  int                              // limit of one finding in bytes; 0 means no limit
}

// Annotate adds to each candidate that was pointed at why it fits.
func (im Improver) Annotate(out *contract.Result, list []Candidate, points []Point) {
	for _, p := range points {
		c, note := &list[p.ID], im.Claim(p.ID, p.Note)
		if c.New && c.Head == "" && note != "" { // nothing else says what it is
			c.Head = strings.TrimSuffix(note, ".") + " (" + c.Ref + ")"
		}
		im.annotate(out, *c, note)
	}
}

// annotate adds to a candidate's finding why it fits, if that says more than the finding does.
func (im Improver) annotate(out *contract.Result, c Candidate, note string) {
	if note == "" || c.Ref == "" {
		return
	}
	for i, f := range out.KeyFindings {
		if !isAbout(f, c.Ref) {
			continue
		}
		if long := f.Text + " — " + note; addsNews(note, f.Text+" "+im.Question) && (im.Finding == 0 || len(long) <= im.Finding) {
			out.KeyFindings[i].Text = long
		}
		return
	}
}

// Tell appends the model's sentences to the summary, marked as its own, each with the place that shows it.
func (im Improver) Tell(out *contract.Result, list []Candidate, points []Point) {
	mark := contract.Worded
	for _, p := range points {
		text := im.Claim(p.ID, p.Note)
		if text == "" || strings.Contains(out.Summary, text) || !addsNews(text, out.Summary+" "+im.Question) {
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

// Rise moves a reference and its finding to the front, or behind the third if only the
// model's own words found it.
func Rise(out *contract.Result, c Candidate) {
	to := 0
	if c.New {
		to = min(3, len(out.References))
	}
	out.References = moveTo(out.References, c.Ref, to)
	for _, f := range out.KeyFindings {
		if isAbout(f, c.Ref) {
			out.KeyFindings = moveTo(out.KeyFindings, f, min(to, len(out.KeyFindings)-1))
			return
		}
	}
	if c.Head != "" {
		out.KeyFindings = moveTo(out.KeyFindings, contract.Finding{Text: c.Head, Ref: c.Ref}, min(to, len(out.KeyFindings)))
	}
}

// moveTo returns list with s at index to, whether it was in the list before or not. It never moves s down.
func moveTo[T comparable](list []T, s T, to int) []T {
	at := slices.Index(list, s)
	if at >= 0 && at <= to {
		return list
	}
	if at >= 0 {
		list = slices.Delete(slices.Clone(list), at, at+1)
	}
	return slices.Insert(slices.Clone(list), min(to, len(list)), s)
}

// addsNews reports whether a note says at least two things that a text does not: repeating
// the question does not count.
func addsNews(note, text string) bool {
	have := NewGrounds("", "", text)
	fresh := 0
	for _, w := range wordsOf(note) {
		if !fillers()[w] && !have.stems[words.Root(w)] {
			fresh++
		}
	}
	return fresh >= 2
}
