package toolrank

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// The lists are described in their headers. They are read at the first search, because most
// processes search no tools.
var (
	//go:embed lists/synonyms.txt
	synonyms string
	//go:embed lists/topics.txt
	topics string
	//go:embed lists/everyday.txt
	everyday string
	//go:embed lists/kinds.txt
	kinds string
	//go:embed lists/foreign.txt
	foreign string
	//go:embed lists/stop.txt
	stopList string
	//go:embed lists/frame.txt
	frameList string
	//go:embed lists/plain_verbs.txt
	plainVerbList string
	//go:embed lists/acts.txt
	actList string
)

// stopWords carry no meaning: they are neither indexed nor searched for.
var stopWords = sync.OnceValue(func() map[string]bool { return words.Set(words.CommonStops(), stopList) })

// frameWords are how people ask, not what they ask for.
var frameWords = sync.OnceValue(func() map[string]bool { return words.Set(frameList) })

// plainVerbs say what to do, whatever it is done to.
var plainVerbs = sync.OnceValue(func() map[string]bool { return words.Set(plainVerbList) })

// set reads the words of a short list.
func set(list string) map[string]bool { return words.Set(list) }

// word is one word of a text as it is indexed.
type word struct {
	words.Word
	stem string
}

// splitWords calls emit for every word of text in order, including the words of the foreign list in
// scripts without spaces.
func splitWords(text string, emit func(word)) {
	words.Split(text, longWord, func(w words.Word) { emit(word{w, words.Root(w.Text)}) })
}

// longest is the maximum length in characters of a word in a script without spaces.
const longest = 10

// longWord returns the longest known word of more than two characters that a run without spaces
// begins with.
func longWord(run string) string {
	known, best := longWords(), ""
	for n, end := 1, 0; n <= longest && end < len(run); n++ {
		_, size := utf8.DecodeRuneInString(run[end:])
		if end += size; n > 2 && known[run[:end]] {
			best = run[:end]
		}
	}
	return best
}

// longWords are the words of such scripts in the foreign list that are more than
// a pair of characters.
var longWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for line := range words.Lines(foreign) {
		for w := range strings.FieldsSeq(line) {
			if list := []rune(w); words.Spaceless(list[0]) && len(list) > 2 {
				m[w] = true
			}
		}
	}
	return m
})
