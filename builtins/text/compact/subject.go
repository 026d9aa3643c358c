package compact

import (
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// subject is the topic of a conversation, as words to look for.
type subject struct {
	words wordSet
	raw   string          // the text of the words
	known map[string]bool // names that the model has seen
	asked bool            // there is a task
}

var stops = words.Set(words.CommonStops(), extraStops)

// readSubject collects the words of a task and of a call's arguments, and the names that were known before.
func readSubject(from Subject) subject {
	s := subject{words: newWordSet(), known: map[string]bool{}, asked: strings.TrimSpace(from.Task) != "", raw: cut(from.Task+" "+from.Arguments, 16<<10)}
	for _, w := range strings.FieldsFunc(strings.ToLower(from.Task+" "+from.Arguments), noName) {
		s.add(w)
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return r == '-' || r == '_' }) {
			if len(part) > 3 {
				s.add(part)
			}
		}
	}
	for _, text := range []string{from.Task, from.Arguments, from.Known} {
		eachAtom(text, func(a string, _ float64) { s.known[a] = true })
	}
	return s
}

func (s *subject) add(w string) {
	if len(w) > 2 && !stops[w] && !words.Digits(w) {
		s.words.add(w)
	}
}

func noName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
}
