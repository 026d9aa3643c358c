package answer

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// span is a stretch of a text, in bytes.
type span struct{ start, end int }

//go:embed lists/abbreviations.txt
var abbreviationList string

// abbreviations are words after which a period does not end a sentence, without their periods, in
// lower case.
var abbreviations = sync.OnceValue(func() map[string]bool { return words.Set(abbreviationList) })

// Marks that end a sentence: those that need white space after them, and those of scripts written
// without it.
const (
	spacedEnds = ".!?…؟۔։።।॥"
	wideEnds   = "。！？｡"
	closers    = "\"'”’»)]}*_`」』）】》〉"
)

// maxSentence is the maximum length of a sentence, in bytes; a longer one is cut between words.
const maxSentence = 2 << 10

// splitSentences splits a paragraph at the ends of its sentences. Code between backticks, versions,
// addresses and abbreviations hold periods that end nothing. The spans are trimmed, in order, and
// hold all text except white space.
func splitSentences(text string, from, to int) []span {
	var out []span
	add := func(start, end int) {
		for start < end {
			stop := end
			if stop-start > maxSentence {
				stop = wordEnd(text, start, start+maxSentence)
			}
			if s := trim(text, start, stop); s.start < s.end {
				out = append(out, s)
			}
			start = stop
		}
	}
	start, tick := from, 0 // tick is where the open code ends
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(text[i:to])
		switch {
		case i < tick:
		case r == '`':
			run := i
			for run < to && text[run] == '`' {
				run++
			}
			tick, n = codeEnd(text, i, run, to), run-i
		case strings.ContainsRune(wideEnds, r):
			end := skipClosers(text, i+n, to)
			add(start, end)
			start, n = end, end-i
		case strings.ContainsRune(spacedEnds, r):
			end := skipClosers(text, i+n, to)
			if end == to || endsSentence(text, start, i, end, to, r) {
				add(start, end)
				start = end
			}
			n = end - i
		}
		i += max(n, 1)
	}
	add(start, to)
	return out
}

// maxTick is how far the end of code between backticks is searched for, in bytes.
const maxTick = 200

// codeEnd returns the end of the code that a run of backticks opens, or the end of the run if
// nothing closes it nearby.
func codeEnd(text string, from, run, to int) int {
	mark := text[from:run]
	if i := strings.Index(text[run:min(to, run+maxTick)], mark); i >= 0 {
		return run + i + len(mark)
	}
	return run
}

// skipClosers returns the end of the marks and closing brackets that follow the end of a
// sentence.
func skipClosers(text string, i, to int) int {
	for i < to {
		r, n := utf8.DecodeRuneInString(text[i:to])
		if r == ' ' || r == '\u00a0' || r == '\u202f' { // French sets a space before its closing mark
			if rest := text[i+n : to]; strings.HasPrefix(rest, "»") {
				i += n + len("»")
				continue
			}
		}
		if !strings.ContainsRune(closers, r) && !strings.ContainsRune(spacedEnds+wideEnds, r) {
			return i
		}
		i += n
	}
	return i
}

// endsSentence reports whether a sentence ends at a mark: white space follows, and then text that can open
// a sentence.
func endsSentence(text string, start, mark, end, to int, r rune) bool {
	next := end
	for next < to && isSpace(text[next]) {
		next++
	}
	if next == end {
		return false
	}
	if next == to {
		return true
	}
	first, _ := utf8.DecodeRuneInString(text[next:to])
	if unicode.IsLower(first) || strings.ContainsRune(",;:", first) {
		return false
	}
	return r != '.' || !isAbbreviation(text, start, mark, first)
}

// isAbbreviation reports whether the period at mark belongs to the word before it.
func isAbbreviation(text string, start, mark int, next rune) bool {
	word := mark
	for word > start && mark-word < 24 && !isSpace(text[word-1]) && !strings.ContainsRune("([", rune(text[word-1])) {
		word--
	}
	w := strings.ToLower(strings.TrimLeft(text[word:mark], "*_\"'"))
	if utf8.RuneCountInString(w) == 1 {
		r, _ := utf8.DecodeRuneInString(w)
		return unicode.IsLetter(r) && !words.Spaceless(r) || unicode.IsDigit(r) && word == start // an initial; the number of an item
	}
	if w == "etc" || w == "usw" { // these end sentences too
		return !unicode.IsUpper(next)
	}
	return abbreviations()[strings.ReplaceAll(w, ".", "")]
}

// wordEnd returns the last position up to limit after white space, or else one where a character
// begins.
func wordEnd(text string, start, limit int) int {
	if i := strings.LastIndexAny(text[start:limit], " \t\n"); i > 0 {
		return start + i + 1
	}
	if at := charBoundary(text, limit); at > start {
		return at
	}
	return limit
}

// trim returns a span without the white space around it.
func trim(text string, start, end int) span {
	for start < end && isSpace(text[start]) {
		start++
	}
	for end > start && isSpace(text[end-1]) {
		end--
	}
	return span{start, end}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
