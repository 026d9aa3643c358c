package tools

import (
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/toolrank"
)

// maxNamed is how many tools a search shows because the query names them, whatever its limit.
const maxNamed = 50

// byNames returns the tools by each of their names, in lower case.
func byNames(tools *catalog.UpstreamTools) map[string][]int {
	out := make(map[string][]int, 2*len(tools.List))
	for i, t := range tools.List {
		for _, name := range []string{t.Listed, t.Called(), t.Name} {
			name = strings.ToLower(name)
			if same := out[name]; len(same) == 0 || same[len(same)-1] != i {
				out[name] = append(same, i)
			}
		}
	}
	return out
}

// namedIn returns the tools that a query names exactly, in its order. A name without a separator,
// such as "list", may be an ordinary word: it counts only if the query consists of names.
func namedIn(byName map[string][]int, query string, keep func(int) bool) (docs []int, names []string) {
	find := func(name string) []int {
		return slices.DeleteFunc(slices.Clone(byName[name]), func(i int) bool { return !keep(i) })
	}
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",;\"'`()[]<>", r) })
	joined := func(word string) bool { return strings.ContainsAny(word, "_-./:") }
	onlyNames := len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return len(find(w)) == 0 })
	seen := map[string]bool{}
	for _, w := range words {
		if seen[w] {
			continue
		}
		seen[w] = true
		found := find(w)
		if len(found) == 0 && strings.HasSuffix(w, ".") {
			w = strings.TrimRight(w, ".")
			found = find(w)
		}
		if len(found) == 0 || !joined(w) && !onlyNames {
			continue
		}
		names = append(names, w)
		for _, i := range found {
			if !slices.Contains(docs, i) {
				docs = append(docs, i)
			}
		}
	}
	return docs, names
}

// withNamed adds the tools that a query names to its hits. Other hits are dropped to make room, but never these.
func withNamed(res toolrank.Result, docs []int, names []string, limit int) toolrank.Result {
	docs = docs[:min(len(docs), maxNamed)]
	if len(docs) == 0 {
		return res
	}
	score := 1.0
	if len(res.Hits) == 0 {
		res = toolrank.Result{Confidence: 1}
	} else {
		score = res.Hits[len(res.Hits)-1].Score
	}
	for _, doc := range docs {
		if !slices.ContainsFunc(res.Hits, func(h toolrank.Hit) bool { return h.Doc == doc }) {
			res.Hits = append(res.Hits, toolrank.Hit{Doc: doc, Score: score, Why: []string{"named"}})
		}
	}
	for i := len(res.Hits) - 1; i >= 0 && len(res.Hits) > limit; i-- {
		if !slices.Contains(docs, res.Hits[i].Doc) {
			res.Hits = slices.Delete(res.Hits, i, i+1)
		}
	}
	res.Missed = slices.DeleteFunc(res.Missed, func(word string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, strings.ToLower(word)) })
	})
	res.Unsure = res.Unsure && len(res.Missed) > 0
	return res
}

// unshownNote says how many of the tools that a query names are not shown.
func unshownNote(named int) string {
	if named <= maxNamed {
		return ""
	}
	return strconv.Itoa(named-maxNamed) + " more of these names: name the server too"
}
