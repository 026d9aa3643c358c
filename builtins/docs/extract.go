package docs

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
)

// Extractors returns extractors for all kinds of files that can be indexed, within limits.
func Extractors(l extractor.Limits) []extract.Extractor {
	return append(extractor.Extractors(l), sourceFile{})
}

// sourceFile extracts source code.
type sourceFile struct{}

func (sourceFile) Kind() string   { return "source/3" }
func (sourceFile) Largest() int64 { return 0 }

// prose are languages of symbols that other extractors read, or that are data.
var prose = []symbols.Lang{"", symbols.Markdown, symbols.AsciiDoc, symbols.RST, symbols.YAML, symbols.TOML, symbols.JSON}

func (sourceFile) Takes(p string) bool {
	return !slices.Contains(prose, symbols.Detect(path.Base(p), nil))
}

func (sourceFile) Extract(_ context.Context, p string, data []byte) (extract.Text, error) {
	text, notes, err := extract.Decode(data)
	if err != nil {
		return extract.Text{}, err
	}
	t := extract.Text{Title: path.Base(p), Text: text, Form: extract.Marked, Notes: notes}
	lines := lineStarts(text)
	for _, d := range symbols.Scan(path.Base(p), []byte(text)) {
		if d.Line > len(lines) {
			continue
		}
		level, name := 1, d.Name
		if d.Container != "" {
			level, name = 2, d.Container+"."+d.Name
		}
		if d.Kind == symbols.KindField || d.Kind == symbols.KindMember {
			continue
		}
		t.Marks = append(t.Marks, chunk.Mark{At: lines[commentStart(text, lines, d.Line-1)], Level: level, Name: name})
	}
	return t, nil
}

func lineStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// maxComment is the maximum number of comment lines above a declaration.
const maxComment = 40

// commentStart returns the first line of the comment above a line, or the line itself.
func commentStart(text string, starts []int, at int) int {
	first := at
	for at > 0 && first-at < maxComment {
		l := strings.TrimSpace(text[starts[at-1]:starts[at]])
		if !strings.HasPrefix(l, "//") && !strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "*") && !strings.HasPrefix(l, "/*") &&
			!strings.HasPrefix(l, "--") && !strings.HasPrefix(l, "@") {
			break
		}
		at--
	}
	return at
}
