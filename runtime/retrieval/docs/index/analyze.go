package index

import (
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// gramSize is the length of a sequence of characters, in characters.
const gramSize = 4

// stops are words that occur in questions but not as their subject.
var stops = words.Set(words.CommonStops())

// eachWord calls emit for the words of a text in order, in lower case. A name such as getUserName
// is one word, since its pieces would count twice; the n-grams find them. Scripts without spaces
// come as characters and pairs of characters.
func eachWord(text string, emit func(word string)) {
	words.Split(text, nil, func(w words.Word) {
		if w.Text == "" {
			return
		}
		if w.Part {
			if r, _ := utf8.DecodeRuneInString(w.Text); !words.Spaceless(r) {
				return
			}
		}
		emit(w.Text)
	})
}

// plain collects the words that sequences of characters are taken from: words that carry meaning,
// with one space around each, so that a sequence across a space tells which words are adjacent.
type plain []byte

func (p plain) withWord(word string) plain {
	if stops[word] {
		return p
	}
	return append(append(p, word...), ' ')
}

// eachGram calls emit for each sequence of gramSize characters of a text.
func eachGram(text []byte, emit func(gram []byte)) {
	var starts [gramSize]int // start offsets of the last characters
	n := 0
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRune(text[i:])
		if n >= gramSize {
			emit(text[starts[n%gramSize]:i])
		}
		starts[n%gramSize] = i
		n++
		i += size
	}
	if n >= gramSize {
		emit(text[starts[n%gramSize]:])
	}
}
