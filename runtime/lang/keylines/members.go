package keylines

import (
	"cmp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// A Member is a definition inside a type, with its value for the query.
type Member struct {
	Def   symbols.Def
	Worth float64
}

// maxMembers limits the members of a type that are weighed.
const maxMembers = 400

// Members returns the definitions in a type that matter for the query, best first: by their names, signatures and
// comments and, for functions, their bodies.
func (t *Text) Members(d symbols.Def, defs []symbols.Def, terms *Terms) []Member {
	var out []Member
	own := map[int]bool{}
	for _, i := range terms.indexesIn(d.Name) {
		own[i] = true
	}
	for _, o := range defs {
		if len(out) == maxMembers || !memberOf(o, d, t.lang) {
			continue
		}
		w := 0.0
		for _, i := range terms.indexesIn(o.Name + " " + o.Signature) {
			if !own[i] {
				w += terms.weights[i]
			}
		}
		w += 0.5*terms.Weigh(o.Doc) + 0.5*t.coverage(o, terms, own)
		if o.EndLine > o.Line+1 {
			w += 0.1
		}
		out = append(out, Member{o, w})
	}
	slices.SortStableFunc(out, func(a, b Member) int {
		return cmp.Or(cmp.Compare(b.Worth, a.Worth), cmp.Compare(a.Def.Line, b.Def.Line))
	})
	return out
}

// coverage returns the total weight of the terms in a body.
func (t *Text) coverage(d symbols.Def, terms *Terms, own map[int]bool) float64 {
	const lines = 200
	w := 0.0
	seen := map[int]bool{}
	for n := d.Line + 1; n <= min(d.EndLine, d.Line+lines, t.lineCount()); n++ {
		for _, i := range terms.indexesIn(string(t.cutLine(t.said, n))) {
			if !seen[i] && !own[i] {
				seen[i] = true
				w += terms.weights[i]
			}
		}
	}
	return w
}

// memberOf reports whether a definition is a direct member of a type.
func memberOf(o, d symbols.Def, lang symbols.Lang) bool {
	want := d.Name
	if d.Container != "" {
		want = d.Container + lang.Separator() + d.Name
	}
	return o.Container == want || strings.HasSuffix(o.Container, lang.Separator()+want)
}
