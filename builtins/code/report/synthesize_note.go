package report

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// leadingNote returns a note that answers the question on its own: its heading and first sentence
// have most of the keywords. It comes first, with its decisions.
func (in SynthesizeInput) leadingNote() (contract.Result, bool) {
	if len(in.Decided) == 0 || len(in.Decided[0].References) == 0 || in.hasLead() {
		return contract.Result{}, false
	}
	const least = 2 // keywords that make a subject
	note := in.Decided[0]
	have := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(note.Summary), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127) }) {
		have[words.StemOf(w)] = true
	}
	n := 0
	for _, k := range in.Keywords {
		if have[words.StemOf(strings.ToLower(k))] {
			n++
		}
	}
	return note, n >= least && n*3 >= len(in.Keywords)*2
}

// withoutNote returns the parts without the place of the leading note.
func withoutNote(parts []contract.Result, note contract.Result) []contract.Result {
	return slices.DeleteFunc(slices.Clone(parts), func(p contract.Result) bool {
		return len(p.References) > 0 && p.References[0] == note.References[0]
	})
}
