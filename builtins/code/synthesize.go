package code

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// SynthesizeInput is what the roles before the synthesizer found.
type SynthesizeInput struct {
	Question string            `json:"question" doc:"the question"`
	Located  contract.Result   `json:"located" doc:"what the locator found"`
	Leads    []contract.Result `json:"leads,omitempty" doc:"answers to the kind of question that is asked, told before all else; one without references is none"`
	Analyzed []contract.Result `json:"analyzed,omitempty" doc:"what the analyzers found, best place first"`
	Thoughts contract.Result   `json:"thoughts,omitzero" doc:"what the notes say"`
	Decided  []contract.Result `json:"decided,omitempty" doc:"what the notes decide, best place first"`
	Document contract.Result   `json:"document,omitzero" doc:"what indexed documents say; one without references is left out"`
	Keywords []string          `json:"keywords,omitempty" doc:"what was searched for"`
	Wants    Wants             `json:"wants,omitzero" doc:"kind of answer that is asked for"`
	Places   int               `json:"places" doc:"references at most, unless more of them are told of" default:"6" min:"1" max:"50"`
}

// Synthesize answers from what others found. It reads no file: every fact and
// every reference in the answer comes from a role before it.
func Synthesize() catalog.Builtin {
	return catalog.New("code.synthesize", "answer a question from what the roles found", 0,
		func(_ context.Context, env *catalog.Env, in SynthesizeInput) (contract.Result, error) {
			return synthesize(in, answerBytes(env.Tokens)), nil
		})
}

// answerBytes is how long an answer may be in a reply of so many tokens. The rest
// is for the references and for what the sections of the reply need.
func answerBytes(tokens int) int {
	const usual, bytesPerToken = 1000, 4
	if tokens <= 0 {
		tokens = usual
	}
	return tokens * bytesPerToken * 44 / 100
}

func synthesize(in SynthesizeInput, room int) contract.Result {
	told := in.parts()
	if len(told) == 0 {
		r := contract.NotFound(orElse(in.Located.Summary, "Not found."))
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

// parts are what the answer is made of, in order: what leads, then the analyzed
// places or, where none was, the located ones, examples and notes.
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

// confidence is that of what leads, and of the located places without a lead.
func (in SynthesizeInput) confidence() contract.Confidence {
	for _, l := range in.Leads {
		if len(l.References) > 0 {
			return l.Confidence
		}
	}
	if in.unnamed() != "" {
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

// documentLeads reports whether a document answers what the code has nothing sure of.
func (in SynthesizeInput) documentLeads() bool {
	unsure := len(in.Located.References) == 0 || in.Located.Confidence == contract.Low
	return unsure && !in.led() && len(in.Document.References) > 0 && in.Document.Confidence != contract.Low
}

// hedge says before an answer of low confidence what it is.
func (in SynthesizeInput) hedge() string {
	if text := in.unnamed(); text != "" {
		return text + " The nearest: "
	}
	if in.confidence() != contract.Low || len(in.Located.References) == 0 {
		return ""
	}
	return "Nothing matches well; the nearest: "
}

// unnamed is that nothing bears the name whose callers are asked for, where so.
func (in SynthesizeInput) unnamed() string {
	if !in.Wants.Callers || in.led() {
		return ""
	}
	for _, l := range in.Leads {
		if strings.HasPrefix(l.Summary, nothingCalled) {
			return l.Summary
		}
	}
	return ""
}

// references are the places that are told of, in the order of reading, and then the
// best of the others.
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
	report := len(in.Question) >= reportBytes && in.locatedFiles() > fewFiles
	switch {
	case in.led() && !report:
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

// leadCount is how many of the parts answer the kind of question that is asked.
func (in SynthesizeInput) leadCount() (n int) {
	for _, l := range in.Leads {
		if len(l.References) > 0 {
			n++
		}
	}
	return n
}

// led reports whether something answers the kind of question that is asked.
func (in SynthesizeInput) led() bool {
	return in.leadCount() > 0
}

// furtherFiles are the files behind the located places, of which no place is known:
// of use where nothing answers the kind of question that is asked.
func (in SynthesizeInput) furtherFiles() []string {
	list := in.Located.References
	at := len(list)
	for at > 0 && contract.ParseReference(list[at-1]).Line == 0 {
		at--
	}
	return list[at:]
}

// reportBytes is the length from which a question is a report of a fault, of which the
// message is one part.
const reportBytes = 400

// locatedFiles is how many files were located: more than fewFiles for a report, whose
// fault may lie behind what its trace and its message name.
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

// headBytes is how long the summary of a place may be that is not the first.
const headBytes = 200

// tell writes the parts, best first: of each its summary, for which room is kept, and of
// its findings as many lines as its share of the rest holds. Who uses the places behind
// the leads is told after them all: their own lines come first to a reader.
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
			if t.tells(f) {
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

// tells reports whether a finding leads to a place that is told of already, which it
// names by its line alone where it is of the same file.
func (t *teller) tells(f contract.Finding) bool {
	_, to, leads := strings.Cut(f.Text, " -> ")
	if !leads {
		return false
	}
	from := contract.ParseReference(f.Ref).Path
	return slices.ContainsFunc(t.places, func(ref string) bool {
		r := contract.ParseReference(ref)
		return strings.Contains(to, cited(ref)) || r.Path == from && strings.Contains(to, cited(fmt.Sprintf("line %d", r.Line)))
	})
}

// lineBefore is the number of a line that a finding shows or begins at; what shows
// none stands behind.
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

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
