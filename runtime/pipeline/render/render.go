// Package render turns a reply, which is JSON that has passed runtime/safety/egress, into
// a form for people: plain text for a terminal, or Markdown. It adds nothing and hides
// nothing but braces.
//
// It knows no specific task. A reply comes with its type; if the type was derived from a
// Go type with a method View(*Page), as a builtin's reply may be, the type renders
// itself. Results of roles have a form here, and everything else becomes keys and values.
package render

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

// Format is the output format of a reply.
type Format string

// The formats.
const (
	Text     Format = "text"
	JSON     Format = "json"
	Markdown Format = "md"
)

// Formats lists the formats for help and errors.
var Formats = []string{string(Text), string(JSON), string(Markdown)}

// Parse parses the name of a format.
func Parse(s string) (Format, error) {
	for _, f := range Formats {
		if s == f {
			return Format(s), nil
		}
	}
	return "", fmt.Errorf("format %q: want one of %s", s, strings.Join(Formats, ", "))
}

// Viewer is a reply that renders itself.
type Viewer interface{ View(*Page) }

// Reply renders any tool's reply. typ is its type as far as it is known; nil for unknown.
func Reply(raw json.RawMessage, typ *schema.Schema, f Format) string {
	if f == JSON {
		return string(raw) + "\n"
	}
	var b strings.Builder
	for _, p := range renderPieces(raw, typ, f) {
		b.WriteString(p.text)
	}
	return sanitize.Strip(b.String())
}

// Print writes a reply; on a terminal its headings and places are highlighted.
func Print(w io.Writer, raw json.RawMessage, typ *schema.Schema, f Format) error {
	if f == JSON {
		_, err := io.WriteString(w, Reply(raw, typ, f))
		return err
	}
	for _, p := range renderPieces(raw, typ, f) {
		if err := screen.Paint(w, p.style, sanitize.Strip(p.text)); err != nil {
			return err
		}
	}
	return nil
}

// piece is a part of a reply in a single style.
type piece struct {
	style screen.Style
	text  string
}

func renderPieces(raw json.RawMessage, typ *schema.Schema, f Format) []piece {
	if v := viewerOf(raw, typ); v != nil {
		p := Page{md: f == Markdown}
		v.View(&p)
		return p.pieces
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return []piece{{text: plain(raw)}}
	}
	return []piece{{text: generic(raw)}}
}

// viewerOf returns a reply that renders itself, or nil if the type does not.
func viewerOf(raw json.RawMessage, typ *schema.Schema) Viewer {
	if typ == nil || typ.Of == nil {
		return nil
	}
	v := reflect.New(typ.Of).Interface()
	if json.Unmarshal(raw, v) != nil {
		return nil
	}
	switch v := v.(type) {
	case *contract.Result:
		return result(*v)
	case Viewer:
		return v
	}
	return nil
}

// result renders the result of a role. Plain text does not list places that the summary or findings mention.
type result contract.Result

func (r result) View(p *Page) {
	p.Paragraph("Summary", r.Summary)
	findings := contract.Texts(r.KeyFindings)
	if !p.md {
		findings = slices.DeleteFunc(findings, func(f string) bool { return strings.Contains(r.Summary, f) })
	}
	p.List("Key Findings", findings)
	refs := slices.Clone(r.References)
	if !p.md {
		told := strings.Join(append([]string{r.Summary}, findings...), "\n")
		refs = slices.DeleteFunc(refs, func(ref string) bool { return contract.Mentions(told, ref) })
	}
	p.References(refs)
	if r.Notes != nil {
		p.List("Notes", []string{*r.Notes})
	}
	if !p.md {
		p.Line("\nconfidence " + string(r.Confidence) + "\n")
	}
}

// ForModel returns a reply as a chat model reads it, if its type has a form of its own;
// false if only its JSON is known.
func ForModel(raw json.RawMessage, typ *schema.Schema) (string, bool) {
	if viewerOf(raw, typ) == nil {
		return "", false
	}
	return strings.TrimRight(Reply(raw, typ, Text), "\n"), true
}
