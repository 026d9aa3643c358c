package explain

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// deciding matches sentences of a note that decide, bind or leave something open.
var deciding = lazyregexp.New(`(?i)\b(?:decided|decisions?:|agreed|chose|chosen|rejected|instead of|in favou?r of|reason:|because|must|shall|never|always|only (?:if|when)|undecided|unclear|open questions?:|to be decided|tbd)\b|\?\s*$`)

// maxDecisions bounds the findings of one note.
const maxDecisions = 4

// decisionsIn returns the sentences between a heading and the next one that decide, bind or leave
// something open, except the sentence in the summary.
func decisionsIn(src *source.File, d symbols.Def) []contract.Finding {
	if d.Kind != symbols.KindHeading {
		return nil
	}
	lines := strings.Split(string(src.Data), "\n")
	end := len(lines)
	if i := slices.IndexFunc(src.Defs, func(o symbols.Def) bool { return o.Kind == symbols.KindHeading && o.Line > d.Line }); i >= 0 {
		end = src.Defs[i].Line - 1
	}
	said := source.DocSentence(d)
	var out []contract.Finding
	for i, line := range lines[min(d.Line, end):end] {
		ref := src.RefTo(d.Line + 1 + i)
		for _, s := range sentencesOf(line) {
			if len(out) < maxDecisions && deciding.MatchString(s) && !alreadyTold(said, s) {
				out = append(out, contract.Finding{Text: strings.TrimRight(s, ".;: ") + " (" + ref + ")", Ref: ref})
			}
		}
	}
	return out
}

// sentencesOf splits a line of prose into sentences, without leading list or quotation marks.
func sentencesOf(line string) []string {
	line = strings.TrimSpace(strings.TrimLeft(line, " \t-*+>#"))
	var out []string
	for len(line) > 0 {
		end := len(line)
		for _, stop := range []string{". ", "? ", "! "} {
			if i := strings.Index(line, stop); i >= 0 {
				end = min(end, i+1)
			}
		}
		out = append(out, line[:end])
		line = strings.TrimSpace(line[end:])
	}
	return out
}

// alreadyTold reports whether said begins with the sentence s, or s with said.
func alreadyTold(said, s string) bool {
	said = strings.TrimLeft(said, " -*+>")
	return said != "" && (strings.HasPrefix(said, strings.TrimRight(s, ".")) || strings.HasPrefix(s, said))
}
