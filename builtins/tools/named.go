package tools

import (
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/tools/rank"
	"github.com/compactor-mcp/compactor/runtime/catalog"
)

// maxNamed is how many tools a search shows for being named, whatever its limit.
const maxNamed = 50

// namedIn returns the tools that a query names exactly, in its order. A name without a joint, such as "list", is a word
// of any query: it counts only where the query consists of names.
func namedIn(tools *catalog.UpstreamTools, query string, keep func(int) bool) (docs []int, names []string) {
	byName := map[string][]int{}
	for i, t := range tools.List {
		if !keep(i) {
			continue
		}
		for _, name := range slices.Compact([]string{t.Listed, t.Called(), t.Name}) {
			if name = strings.ToLower(name); !slices.Contains(byName[name], i) {
				byName[name] = append(byName[name], i)
			}
		}
	}
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",;\"'`()[]<>", r) })
	joined := func(word string) bool { return strings.ContainsAny(word, "_-./:") }
	onlyNames := len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return len(byName[w]) == 0 })
	for _, w := range words {
		found := byName[w]
		if found == nil && strings.HasSuffix(w, ".") {
			w = strings.TrimRight(w, ".")
			found = byName[w]
		}
		if found == nil || !joined(w) && !onlyNames {
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

// withNamed puts the tools that a query names among its hits. For lack of room others go, never one of them.
func withNamed(res rank.Result, docs []int, names []string, limit int) rank.Result {
	docs = docs[:min(len(docs), maxNamed)]
	if len(docs) == 0 {
		return res
	}
	score := 1.0
	if len(res.Hits) == 0 {
		res = rank.Result{Confidence: 1}
	} else {
		score = res.Hits[len(res.Hits)-1].Score
	}
	for _, doc := range docs {
		if !slices.ContainsFunc(res.Hits, func(h rank.Hit) bool { return h.Doc == doc }) {
			res.Hits = append(res.Hits, rank.Hit{Doc: doc, Score: score, Why: []string{"named"}})
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

// unshown says how many of the tools that a query names are not shown.
func unshown(named int) string {
	if named <= maxNamed {
		return ""
	}
	return strconv.Itoa(named-maxNamed) + " more of these names: name the server too"
}
