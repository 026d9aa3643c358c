package toolrank

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// maxClauses limits the parts that a request is cut into.
const maxClauses = 6

// joiners connect the parts of a request; the text after one is a new part if it begins like an
// order or a question.
var joiners = set(`and then also plus afterwards finally next`)

// followers come after a verb that begins an order: stage my changes, look for shoes.
var followers = set(`a an the my our your his her its their this that these those it them him me us all every each any some
	what which how who where when why if whether for at up down out in into on to from with of`)

// questions begin a question of their own.
var questions = set(`what which how who whose where when why whether is are do does can could`)

// splitClauses splits a request into the things that it asks for. A list of things stays whole: only the
// actions on them are separated.
func splitClauses(text string) []string {
	var out []string
	from := 0
	flush := func(to int) {
		if part := strings.Trim(text[from:to], " \t\r\n,;.?!"); part != "" {
			out = append(out, part)
		}
	}
	for at := 0; at < len(text) && len(out) < maxClauses-1; {
		end, hard := nextBoundary(text, at)
		if end < 0 {
			break
		}
		rest := text[end:]
		if hard || beginsClause(rest) {
			flush(at + joinersStart(text[at:end]))
			from = end
		}
		at = end
	}
	flush(len(text))
	return out
}

// nextBoundary returns the position where the next part of a text may begin, or -1, and whether a
// sentence ends before it.
func nextBoundary(text string, at int) (end int, hard bool) {
	for i := at; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n' || r == ';' || (r == '.' || r == '?' || r == '!') && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '"'):
			return i + n, true
		case r == ',' && i+1 < len(text) && text[i+1] == ' ':
			return skipJoiners(text, i+n), false
		case r == ' ':
			if w := firstWord(text[i+1:]); joiners[strings.ToLower(w)] {
				return skipJoiners(text, i+1), false
			}
		}
		i += n
	}
	return -1, false
}

// joinersStart returns the position where the joiners at the end of a text begin.
func joinersStart(text string) int {
	end := len(text)
	for {
		trimmed := strings.TrimRight(text[:end], " ,;.?!\n")
		i := strings.LastIndexByte(trimmed, ' ')
		if !joiners[strings.ToLower(trimmed[i+1:])] {
			return len(trimmed)
		}
		end = i + 1
		if end <= 0 {
			return 0
		}
	}
}

// skipJoiners returns the position of the next word that is not a joiner.
func skipJoiners(text string, at int) int {
	for {
		for at < len(text) && text[at] == ' ' {
			at++
		}
		w := firstWord(text[at:])
		if !joiners[strings.ToLower(w)] {
			return at
		}
		at += len(w)
	}
}

// firstWord returns the word that a text begins with.
func firstWord(text string) string {
	i := strings.IndexFunc(text, func(r rune) bool { return !words.IsLetter(r) && r != '\'' && r != '-' })
	if i < 0 {
		return text
	}
	return text[:i]
}

// beginsClause reports whether a text begins like an order or a question.
func beginsClause(text string) bool {
	first := firstWord(text)
	low := strings.ToLower(first)
	switch {
	case low == "" || followers[low] && !questions[low]:
		return false
	case questions[low]:
		return true
	case stopWords()[low]:
		return false
	}
	second := strings.ToLower(firstWord(strings.TrimLeft(text[len(first):], " ")))
	return followers[second] || actOf()[words.Root(low)] != 0 && second != ""
}
