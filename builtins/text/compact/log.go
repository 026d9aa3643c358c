package compact

import (
	"math"
	"strings"
)

// Weights of lines of logs.
const (
	alikeLog   = .6  // the share of its worth that a line keeps for each similar one that was kept
	logFault   = 3   // for a line that reports a fault, in addition to its usual worth
	rareLine   = .5  // for a line unlike any other
	fewLines   = .2  // for a line with few similar ones
	lastOfLog  = 2   // last lines, which tell the current state
	maxLog     = 4   // the longest line of a log takes at most 1/maxLog of a summary
	minLongest = 300 // bytes, in a small summary
	minLike    = 2   // similar lines that are left out are counted from here
)

// Of many lines that differ only in numbers and durations a few are shown.
const (
	manyLike = 8
	fewIdle  = 3 // plus the last one
)

// namesMore reports whether a line names something other than a number or a duration.
func namesMore(line string) bool {
	found := false
	eachAtom(line, func(a string, w float64) { found = found || w >= atomMixed && !isDigit(a[0]) })
	return found
}

var alikeInLogs = powers(64, func(n float64) float64 { return math.Pow(alikeLog, n) })

// shortenLog keeps only the first of lines that differ only in numbers, with the number of the others; lines that
// report a fault and lines unlike any other come first.
func (s *shortener) shortenLog(text string, bytes int) Summary {
	lines := strings.Split(text, "\n")
	clipLongest(&s.subject, lines, bytes)
	like, faults := make([]uint64, len(lines)), make([]bool, len(lines))
	count, last := map[uint64]int{}, map[uint64]int{}
	for k, l := range lines {
		like[k], faults[k] = logTemplate(l), tellsError(l)
		if faults[k] { // never similar to a line without a fault, whatever else they share
			like[k]++
		}
		count[like[k]]++
		last[like[k]] = k
	}
	p := s.weigh(lines, nil, func(k int, line string) float64 {
		own := worthOfLine(line) + worthOfCount(count[like[k]])
		if faults[k] {
			own += logFault
		}
		if k >= len(lines)-lastOfLog {
			own += logFault
		}
		return own
	})
	p.alike = alikeInLogs
	seen := map[string]int{} // the first line with the same text
	idle := map[uint64]int{} // lines that say no more than similar ones
	for i := range p.units {
		line := p.units[i].line
		if first, ok := seen[lines[line]]; !ok {
			seen[lines[line]] = line
		} else if first != line {
			p.units[i].again = true // a count says as much
		}
		if first := i == 0 || p.units[i-1].line != p.units[i].line; first {
			p.units[i].like = like[line]
			if count[like[line]] >= manyLike && !namesMore(lines[line]) && len(s.subject.wordsOf(lines[line])) == 0 {
				idle[like[line]]++
				p.units[i].again = p.units[i].again || idle[like[line]] > fewIdle && line != last[like[line]]
			}
		}
	}
	var out string
	var chosen []int32
	for room := bytes; ; room -= max(len(out)-bytes, bytes/50+1) {
		chosen = p.pick(room)
		out = p.joinWith(chosen, nil, s.countAlike(p, chosen, lines, like))
		if len(out) <= bytes || room < bytes/2 {
			return Summary{Text: out, Units: len(lines), Kept: p.linesOf(chosen)}
		}
	}
}

// clipLongest cuts the middle out of lines that would take more than a share of a summary, unless the subject names
// something in them.
func clipLongest(s *subject, lines []string, bytes int) {
	for k, l := range lines {
		if most := max(bytes/maxLog, minLongest); len(l) > most && len(s.wordsOf(l)) == 0 {
			lines[k] = clipMiddle(l, most)
		}
	}
}

// worthOfCount returns the worth of a line that occurs n times in similar form.
func worthOfCount(n int) float64 {
	switch {
	case n == 1:
		return rareLine
	case n <= 3:
		return fewLines
	}
	return 0
}

// countAlike returns a function for the note after the last kept line of a template: how many others were left out.
func (s *shortener) countAlike(p *picker, chosen []int32, lines []string, like []uint64) func(int32) string {
	left, all := map[uint64]int{}, map[uint64]int{}
	for k := range lines {
		left[like[k]]++
		all[like[k]]++
	}
	last := map[uint64]int32{}
	for k, i := range chosen {
		line := p.units[i].line
		if k == 0 || p.units[chosen[k-1]].line != line {
			left[like[line]]--
		}
		last[like[line]] = i
	}
	return func(i int32) string {
		l := like[p.units[i].line]
		if last[l] != i || left[l] < minLike {
			return ""
		}
		return " " + s.noteLike(left[l], all[l])
	}
}

// variesBy reports whether the byte at i marks a word that differs from line to line.
func variesBy(line string, i int) bool {
	switch c := line[i]; c {
	case '/', '@', '_', '"':
		return true
	case ':', '.':
		return i+1 < len(line) && line[i+1] != ' '
	default:
		return isDigit(c)
	}
}

// isWord reports whether a text consists of letters only, quoted or not.
func isWord(t string) bool {
	t = strings.Trim(t, `"`)
	for i := range len(t) {
		if runClass[t[i]] == 0 || isDigit(t[i]) {
			return false
		}
	}
	return t != ""
}

// logTemplate hashes a line so that lines with the same words are equal: a word with a digit or a mark inside, after an
// equals sign or in quotation marks, counts as a placeholder, unless it follows the name of a deciding field.
func logTemplate(line string) uint64 {
	const most = 40
	h := fnvOffset
	n := 0
	for i := 0; i < len(line) && n < most; {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		start, varies, decides := i, false, false
		for ; i < len(line) && line[i] != ' ' && line[i] != '\t'; i++ {
			switch c := line[i]; {
			case c != '=' && variesBy(line, i):
				varies = true
			case c == '=', c == '(' && i > start:
				for _, c := range []byte(line[start : i+1]) {
					h = (h ^ uint64(c)) * fnvPrime
				}
				decides = c == '=' && deciding[line[start:i]]
				start, varies = i+1, true
			}
		}
		n++
		if varies && !(decides && isWord(line[start:i])) {
			h = (h ^ '0') * fnvPrime
			continue
		}
		for _, c := range []byte(line[start:i]) {
			h = (h ^ uint64(c)) * fnvPrime
		}
		h = (h ^ ' ') * fnvPrime
	}
	return h
}
