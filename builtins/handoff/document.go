package handoff

import (
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Document is the content of an artifact. Texts may have several lines; entries of References have
// one.
type Document struct {
	Question    string
	Summary     string
	KeyFindings []string
	References  []string // path, path:line or path:line:col
	Constraints []string // roots searched, limits used and hit
	Notes       string   // empty if there are none
}

// Clean returns the document in the form that an artifact can hold: valid UTF-8 without control or
// hidden characters, lines without trailing blanks separated by line feeds, no empty entries,
// references once each. Clean is idempotent.
func (d Document) Clean() Document {
	return Document{
		Question:    cleanText(d.Question),
		Summary:     cleanText(d.Summary),
		KeyFindings: cleanList(d.KeyFindings, cleanText),
		References:  contract.Dedupe(cleanList(d.References, cleanLine)),
		Constraints: cleanList(d.Constraints, cleanText),
		Notes:       cleanText(d.Notes),
	}
}

func cleanList(in []string, clean func(string) string) []string {
	out := make([]string, 0, len(in))
	for _, s := range in {
		if s = clean(s); s != "" {
			out = append(out, s)
		}
	}
	return slices.Clip(out)
}

// newlines normalizes line endings.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func cleanText(s string) string {
	lines := strings.Split(newlines.Replace(s), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRightFunc(safeLine(l), unicode.IsSpace)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func cleanLine(s string) string {
	return strings.TrimSpace(safeLine(strings.ReplaceAll(newlines.Replace(s), "\n", " ")))
}

// safeLine makes a line safe to display: without hidden or control characters, and without links
// or images to follow.
func safeLine(s string) string {
	return sanitize.Markdown(sanitize.Text(strings.ToValidUTF8(s, "\uFFFD")))
}
