// Package render turns a reply, which is JSON that has passed runtime/egress, into
// what a person likes to read: plain text for a terminal, or Markdown. It adds
// nothing and hides nothing but braces.
package render

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/quote"
	"github.com/compactor-mcp/compactor/runtime/screen"
)

// Format is how a reply is printed.
type Format string

// The formats.
const (
	Text     Format = "text"
	JSON     Format = "json"
	Markdown Format = "md"
)

// Formats lists them for help and errors.
var Formats = []string{string(Text), string(JSON), string(Markdown)}

// Parse reads the name of a format.
func Parse(s string) (Format, error) {
	for _, f := range Formats {
		if s == f {
			return Format(s), nil
		}
	}
	return "", fmt.Errorf("format %q: want one of %s", s, strings.Join(Formats, ", "))
}

// Reply renders any tool's reply. Reports and results have a form of their
// own; what else there is becomes indented keys and values.
func Reply(raw json.RawMessage, f Format) string {
	if f == JSON {
		return string(raw) + "\n"
	}
	var b strings.Builder
	for _, p := range reply(raw, f) {
		b.WriteString(p.text)
	}
	return quote.Strip(b.String())
}

// Print writes a reply; on a terminal its headings and places stand out.
func Print(w io.Writer, raw json.RawMessage, f Format) error {
	if f == JSON {
		_, err := io.WriteString(w, Reply(raw, f))
		return err
	}
	for _, p := range reply(raw, f) {
		if err := screen.Paint(w, p.style, quote.Strip(p.text)); err != nil {
			return err
		}
	}
	return nil
}

// piece is a part of a reply that is written in one style.
type piece struct {
	style screen.Style
	text  string
}

func reply(raw json.RawMessage, f Format) []piece {
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		return []piece{{text: plain(raw)}}
	}
	switch {
	case keys["answer"] != nil && keys["locator"] != nil:
		var r contract.Report
		if json.Unmarshal(raw, &r) == nil {
			return report(r, f)
		}
	case keys["summary"] != nil && keys["key_findings"] != nil && keys["confidence"] != nil:
		var r contract.Result
		if json.Unmarshal(raw, &r) == nil {
			return result(r, f)
		}
	}
	return []piece{{text: generic(raw)}}
}

// report prints a report; its Markdown is the form of a handoff.
func report(r contract.Report, f Format) []piece {
	w := writer{md: f == Markdown}
	w.title("Research Handoff", "")
	w.section("Question", r.Question, true)
	w.section("Summary", r.Answer, false)
	if w.md {
		w.list("Key Findings", findings(r))
		w.references(r.References)
	} else { // a reader goes to the places first, best first
		w.references(r.References)
		w.list("Key Findings", findings(r))
	}
	w.mdList("Constraints / Budgets", budgets(r))
	w.list("Notes", notes(r))
	if !w.md {
		w.line(footer(r))
	}
	return w.pieces
}

func findings(r contract.Report) []string {
	var out []string
	for _, o := range []*contract.Outcome[contract.Result]{r.Analyzer, r.Patterns, r.Thoughts} {
		if o != nil && o.Value != nil {
			out = append(out, o.Value.KeyFindings...)
		}
	}
	if len(out) == 0 && r.Locator.Value != nil {
		out = r.Locator.Value.KeyFindings
	}
	return out
}

func notes(r contract.Report) []string {
	var out []string
	for _, s := range []struct {
		role string
		o    *contract.Outcome[contract.Result]
	}{{"locator", &r.Locator}, {"analyzer", r.Analyzer}, {"patterns", r.Patterns}, {"thoughts", r.Thoughts}} {
		switch {
		case s.o == nil:
		case s.o.Error != nil:
			out = append(out, fmt.Sprintf("%s: %s: %s", s.role, s.o.Status, s.o.Error.Message))
		case s.o.Value.Notes != nil:
			out = append(out, s.role+": "+*s.o.Value.Notes)
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

func budgets(r contract.Report) []string {
	return []string{
		"roots: " + strings.Join(r.RootsSearched, ", "),
		fmt.Sprintf("files ranked: %d; read: %d (%d bytes)", r.Meta.Limits.FilesScanned, r.Meta.Limits.FilesRead, r.Meta.Limits.BytesRead),
		fmt.Sprintf("tasks: %d; timeouts: %d", r.Meta.TasksSpawned, r.Meta.Timeouts),
	}
}

func footer(r contract.Report) string {
	confidence := "low"
	if r.Locator.Value != nil {
		confidence = string(r.Locator.Value.Confidence)
	}
	return fmt.Sprintf("\nconfidence %s · %d files ranked, %d read · %d tasks\n", confidence, r.Meta.Limits.FilesScanned, r.Meta.Limits.FilesRead, r.Meta.TasksSpawned)
}

func result(r contract.Result, f Format) []piece {
	w := writer{md: f == Markdown}
	w.section("Summary", r.Summary, false)
	w.list("Key Findings", r.KeyFindings)
	w.references(r.References)
	if r.Notes != nil {
		w.list("Notes", []string{*r.Notes})
	}
	if !w.md {
		w.line("\nconfidence " + string(r.Confidence) + "\n")
	}
	return w.pieces
}

// writer knows the two dialects.
type writer struct {
	pieces []piece
	md     bool
}

func (w *writer) line(s string) { w.paint("", s) }

func (w *writer) paint(style screen.Style, s string) { w.pieces = append(w.pieces, piece{style, s}) }

func (w *writer) title(md, text string) {
	if w.md {
		w.line("# " + md + "\n\n")
	} else if text != "" {
		w.line(text + "\n\n")
	}
}

// section writes a paragraph; mdOnly leaves it out of plain text.
func (w *writer) section(name, text string, mdOnly bool) {
	if text == "" || (mdOnly && !w.md) {
		return
	}
	if w.md {
		w.line("## " + name + "\n\n")
	}
	w.line(w.text(text) + "\n")
	if w.md {
		w.line("\n")
	}
}

func (w *writer) list(name string, items []string) {
	if len(items) == 0 {
		return
	}
	if w.md {
		w.line("## " + name + "\n\n")
	} else {
		w.paint(screen.Heading, "\n"+name+"\n")
	}
	for _, s := range items {
		if w.md {
			w.line("- " + below(w.text(s), "  ") + "\n")
		} else {
			w.line("  - " + below(s, "    ") + "\n")
		}
	}
	if w.md {
		w.line("\n")
	}
}

func (w *writer) mdList(name string, items []string) {
	if w.md {
		w.list(name, items)
	}
}

// text is a text in the dialect: Markdown of other people's words has no links
// that are followed and no pictures that are fetched.
func (w *writer) text(s string) string {
	if w.md {
		return quote.Markdown(s)
	}
	return s
}

// below sets the further lines of an entry under it, so that none of them looks
// like an entry or a heading of its own.
func below(s, indent string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+indent)
}

// references stand alone on their lines, so that a terminal or an editor can
// make links of them.
func (w *writer) references(refs []string) {
	if w.md {
		quoted := make([]string, len(refs))
		for i, r := range refs {
			quoted[i] = quote.Code(quote.Line(r))
		}
		w.list("References", quoted)
		return
	}
	if len(refs) == 0 {
		return
	}
	w.paint(screen.Heading, "\nReferences\n")
	for _, r := range refs {
		w.paint(screen.Place, "  "+quote.Line(r)+"\n")
	}
}
