package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the length of the longest word that is kept, in bytes: longer ones are data.
const maxWord = 40

// Word is one word of a text.
type Word struct {
	Text string // lower case, without accents; empty for a compound that is too long
	Part bool   // a piece of the compound before it: git of GitHub
	Join bool   // a compound that is followed by its pieces
	Name bool   // written with a capital or digits: probably a name or a value
}

// Split calls emit for every word of text in order. Compounds are emitted whole and then in pieces:
// GitHub, git, hub. Scripts without spaces are emitted as characters, pairs of them and the word
// that known finds at the beginning of the rest; known may be nil.
func Split(text string, known func(rest string) string, emit func(Word)) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !IsLetter(r) {
			i += n
			continue
		}
		end := i + n
		for end < len(text) {
			r, n = utf8.DecodeRuneInString(text[end:])
			if !IsLetter(r) && !isInnerApostrophe(text, end, r, n) {
				break
			}
			end += n
		}
		splitRun(text[i:end], known, emit)
		i = end
	}
}

// IsLetter reports whether r belongs to a word: a letter, a digit or a mark on one.
func IsLetter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r))
}

// isInnerApostrophe reports whether r is an apostrophe inside a word.
func isInnerApostrophe(text string, at int, r rune, n int) bool {
	if r != '\'' && r != '’' || at+n >= len(text) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[at+n:])
	return unicode.IsLetter(next)
}

// splitRun emits a run of letters and digits.
func splitRun(run string, known func(string) string, emit func(Word)) {
	if i := strings.IndexAny(run, "'’"); i >= 0 {
		run = run[:i]
	}
	if run == "" || len(run) > maxWord*2 {
		return
	}
	if r, _ := utf8.DecodeRuneInString(run); Spaceless(r) {
		splitSpaceless(run, known, emit)
		return
	}
	whole := Fold(run)
	if len(whole) > maxWord {
		whole = ""
	}
	named := isNamed(run)
	end := len(run)
	if len(whole) == len(run) { // no accents, whose bytes could not be cut
		end = pieceEnd(run, 0)
	}
	emit(Word{Text: whole, Join: end < len(run), Name: named})
	if end == len(run) {
		return
	}
	for from := 0; from < len(run); {
		to := pieceEnd(run, from)
		if p := strings.ToLower(run[from:to]); len(p) > 1 {
			emit(Word{Text: p, Part: true, Name: named && Digits(p)})
		}
		from = to
	}
}

// pieceEnd returns the end of the piece of a compound that begins at i: the end of the subword, or the
// point where letters and digits meet, as in mp3.
func pieceEnd(run string, i int) int {
	end := Next(run, i)
	for k := i + 1; k < end; k++ {
		if isDigit(run[k]) != isDigit(run[k-1]) {
			return k
		}
	}
	return end
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Digits reports whether a word consists of digits.
func Digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// isNamed reports whether a word is written like a name or a value.
func isNamed(run string) bool {
	for i := 0; i < len(run); i++ {
		if isUpper(run[i]) || isDigit(run[i]) {
			return true
		}
	}
	return false
}

// Fold returns a word in lower case and without accents. In scripts without spaces, letters with
// marks are letters of their own and stay.
func Fold(s string) string {
	if r, _ := utf8.DecodeRuneInString(s); Spaceless(r) {
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

// Spaceless reports whether r belongs to a script that writes no spaces between words.
func Spaceless(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// splitSpaceless emits the characters of a run, each pair of neighbors and the longer words that
// known finds.
func splitSpaceless(run string, known func(string) string, emit func(Word)) {
	last := ""
	for i, r := range run {
		c := string(unicode.ToLower(r))
		if Spaceless(r) {
			emit(Word{Text: c, Part: true})
			if last != "" {
				emit(Word{Text: last + c})
			}
			if known != nil {
				if w := known(run[i:]); w != "" {
					emit(Word{Text: w})
				}
			}
		}
		last = c
	}
}
