package compact

import (
	"fmt"
	"strconv"
	"strings"
)

// A note is what a summary says in its own words: what was left out, and how much. It begins with a bracket and an
// omission mark, "[… 1,204 more lines like it]", or is just a count, "[40 rows]", so it cannot be mistaken for the
// source. Faithful takes its numbers for counts if a word of lists/notes.txt follows, or if they are in parentheses;
// everything else in it must occur in the source as usual.

// note formats a note of what was left out. Integers are written with commas, so their verb is %v.
func note(format string, args ...any) string {
	for i, a := range args {
		if n, ok := a.(int); ok {
			args[i] = withCommas(n)
		}
	}
	text := fmt.Sprintf(format, args...)
	if rest, one := strings.CutPrefix(text, "1 "); one && !strings.HasPrefix(rest, "of ") {
		for _, w := range []string{"frames", "files", "lines", "members", "rows", "hits", "paths", "names", "items", "others"} {
			rest = strings.Replace(rest, w, w[:len(w)-1], 1)
		}
		text = "1 " + rest
	}
	return "[… " + text + "]"
}

// withCommas formats a number with commas between its thousands.
func withCommas(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// maxNote is the maximum length of a note.
const maxNote = 2000

// nextNote returns where the first note of a line begins and ends; both are the end of the line if there is none.
func nextNote(line string) (at, end int) {
	for i := 0; i < len(line); i++ {
		if line[i] != '[' {
			continue
		}
		k := strings.IndexByte(line[i:min(len(line), i+maxNote)], ']')
		if k < 0 {
			continue
		}
		if in := line[i+1 : i+k]; strings.HasPrefix(in, omission+" ") || countAlone(in) {
			return i, i + k + 1
		}
	}
	return len(line), len(line)
}

// countAlone reports whether a text is a number and a word that notes count with.
func countAlone(in string) bool {
	n, word, ok := strings.Cut(in, " ")
	return ok && n != "" && strings.Trim(n, "0123456789,") == "" && isNoteWord(word)
}

// isOwnCount reports whether a token of a note is one of our own counts.
func isOwnCount(note string, t token) bool {
	if strings.Trim(t.text, "0123456789,") != "" {
		return false
	}
	end := t.at + len(t.text)
	if t.at > 1 && note[t.at-2] == ' ' && (note[t.at-1] == '+' || note[t.at-1] == '-') { // changed lines of a file, as git counts them
		return true
	}
	if t.at > 0 && end < len(note) && note[t.at-1] == '(' && note[end] == ')' {
		return true
	}
	word := strings.TrimLeft(note[end:], " ")
	n := 0
	for n < len(word) && isLower(word[n]) {
		n++
	}
	return word != note[end:] && isNoteWord(word[:n])
}

func isNoteWord(w string) bool { return noteWords[w] || noteWords[w+"s"] }
