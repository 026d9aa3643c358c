package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

// View renders a report for a person or a model; its Markdown is the form of a handoff. Text
// repeats nothing, and leaves mere counts to the JSON.
func (r Report) View(p *render.Page) {
	if p.Markdown() {
		r.renderHandoff(p)
		return
	}
	p.Paragraph("Summary", r.Answer)
	p.Places(render.UnmentionedPlaces(contract.Unworded(r.Answer), r.References, r.Places))
	p.List("Key Findings", r.unsaid())
	r.renderValues(p)
	p.List("Notes", r.notes())
	p.Line("\nconfidence " + string(r.confidence()) + "\n")
}

func (r Report) renderHandoff(p *render.Page) {
	p.Title("Research Handoff")
	p.Paragraph("Question", r.Question)
	p.Paragraph("Summary", r.Answer)
	p.List("Key Findings", r.findings())
	p.References(r.References)
	r.renderValues(p)
	p.List("Constraints / Budgets", r.budgets())
	p.List("Notes", r.notes())
}

// renderValues renders the sections whose value is not a result.
func (r Report) renderValues(p *render.Page) {
	for _, s := range r.Sections {
		if s.Outcome.Value == nil {
			continue
		}
		if raw, ok := (*s.Outcome.Value).(json.RawMessage); ok {
			p.Value(s.Name, raw)
		}
	}
}

// findings returns the findings of all sections except the first, on which the others build; if
// they have none, the first section's.
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

// maxUnsaid bounds the findings listed below an answer that does not mention them.
const maxUnsaid = 4

// bodyLine matches a line of code with its number, which is meaningless without the place above it.
var bodyLine = regexp.MustCompile(`^\d+: `)

// citation matches the place in a finding's citation of its subject.
var citation = regexp.MustCompile("` \\(([^()\\s]+)\\)")

// unsaid returns the findings that neither the answer nor the places mention.
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
	return out[:min(len(out), maxUnsaid)]
}

// first returns the result of the first section, or nil.
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
