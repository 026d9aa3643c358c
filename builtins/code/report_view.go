package code

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

// View shows a report to those who read, a person or a model; its Markdown is the
// form of a handoff. In text nothing is said twice, and what only counts is left to
// the JSON.
func (r Report) View(p *render.Page) {
	if p.Markdown() {
		r.handoff(p)
		return
	}
	p.Paragraph("Summary", r.Answer)
	p.Places(r.places())
	p.List("Key Findings", r.unsaid())
	r.values(p)
	p.List("Notes", r.notes())
	p.Line("\nconfidence " + string(r.confidence()) + "\n")
}

func (r Report) handoff(p *render.Page) {
	p.Title("Research Handoff")
	p.Paragraph("Question", r.Question)
	p.Paragraph("Summary", r.Answer)
	p.List("Key Findings", r.findings())
	p.References(r.References)
	r.values(p)
	p.List("Constraints / Budgets", r.budgets())
	p.List("Notes", r.notes())
}

// values are the sections whose value is no result.
func (r Report) values(p *render.Page) {
	for _, s := range r.Sections {
		if s.Outcome.Value == nil {
			continue
		}
		if raw, ok := (*s.Outcome.Value).(json.RawMessage); ok {
			p.Value(s.Name, raw)
		}
	}
}

// places are the references that the answer does not tell of, with what is known of
// each.
func (r Report) places() (out []render.Place) {
	told := contract.Unworded(r.Answer)
	for _, ref := range r.References {
		if contract.Mentions(told, ref) {
			continue
		}
		at := render.Place{Ref: ref}
		if i := slices.IndexFunc(r.Places, func(l string) bool { return strings.HasPrefix(l, ref+" ") }); i >= 0 {
			at.About = r.Places[i][len(ref)+1:]
		}
		out = append(out, at)
	}
	return out
}

// findings are those of all sections but the first, on which they build; they stand
// for it where no other has any.
func (r Report) findings() []string {
	var out []string
	for i := range r.Sections {
		if v := r.Sections[i].Result(); v != nil && i > 0 {
			out = append(out, contract.Texts(v.KeyFindings)...)
		}
	}
	if v := r.first(); len(out) == 0 && v != nil {
		out = contract.Texts(v.KeyFindings)
	}
	return out
}

// unsaidMost is how many findings stand below an answer that does not tell them.
const unsaidMost = 4

// bodyLine is a line of code with its number, which says nothing without the place
// above it.
var bodyLine = regexp.MustCompile(`^\d+: `)

// citation is the place in a finding's citation of what it is about.
var citation = regexp.MustCompile("` \\(([^()\\s]+)\\)")

// unsaid are the findings of which neither the answer nor the places tell.
func (r Report) unsaid() []string {
	told := strings.Join(append([]string{contract.Unworded(r.Answer)}, r.Places...), "\n")
	var out []string
	for _, f := range r.findings() {
		m := citation.FindStringSubmatch(f)
		if bodyLine.MatchString(f) || strings.Contains(told, f) || m != nil && contract.Mentions(told, m[1]) {
			continue
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out[:min(len(out), unsaidMost)]
}

// first is the result of the first section; nil where it has none.
func (r Report) first() *contract.Result {
	if len(r.Sections) == 0 {
		return nil
	}
	return r.Sections[0].Result()
}

func (r Report) confidence() contract.Confidence {
	if v := r.first(); r.Confidence == "" && v != nil {
		return v.Confidence
	}
	if r.Confidence == "" {
		return contract.Low
	}
	return r.Confidence
}

func (r Report) budgets() []string {
	return []string{
		"roots: " + strings.Join(r.RootsSearched, ", "),
		fmt.Sprintf("files ranked: %d; read: %d (%d bytes)", r.Meta.Limits.FilesScanned, r.Meta.Limits.FilesRead, r.Meta.Limits.BytesRead),
		fmt.Sprintf("tasks: %d; timeouts: %d", r.Meta.TasksSpawned, r.Meta.Timeouts),
	}
}
