package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// SynthesizeInput is what the earlier roles found.
type SynthesizeInput struct {
	Question string            `json:"question" doc:"the question"`
	Located  contract.Result   `json:"located" doc:"what the locator found"`
	Leads    []contract.Result `json:"leads,omitempty" doc:"answers to the kind of question that is asked, told before all else; one without references is none"`
	Analyzed []contract.Result `json:"analyzed,omitempty" doc:"what the analyzers found, best place first"`
	Thoughts contract.Result   `json:"thoughts,omitzero" doc:"what the notes say"`
	Decided  []contract.Result `json:"decided,omitempty" doc:"what the notes decide, best place first"`
	Document contract.Result   `json:"document,omitzero" doc:"what indexed documents say; one without references is left out"`
	Keywords []string          `json:"keywords,omitempty" doc:"what was searched for"`
	Wants    find.Wants        `json:"wants,omitzero" doc:"kind of answer that is asked for"`
	Places   int               `json:"places" doc:"references at most, unless more of them are told of" default:"6" min:"1" max:"50"`
}

// Synthesize returns code.synthesize, which answers from what others found. It reads no file: every
// fact and every reference in the answer comes from an earlier role.
func Synthesize() catalog.Builtin {
	return catalog.New("code.synthesize", "answer a question from what the roles found", 0,
		func(_ context.Context, env *catalog.Env, in SynthesizeInput) (contract.Result, error) {
			return synthesize(in, source.MaxAnswerBytes(env.Tokens)), nil
		})
}

func synthesize(in SynthesizeInput, room int) contract.Result {
	told := in.parts()
	if len(told) == 0 {
		r := contract.NotFound(cmp.Or(in.Located.Summary, "Not found."))
		r.Notes = in.Located.Notes
		return r
	}
	r := contract.Result{Confidence: in.confidence(), References: []string{}, KeyFindings: []contract.Finding{}}
	t := teller{room: room}
	leads := in.leadCount()
	if _, note := in.leadingNote(); note {
		leads++
	}
	t.tell(told, leads)
	r.Summary = in.hedge() + t.text()
	r.References = in.references(t.places)
	for _, p := range told {
		r.KeyFindings = append(r.KeyFindings, p.KeyFindings...)
	}
	r.KeyFindings = append(r.KeyFindings, in.Thoughts.KeyFindings...)
	for _, d := range in.Decided {
		r.KeyFindings = append(r.KeyFindings, d.KeyFindings...)
	}
	if in.Located.Notes != nil {
		r.Note(*in.Located.Notes)
	}
	r.Follows = in.Located.Follows
	return r
}

// parts returns the parts of the answer, in order: the leads, then the analyzed places or else the
// best located one, documents and notes.
func (in SynthesizeInput) parts() []contract.Result {
	var out []contract.Result
	for _, l := range in.Leads {
		if len(l.References) > 0 {
			out = append(out, l)
		}
	}
	note, leads := in.leadingNote()
	if leads {
		out = append(append(out, note), withoutNote(in.Analyzed, note)...)
	} else {
		out = append(out, in.Analyzed...)
	}
	if l := in.Located; len(out) == 0 && len(l.References) > 0 {
		out = append(out, contract.Result{Summary: l.Summary, References: l.References[:1]})
	}
	if d := in.Document; len(d.References) > 0 && in.documentLeads() {
		out = slices.Insert(out, 0, d)
	} else if len(d.References) > 0 {
		out = append(out, d)
	}
	if n := in.Thoughts.References; len(n) > 0 && !leads {
		out = append(out, contract.Result{Summary: fmt.Sprintf("Notes on it: %s.", strings.Join(n[:min(len(n), 2)], ", "))})
	}
	return out
}

// confidence returns the confidence of the first lead; without leads mostly of the located places.
func (in SynthesizeInput) confidence() contract.Confidence {
	for _, l := range in.Leads {
		if len(l.References) > 0 {
			return l.Confidence
		}
	}
	if in.unnamedText() != "" {
		return contract.Low
	}
	if _, leads := in.leadingNote(); leads && in.Located.Confidence == contract.Low {
		return contract.Med
	}
	if in.documentLeads() {
		return in.Document.Confidence
	}
	return in.Located.Confidence
}

// documentLeads reports whether a document has the answer while the code has nothing certain.
func (in SynthesizeInput) documentLeads() bool {
	unsure := len(in.Located.References) == 0 || in.Located.Confidence == contract.Low
	return unsure && !in.hasLead() && len(in.Document.References) > 0 && in.Document.Confidence != contract.Low
}

// hedge returns a warning to precede an answer of low confidence.
func (in SynthesizeInput) hedge() string {
	if text := in.unnamedText(); text != "" {
		return text + " The nearest: "
	}
	if in.confidence() != contract.Low || len(in.Located.References) == 0 {
		return ""
	}
	return "Nothing matches well; the nearest: "
}

// unnamedText returns the statement that nothing has the name whose callers were asked for, or "".
func (in SynthesizeInput) unnamedText() string {
	if !in.Wants.Callers || in.hasLead() {
		return ""
	}
	for _, l := range in.Leads {
		if strings.HasPrefix(l.Summary, usage.NotDefinedPrefix) {
			return l.Summary
		}
	}
	return ""
}

// references returns the places mentioned in the answer, in reading order, followed by the best of
// the others.
func (in SynthesizeInput) references(told []string) []string {
	most := max(in.Places, len(told))
	out := append([]string{}, told...)
	for _, l := range in.Leads {
		out = append(out, l.References...)
	}
	files := in.furtherFiles()
	placed := in.Located.References[:len(in.Located.References)-len(files)]
	out = contract.Dedupe(slices.Concat(out, placed, in.Thoughts.References, in.Document.References))
	out = out[:min(len(out), most)]
	report := len(in.Question) >= reportBytes && in.locatedFiles() > find.MaxAnswerFiles
	switch {
	case in.hasLead() && !report:
		return out
	case report:
		files = slices.Concat(placed, files)
	}
	for _, f := range files {
		path := contract.ParseReference(f).Path
		if !slices.ContainsFunc(out, func(ref string) bool { return contract.ParseReference(ref).Path == path }) {
			out = append(out, f)
		}
	}
	return out
}

// leadCount counts the leads with an answer.
func (in SynthesizeInput) leadCount() (n int) {
	for _, l := range in.Leads {
		if len(l.References) > 0 {
			n++
		}
	}
	return n
}

// hasLead reports whether a lead has answered.
func (in SynthesizeInput) hasLead() bool {
	return in.leadCount() > 0
}

// furtherFiles returns the located files without a line, which follow the located places: useful if
// no lead has answered.
func (in SynthesizeInput) furtherFiles() []string {
	list := in.Located.References
	at := len(list)
	for at > 0 && contract.ParseReference(list[at-1]).Line == 0 {
		at--
	}
	return list[at:]
}

// reportBytes is the length from which a question is taken for a bug report, of which the message
// is only one part.
const reportBytes = 400

// locatedFiles counts the located files. For a bug report there are more than find.MaxAnswerFiles, as the
// fault may lie deeper than its trace and its message show.
func (in SynthesizeInput) locatedFiles() int {
	files := map[string]bool{}
	for _, ref := range in.Located.References {
		files[contract.ParseReference(ref).Path] = true
	}
	return len(files)
}

// teller writes parts one after the other into a bounded text.
type teller struct {
	b      strings.Builder
	room   int // bytes
	places []string
}

// headBytes is the maximum length of the summary of a place that is not the first.
const headBytes = 200

// tell writes the parts, best first. Room for the summaries is reserved; each part's findings fill
// its share of the rest. Findings without a line, such as users, of parts after the leads come at
// the end, as the places' own lines matter more to a reader.
func (t *teller) tell(parts []contract.Result, leads int) {
	var last []contract.Finding
	heads := make([]string, len(parts))
	left := t.room
	for i, p := range parts {
		if p.Summary == "" {
			continue
		}
		most := max(left, 80)
		if i > 0 {
			if left < 80 {
				break
			}
			most = min(left, headBytes)
		}
		heads[i] = contract.Shorten(p.Summary, most)
		left -= len(heads[i]) + 1
	}
	for i, p := range parts {
		if heads[i] == "" {
			continue
		}
		share := left
		if i < len(parts)-1 {
			share = left * 11 / 20
		}
		if t.b.Len() > 0 {
			t.b.WriteByte('\n')
		}
		t.b.WriteString(heads[i])
		t.places = append(t.places, p.References[:min(len(p.References), 1)]...)
		var told []contract.Finding
		size := 0
		for _, f := range p.KeyFindings {
			if t.coversTarget(f) {
				continue
			}
			if n := len(f.Text) + len("\n  "); size+n <= share {
				size += n
				told = append(told, f)
			}
		}
		left -= size
		slices.SortStableFunc(told, func(a, b contract.Finding) int { return cmp.Compare(lineBefore(a), lineBefore(b)) })
		for _, f := range told {
			if i >= leads && i < len(parts)-1 && lineBefore(f) == math.MaxInt {
				last = append(last, f)
				continue
			}
			t.b.WriteString("\n  ")
			t.b.WriteString(f.Text)
		}
	}
	for _, f := range last {
		t.b.WriteString("\n" + f.Text)
	}
}

// coversTarget reports whether a finding leads to a place that the text already covers. A place in
// the same file is named by its line alone.
func (t *teller) coversTarget(f contract.Finding) bool {
	_, to, leads := strings.Cut(f.Text, " -> ")
	if !leads {
		return false
	}
	from := contract.ParseReference(f.Ref).Path
	return slices.ContainsFunc(t.places, func(ref string) bool {
		r := contract.ParseReference(ref)
		return strings.Contains(to, source.CiteEnd(ref)) || r.Path == from && strings.Contains(to, source.CiteEnd(fmt.Sprintf("line %d", r.Line)))
	})
}

// lineBefore returns the line number that a finding begins with; math.MaxInt sorts findings without
// one last.
func lineBefore(f contract.Finding) int {
	n := 0
	for i := 0; i < len(f.Text) && i < 9; i++ {
		switch c := f.Text[i]; {
		case c >= '0' && c <= '9':
			n = n*10 + int(c-'0')
		case i > 0 && (c == ':' || c == ' '):
			return n
		default:
			return math.MaxInt
		}
	}
	return math.MaxInt
}

func (t *teller) text() string { return t.b.String() }
