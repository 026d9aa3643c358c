package compact

import (
	"math"
	"strings"
)

// Weights of lines of logs.
const (
	alikeLog   = .6  // what a line is worth for each one like it that was kept
	logFault   = 3   // for a line that tells of a fault, besides what it is worth anywhere
	rareLine   = .5  // for a line like no other
	fewLines   = .2  // for one like few others
	lastOfLog  = 2   // lines that tell how it stands
	maxLog     = 4   // such a part of a summary is the longest line of a log
	minLongest = 300 // bytes, in a small one
	minLike    = 2   // lines of a template that are left out are counted from here
)

// Of many lines that differ in numbers and durations alone a few are shown.
const (
	manyLike = 8
	fewIdle  = 3 // and the last
)

// namesMore reports whether a line names something that no number or duration is.
func namesMore(line string) bool {
	found := false
	eachAtom(line, func(a string, w float64) { found = found || w >= atomMixed && !isDigit(a[0]) })
	return found
}

var alikeInLogs = powers(64, func(n float64) float64 { return math.Pow(alikeLog, n) })

// shortenLog keeps of lines that differ in numbers only the first ones, with how many more there are; lines that tell
// of a fault and lines like no other come first.
func (s *shortener) shortenLog(text string, bytes int) Summary {
	lines := strings.Split(text, "\n")
	clipLongest(&s.subject, lines, bytes)
	like, faults := make([]uint64, len(lines)), make([]bool, len(lines))
	count, last := map[uint64]int{}, map[uint64]int{}
	for k, l := range lines {
		like[k], faults[k] = logTemplate(l), tellsError(l)
		if faults[k] { // like no line that is in order, whatever else they share
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
	seen := map[string]int{} // the line that says it first
	idle := map[uint64]int{} // lines that tell no more than others like them
	for i := range p.units {
		line := p.units[i].line
		if first, ok := seen[lines[line]]; !ok {
			seen[lines[line]] = line
		} else if first != line {
			p.units[i].again = true // counting it says as much
		}
		if first := i == 0 || p.units[i-1].line != p.units[i].line; first {
			p.units[i].like = like[line]
			if count[like[line]] >= manyLike && !namesMore(lines[line]) && len(s.subject.in(lines[line])) == 0 {
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

// clipLongest cuts lines in their middle that would take more than a part of a summary, where the subject names nothing in
// them.
func clipLongest(s *subject, lines []string, bytes int) {
	for k, l := range lines {
		if most := max(bytes/maxLog, minLongest); len(l) > most && len(s.in(l)) == 0 {
			lines[k] = clip(l, most)
		}
	}
}

// worthOfCount returns what a line is worth that is like so many.
func worthOfCount(n int) float64 {
	switch {
	case n == 1:
		return rareLine
	case n <= 3:
		return fewLines
	}
	return 0
}

// countAlike gives the note behind the last kept line of a template: how many like it were left out.
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

// variesBy reports whether a byte of a line is one that words which differ from line to line have.
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

// isWord reports whether a text is letters alone, quoted or not.
func isWord(t string) bool {
	t = strings.Trim(t, `"`)
	for i := range len(t) {
		if runClass[t[i]] == 0 || isDigit(t[i]) {
			return false
		}
	}
	return t != ""
}

// logTemplate hashes a line so that lines are equal whose words are: what holds a digit or a mark inside, behind an
// equals sign or in quotation marks, is read as one for another. A word behind the name of what decides is not.
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
