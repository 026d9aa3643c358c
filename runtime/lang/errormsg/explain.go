package errormsg

import "strings"

// Fit tells how much of a message a literal accounts for.
type Fit struct {
	Letters int     // of the message that are in the literal
	Marks   int     // its other characters in the literal, without blanks
	Of      float64 // share of the literal's letters that are in the message
	Whole   float64 // share of the message that the literal's text and gaps cover
}

// Score orders fits: best is a literal that covers much of the message and has little else.
func (f Fit) Score() float64 { return (float64(f.Letters) + .3*float64(f.Marks)) * f.Of * f.Of }

// Explain matches the runs of a literal with a message one after the other, with any text in the gaps.
func (l Literal) Explain(m string) Fit {
	total, matched, marks, first, pos, said := 0, 0, 0, -1, 0, 0
	for _, p := range l.Pieces {
		n := countLetters(p)
		total += n
		at, size := findRun(m[pos:], p)
		if at < 0 {
			continue
		}
		if first < 0 {
			first = pos + at
		}
		got := countLetters(m[pos+at : pos+at+size])
		matched += got
		marks += len(strings.ReplaceAll(m[pos+at:pos+at+size], " ", "")) - got
		said = pos + at + size
		pos = said
	}
	if matched == 0 || total == 0 {
		return Fit{}
	}
	span := countLetters(m[first:said])
	return Fit{Letters: matched, Marks: marks, Of: min(1, float64(matched)/float64(total)), Whole: float64(span) / float64(max(1, countLetters(m)))}
}

// findRun searches for a run in the rest of a message: unchanged, without blanks and punctuation at its ends, or as far as
// the message was cut short.
func findRun(m, piece string) (at, size int) {
	if at = strings.Index(m, piece); at >= 0 && (at < 80 || countLetters(piece) > 0) {
		return at, len(piece)
	}
	if countLetters(piece) == 0 {
		return -1, 0 // a colon is not informative
	}
	if rest := strings.TrimSpace(m); len(rest) < len(piece) && countLetters(rest) >= minPart && strings.Contains(piece, rest) {
		return strings.Index(m, rest), len(rest) // the message ends early
	}
	bare := strings.Trim(piece, " .,:;!")
	if at = strings.Index(m, bare); at >= 0 && countLetters(bare) > 0 && isWholeWord(m, at, len(bare)) {
		return at, len(bare)
	}
	words := strings.Fields(bare)
	if len(words) < 3 {
		return -1, 0
	}
	// The longest run of words from the beginning or to the end of the piece: the rest was cut off, or is on another line.
	for n := len(words) - 1; n >= max(2, len(words)/3); n-- {
		if s := strings.Join(words[:n], " "); len(s) >= 8 {
			if at = strings.Index(m, s); at >= 0 {
				return at, len(s)
			}
		}
		if s := strings.Join(words[len(words)-n:], " "); len(s) >= 8 {
			if at = strings.Index(m, s); at >= 0 {
				return at, len(s)
			}
		}
	}
	return -1, 0
}

// minPart is how many letters of a message identify the longer literal that they are from.
const minPart = 30

// isWholeWord reports whether the n bytes at an offset are not part of a longer word.
func isWholeWord(m string, at, n int) bool {
	return (at == 0 || !isWordByte(m[at-1]) || !isWordByte(m[at])) && (at+n == len(m) || !isWordByte(m[at+n]) || !isWordByte(m[at+n-1]))
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// Words returns the words of a message that may be in a literal, in order, and runs, its pairs of neighboring words, as
// written.
func Words(m string) (words, runs []string) {
	seen := map[string]bool{}
	last, lastEnd := "", 0
	for i := 0; i < len(m); {
		if !isWordByte(m[i]) {
			i++
			continue
		}
		from := i
		for i < len(m) && isWordByte(m[i]) {
			i++
		}
		w := m[from:i]
		if last != "" && from-lastEnd <= 3 {
			if run := m[lastEnd-len(last) : i]; !seen[run] {
				seen[run] = true
				runs = append(runs, run)
			}
		}
		last, lastEnd = w, i
		if len(w) >= 3 && !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words, runs
}
