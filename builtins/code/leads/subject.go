package leads

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

//go:embed lists/kind_words.txt
var kindWordsList string

// kindWords ask for a kind of answer and do not describe the subject.
var kindWords = sync.OnceValue(func() map[string]bool { return words.Set(kindWordsList) })

// subjectStems returns the stems of a question's own words, except those that only say what kind of
// answer is wanted.
func subjectStems(question string) map[string]bool {
	out := map[string]bool{}
	for _, t := range coderank.Parse(question).Terms {
		if t.Of < 0 && t.Title+t.Body > 0 && t.Before == 0 && len(t.Word) > 1 && !kindWords()[t.Word] {
			out[t.Stem] = true
		}
	}
	return out
}

// stemsOf returns the stems of the words in a name or a title.
func stemsOf(name string) map[string]bool {
	out := map[string]bool{}
	words.Split(name, nil, func(w words.Word) { out[words.StemOf(strings.ToLower(w.Text))] = true })
	return out
}

// stemShare returns the share of the wanted stems that a text contains.
func stemShare(want map[string]bool, text string) float64 {
	have, n := stemsOf(text), 0
	for s := range want {
		if hasStem(have, s) {
			n++
		}
	}
	return float64(n) / float64(max(len(want), 1))
}

// hasStem reports whether have contains a stem, or a variant with another ending: discoveri for
// discovery, discover for discoverer. A common abbreviation matches too: auth for authentication.
func hasStem(have map[string]bool, stem string) bool {
	if have[stem] {
		return true
	}
	for h := range have {
		if short, long := min(len(h), len(stem)), max(len(h), len(stem)); short >= 6 && long-short <= 3 && h[:short] == stem[:short] || short >= 3 && h[:short] == stem[:short] && coderank.Synonymous(h, stem) {
			return true
		}
	}
	return false
}

// headStem returns the stem of the last word of the subject, which in English names the kind of
// thing.
func headStem(question string, want map[string]bool) string {
	head := ""
	for _, t := range coderank.Parse(question).Terms {
		if want[t.Stem] && t.Of < 0 && t.Title > 0 {
			head = t.Stem
		}
	}
	return head
}
