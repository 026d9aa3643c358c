package rank

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the longest word that is kept, in bytes: longer ones are data.
const maxWord = 40

// word is one word of a text as it is indexed.
type word struct {
	text string // lower case, without accents
	stem string
	part bool // a piece of the compound before it: git of GitHub
	join bool // a compound with pieces after it
	name bool // written with a capital or digits: likely a name or a value
}

// split calls emit for every word of text in order. Compounds come whole and
// then in their pieces: GitHub, git, hub. Scripts without spaces come as
// characters and pairs of them.
func split(text string, emit func(word)) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !letter(r) {
			i += n
			continue
		}
		end := i + n
		for end < len(text) {
			r, n = utf8.DecodeRuneInString(text[end:])
			if !letter(r) && !inner(text, end, r, n) {
				break
			}
			end += n
		}
		splitRun(text[i:end], emit)
		i = end
	}
}

func letter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r))
}

// inner reports an apostrophe inside of a word.
func inner(text string, at int, r rune, n int) bool {
	if r != '\'' && r != '’' || at+n >= len(text) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[at+n:])
	return unicode.IsLetter(next)
}

// splitRun emits a run of letters and digits.
func splitRun(run string, emit func(word)) {
	if i := strings.IndexAny(run, "'’"); i >= 0 {
		run = run[:i]
	}
	if run == "" || len(run) > maxWord*2 {
		return
	}
	if r, _ := utf8.DecodeRuneInString(run); spaceless(r) {
		splitSpaceless(run, emit)
		return
	}
	whole := fold(run)
	if len(whole) > maxWord {
		whole = ""
	}
	named := named(run)
	ascii := len(whole) == len(run)
	var bounds []int
	if ascii {
		bounds = pieces(run)
	}
	emit(word{text: whole, stem: root(whole), join: len(bounds) > 0, name: named})
	if len(bounds) == 0 {
		return
	}
	from := 0
	for _, to := range append(bounds, len(run)) {
		if p := strings.ToLower(run[from:to]); len(p) > 1 {
			emit(word{text: p, stem: root(p), part: true, name: named && digits(p)})
		}
		from = to
	}
}

// pieces are the offsets at which a compound is cut: fooBar, HTTPServer, mp3.
func pieces(run string) []int {
	var out []int
	for i := 1; i < len(run); i++ {
		a, b := run[i-1], run[i]
		switch {
		case upper(b) && !upper(a),
			upper(a) && upper(b) && i+1 < len(run) && run[i+1] >= 'a' && run[i+1] <= 'z',
			digit(a) != digit(b):
			if len(out) == 0 || out[len(out)-1] != i {
				out = append(out, i)
			}
		}
	}
	return out
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// named reports a word that is written as a name or a value is.
func named(run string) bool {
	for i := 0; i < len(run); i++ {
		if upper(run[i]) || digit(run[i]) {
			return true
		}
	}
	return false
}

// fold brings a word to lower case without accents. What scripts without spaces
// write with marks are letters of their own.
func fold(s string) string {
	if r, _ := utf8.DecodeRuneInString(s); spaceless(r) {
		return s
	}
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

// spaceless reports a script that writes no spaces between its words.
func spaceless(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// splitSpaceless emits the characters of a run, each pair of neighbours and the
// longer words that the foreign list knows.
func splitSpaceless(run string, emit func(word)) {
	last := ""
	for i, r := range run {
		c := string(unicode.ToLower(r))
		if spaceless(r) {
			emit(word{text: c, stem: c, part: true})
			if last != "" {
				emit(word{text: last + c, stem: last + c})
			}
			if w := longWord(run[i:]); w != "" {
				emit(word{text: w, stem: w})
			}
		}
		last = c
	}
}

// longWord is the longest known word of more than two characters that a run
// without spaces begins with.
func longWord(run string) string {
	end := len(run)
	n := 0
	for i := range run {
		if n++; n > longest+1 {
			end = i
			break
		}
	}
	for run = run[:end]; utf8.RuneCountInString(run) > 2; {
		if longWords()[run] {
			return run
		}
		_, size := utf8.DecodeLastRuneInString(run)
		run = run[:len(run)-size]
	}
	return ""
}

// longest is how many characters a word of a script without spaces has at most.
const longest = 10

// longWords are the words of such scripts in the foreign list that are more than
// a pair of characters.
var longWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(foreign) {
		if r, _ := utf8.DecodeRuneInString(w); spaceless(r) && utf8.RuneCountInString(w) > 2 {
			m[w] = true
		}
	}
	return m
})
