package code

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/render"
)

// View shows a report to people; its Markdown is the form of a handoff. The first
// section is what the others build on: its confidence is the report's, and its
// findings stand where no other has any.
func (r Report) View(p *render.Page) {
	p.Title("Research Handoff")
	if p.Markdown() {
		p.Paragraph("Question", r.Question)
	}
	p.Paragraph("Summary", r.Answer)
	if p.Markdown() {
		p.List("Key Findings", r.findings())
		p.References(r.References)
	} else { // a reader goes to the places first, best first
		p.References(r.References)
		p.List("Key Findings", r.findings())
	}
	for _, s := range r.Sections {
		if s.Outcome.Value == nil {
			continue
		}
		if raw, ok := (*s.Outcome.Value).(json.RawMessage); ok {
			p.Value(s.Name, raw)
		}
	}
	if p.Markdown() {
		p.List("Constraints / Budgets", r.budgets())
	}
	p.List("Notes", r.notes())
	if !p.Markdown() {
		p.Line(r.footer())
	}
}

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

// first is the result of the first section; nil where it has none.
func (r Report) first() *contract.Result {
	if len(r.Sections) == 0 {
		return nil
	}
	return r.Sections[0].Result()
}

func (r Report) notes() []string {
	var out []string
	for i := range r.Sections {
		s := &r.Sections[i]
		v := s.Result()
		switch {
		case s.Outcome.Error != nil:
			out = append(out, fmt.Sprintf("%s: %s: %s", s.Name, s.Outcome.Status, s.Outcome.Error.Message))
		case v != nil && v.Notes != nil:
			out = append(out, s.Name+": "+*v.Notes)
		}
	}
	for _, t := range r.Meta.Truncations {
		out = append(out, "cut to fit: "+t)
	}
	for _, h := range r.Meta.Limits.Hit {
		out = append(out, "limit reached: "+h)
	}
	if r.Meta.Redacted > 0 {
		out = append(out, fmt.Sprintf("secrets masked: %d", r.Meta.Redacted))
	}
	if r.Meta.Artifact != "" {
		out = append(out, "handoff written: "+r.Meta.Artifact)
	}
	return out
}

func (r Report) budgets() []string {
	return []string{
		"roots: " + strings.Join(r.RootsSearched, ", "),
		fmt.Sprintf("files ranked: %d; read: %d (%d bytes)", r.Meta.Limits.FilesScanned, r.Meta.Limits.FilesRead, r.Meta.Limits.BytesRead),
		fmt.Sprintf("tasks: %d; timeouts: %d", r.Meta.TasksSpawned, r.Meta.Timeouts),
	}
}

func (r Report) footer() string {
	confidence := contract.Low
	if v := r.first(); v != nil {
		confidence = v.Confidence
	}
	return fmt.Sprintf("\nconfidence %s · %d files ranked, %d read · %d tasks\n", confidence, r.Meta.Limits.FilesScanned, r.Meta.Limits.FilesRead, r.Meta.TasksSpawned)
}
