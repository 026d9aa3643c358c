package compact

import (
	"fmt"
	"slices"
	"strings"
)

// class is the role of a line in the output of a test runner or a compiler.
type class uint8

const (
	plain   class = iota
	passed        // a passing test: counted, not shown
	skipped       // a test that did not run, likewise
	suite         // a file or package of passing tests
	dull          // progress: not shown
	detail        // belongs to a finding
	warned        // begins a warning
	near          // says where a finding is
	place         // says what was expected there
	verdict       // sums up a run
	finding       // begins a failure or an error
)

// worthOfClass is set by hand: a finding, its place and the verdict come before everything else, whatever they name.
var worthOfClass = [...]float64{plain: 0, passed: -.1, skipped: -.1, suite: -.1, dull: leave, detail: 1, warned: 2.5, near: 3, place: 6, verdict: 14, finding: 9}

const (
	fewPassed = 24 // shown of what passed, if there is room
	fewBeside = 3  // shown next to failures
)

// shortenFindings keeps failures and errors whole, counts what passed, and fills the remaining space with other lines.
// find returns the class and the parent of each line; name is the plural that findings are counted under, "" for no
// count.
func (s *shortener) shortenFindings(text string, bytes int, name string, find func([]string) ([]class, []int32)) Summary {
	lines := strings.Split(text, "\n")
	classes, over := find(lines)
	var count classCounts
	for _, c := range classes {
		count[c]++
	}
	if count[finding]+count[warned]+count[verdict]+count[passed]+count[skipped]+count[suite] == 0 {
		return s.shortenLines(Prose, text, bytes)
	}
	l := &layout{over: over, indents: true, strict: true}
	var places map[int]string
	if name != "" {
		found, of := headsOf(name, classes), headFiles(lines, classes)
		places, found.folded = s.foldAlike(lines, classes, over, bytes)
		l.parts = []part{found}
		switch {
		case len(of.heads) < 2:
		case len(places) > 0: // they name files that are not shown
			l.parts[0].name += " of " + withCommas(len(of.heads)) + " files"
		default:
			l.parts = append(l.parts, of)
		}
		bytes -= partNote * len(l.parts)
	}
	s.layout = l
	p := s.weigh(lines, over, s.worthOfFindings(classes, count))
	p.notes, p.mostOfAtoms, p.alike, p.mostAbove, p.strict = places, 1.5, alikeInLogs, maxOver, true
	p.firm = worthOfClass[finding] // failures come before warnings, even similar ones
	for room := bytes; ; {
		chosen := p.pick(room)
		left := count
		for k, i := range chosen {
			if line := p.units[i].line; k == 0 || p.units[chosen[k-1]].line != line {
				left[classes[line]]--
			}
		}
		out := p.joinWith(chosen, p.behindFindings(chosen, places), nil)
		out = s.notePassed(left, count) + out
		if len(out) <= bytes || room < bytes/2 {
			return Summary{Text: out, Units: len(lines), Kept: p.linesOf(chosen), left: l.leftParts(p, chosen), lined: true}
		}
		room -= max(len(out)-bytes, bytes/50+1)
	}
}

// headsOf returns the findings as a part to count.
func headsOf(name string, classes []class) part {
	p := part{name: name}
	for k, c := range classes {
		if c == finding {
			p.heads = append(p.heads, k)
		}
	}
	return p
}

// worthOfFindings returns a function for the worth of a line by its class: a few passing tests are shown.
func (s *shortener) worthOfFindings(classes []class, count classCounts) func(k int, line string) float64 {
	shown := 0
	return func(k int, line string) float64 {
		own := worthOfClass[classes[k]]
		if isQuiet(classes[k]) {
			most := fewPassed
			if count[finding] > 0 {
				own, most = fillsOut, fewBeside
			}
			if classes[k] == skipped && count[skipped] <= fewBeside || classes[k] == suite && count[suite] <= fewBeside { // with its reason, or its time
				return 0
			}
			if shown++; shown > most && len(s.subject.wordsOf(line)) == 0 {
				own = leave
			}
		}
		if own == leave {
			return own
		}
		return own + worthOfLine(line)
	}
}

// behindFindings maps each note of a chosen line to the index after the chosen details of that line.
func (p *picker) behindFindings(chosen []int32, notes map[int]string) map[int]string {
	if len(notes) == 0 {
		return nil
	}
	out := map[int]string{}
	for k, i := range chosen {
		note := notes[p.units[i].line]
		if note == "" || k > 0 && p.units[chosen[k-1]].line == p.units[i].line {
			continue
		}
		end := k + 1
		for end < len(chosen) && p.isBelow(chosen[end], i) {
			end++
		}
		out[end] = note
	}
	return out
}

// isQuiet reports whether lines of a class say that all is well.
func isQuiet(c class) bool { return c == passed || c == skipped || c == suite }

// classCounts has the number of lines of each class.
type classCounts [finding + 1]int

// notePassed returns the line with the number of passed and of skipped tests that are not shown. Suites are counted if
// their tests are not.
func (s *shortener) notePassed(left, all classCounts) string {
	var parts []string
	add := func(c class, one, some string) {
		switch {
		case left[c] == 0:
		case s.part, left[c] == all[c]:
			parts = append(parts, s.formatCount(left[c])+one)
		default:
			parts = append(parts, fmt.Sprintf("%s of the %s%s", withCommas(left[c]), withCommas(all[c]), some))
		}
	}
	add(passed, " passed", " that passed")
	if all[passed] == 0 {
		add(suite, " suites passed", " suites that passed")
	}
	add(skipped, " skipped", " skipped")
	if len(parts) == 0 {
		return ""
	}
	return note("%s", strings.Join(parts, ", ")) + "\n"
}

// headFiles returns the lines that name a file for the findings below them.
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
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, p) })
}
