package docs

import (
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// These bound a snippet, in bytes.
const (
	snippetSize = 240
	maxLine     = 4 << 10
)

// stops are words that do not identify a subject.
var stops = words.Set(words.CommonStops())

// termsOf returns the stems of the query's significant words, or of all words if there are only stop words.
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

// hasSubject reports whether a query has a significant word.
func hasSubject(query string) (yes bool) {
	eachStem(query, func(word, _ string) { yes = yes || !stops[word] })
	return yes
}

func eachStem(text string, do func(word, stem string)) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !words.IsLetter(r) }) {
		w = words.Fold(w)
		do(w, string(words.Stem([]byte(w))))
	}
}

// snippet returns the part of a text with the most terms, word for word on one line: a line or
// sentence, and the following ones while there is room.
func snippet(text string, terms map[string]bool) string {
	parts := splitPieces(text)
	best, most := 0, -1.0
	for i := range parts {
		if score := scorePieces(parts[i:], terms); score > most {
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

// scorePieces scores a piece and the following ones that fit by their number of terms; early terms count
// more, as the end may be cut.
func scorePieces(parts []string, terms map[string]bool) float64 {
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

// splitPieces splits a text into lines and sentences, without blank ones.
func splitPieces(text string) (out []string) {
	for l := range strings.Lines(text) {
		l = strings.Join(strings.Fields(l[:min(len(l), maxLine)]), " ")
		for l != "" {
			end := firstSentenceEnd(l)
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

// firstSentenceEnd returns where the first sentence of a line ends.
func firstSentenceEnd(l string) int {
	for i := 0; i+2 < len(l); i++ {
		if strings.IndexByte(".!?", l[i]) >= 0 && l[i+1] == ' ' && !unicode.IsLower(rune(l[i+2])) && i > 20 {
			return i + 1
		}
	}
	return len(l)
}
