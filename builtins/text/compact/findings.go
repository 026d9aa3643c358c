package compact

import "strings"

// class is what a line of the output of a test runner or a compiler is.
type class uint8

const (
	plain   class = iota
	passed        // a test or a file without a finding: counted, not shown
	dull          // progress: not shown
	detail        // belongs to a finding
	warned        // begins a warning
	near          // tells where a finding is
	place         // tells what was expected there
	verdict       // sums up
	finding       // begins a failure or an error
)

// worthOfClass is fitted by eye: a finding, its place and the verdict come before all else, whatever they name.
var worthOfClass = [...]float64{plain: 0, passed: -.1, dull: leave, detail: 1, warned: 2.5, near: 3, place: 6, verdict: 14, finding: 9}

const fewPassed = 24 // of what passed are shown where there is room

// shortenFindings keeps failures and errors whole, counts what passed, and fills what room is left with other lines.
// find gives each line its class and the line that it stands below, as it gives those of layouts; name is
// what findings are called where they are counted.
func (s *shortener) shortenFindings(text string, bytes int, name string, find func([]string) ([]class, []int32)) Summary {
	lines := strings.Split(text, "\n")
	classes, over := find(lines)
	var count [finding + 1]int
	l := &layout{over: over, indents: true, strict: true}
	found := part{name: name}
	for k, c := range classes {
		count[c]++
		if c == finding {
			found.heads = append(found.heads, k)
		}
	}
	if count[finding]+count[warned]+count[verdict]+count[passed] == 0 {
		return s.shortenLines(Prose, text, bytes)
	}
	if name != "" {
		l.parts = []part{found}
		if of := headFiles(lines, classes); len(of.heads) > 1 {
			l.parts = append(l.parts, of)
		}
		bytes -= partNote * len(l.parts)
	}
	shown := 0
	s.layout = l
	p := s.weigh(lines, over, func(k int, line string) float64 {
		own := worthOfClass[classes[k]]
		if classes[k] == passed {
			if count[finding] > 0 {
				own = fillsOut
			}
			if shown++; shown > fewPassed && len(s.subject.in(line)) == 0 {
				own = leave
			}
		}
		if own == leave {
			return own
		}
		return own + worthOfLine(line)
	})
	p.mostOfAtoms, p.alike, p.mostAbove, p.strict = 1.5, alikeInLogs, mostOver, true
	for room := bytes; ; {
		chosen := p.pick(room)
		left := count[passed]
		for k, i := range chosen {
			if line := p.units[i].line; classes[line] == passed && (k == 0 || p.units[chosen[k-1]].line != line) {
				left--
			}
		}
		out := p.join(chosen)
		if left > 0 {
			said := note("%v of the %v that passed", left, count[passed])
			if s.part || left == count[passed] {
				said = note("%s passed", s.count(left))
			}
			out = said + "\n" + out
		}
		if len(out) <= bytes || room < bytes/2 {
			return Summary{Text: out, Units: len(lines), Kept: p.linesOf(chosen), left: l.left(p, chosen), lined: true}
		}
		room -= max(len(out)-bytes, bytes/50+1)
	}
}

// headFiles are the lines that name a file for the findings below it.
func headFiles(lines []string, classes []class) part {
	p := part{name: "files"}
	for k, c := range classes {
		if c == place && namesFile(lines[k]) && lines[k] == strings.TrimSpace(lines[k]) {
			p.heads = append(p.heads, k)
		}
	}
	return p
}

// hasPrefix reports whether a line begins with one of the prefixes.
func hasPrefix(line string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}
