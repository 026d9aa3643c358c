package docs

import (
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Bounds of a snippet, in bytes.
const (
	snippetSize = 240
	maxLine     = 4 << 10
)

// stops are words that say nothing of what is looked for.
var stops = words.Set(words.CommonStops())

// termsOf are the stems of the words of a query that carry meaning.
func termsOf(query string) map[string]bool {
	all, telling := map[string]bool{}, map[string]bool{}
	eachStem(query, func(word, stem string) {
		all[stem] = true
		if !stops[word] {
			telling[stem] = true
		}
	})
	if len(telling) == 0 {
		return all
	}
	return telling
}

// tells reports whether a query has a word that says what is looked for.
func tells(query string) (yes bool) {
	eachStem(query, func(word, _ string) { yes = yes || !stops[word] })
	return yes
}

func eachStem(text string, do func(word, stem string)) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !words.IsLetter(r) }) {
		w = words.Fold(w)
		do(w, string(words.Stem([]byte(w))))
	}
}

// snippet is the part of a text that holds most of the terms, word for word on one
// line: a line or sentence, with what follows while there is room.
func snippet(text string, terms map[string]bool) string {
	parts := pieces(text)
	best, most := 0, -1.0
	for i := range parts {
		if score := worth(parts[i:], terms); score > most {
			best, most = i, score
		}
	}
	var b strings.Builder
	for _, p := range parts[best:] {
		if b.Len() > 0 && b.Len()+len(p) > snippetSize {
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return contract.Shorten(b.String(), snippetSize)
}

// worth is how many terms a piece and what fits behind it hold; those at its beginning
// count more, for the end may be cut.
func worth(parts []string, terms map[string]bool) float64 {
	seen, size, score := map[string]bool{}, 0, 0.0
	for i, p := range parts {
		if size += len(p); i > 0 && size > snippetSize {
			break
		}
		eachStem(p, func(_, stem string) {
			if terms[stem] && !seen[stem] {
				seen[stem] = true
				score += 1 - 0.1*float64(min(i, 5))
			}
		})
	}
	return score
}

// pieces are the lines and sentences of a text, without the blank ones.
func pieces(text string) (out []string) {
	for l := range strings.Lines(text) {
		l = strings.Join(strings.Fields(l[:min(len(l), maxLine)]), " ")
		for l != "" {
			end := sentence(l)
			if p := strings.ToValidUTF8(strings.TrimSpace(l[:end]), ""); p != "" {
				out = append(out, p)
			}
			l = strings.TrimSpace(l[end:])
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// sentence is where the first sentence of a line ends.
func sentence(l string) int {
	for i := 0; i+2 < len(l); i++ {
		if strings.IndexByte(".!?", l[i]) >= 0 && l[i+1] == ' ' && !unicode.IsLower(rune(l[i+2])) && i > 20 {
			return i + 1
		}
	}
	return len(l)
}
