package compact

import (
	"cmp"
	"slices"
	"strings"
)

// textLines are the lines of a text, each with where it stands in the source.
type textLines struct {
	text  string
	lines []string
	first []int32 // line of the source at which each begins, from 0; nil where they are the lines of the source
	last  []int32 // and at which it ends
	total int     // lines of the source
}

// linesOf are the lines of a text, of the sample that was read too.
func (s *shortener) linesOf(text string) textLines {
	lines := strings.Split(text, "\n")
	if s.read.text == text && len(s.read.first) == len(lines) {
		t := s.read
		t.lines = lines
		return t
	}
	return textLines{text: text, lines: lines, total: len(lines)}
}

// placed reports whether it is known where the lines of a text stand in the source: of a sample that was changed it is
// not.
func (s *shortener) placed(t *textLines) bool { return !s.part || t.text == s.read.text }

// at is the line of the source at which line k begins.
func (t *textLines) at(k int) int {
	if t.first == nil {
		return k
	}
	return int(t.first[k])
}

// end is the line of the source behind line k.
func (t *textLines) end(k int) int {
	if t.last == nil {
		return k + 1
	}
	return int(t.last[k]) + 1
}

// gap is a run of lines that were left out.
type gap struct {
	before int // which of the chosen units it stands before; behind the last one their number
	lines  int
}

// Gaps are marked where they are, the longest first, as far as their marks take no more than a share of the summary.
const (
	minGap   = 4   // lines, of a gap that is marked
	gapShare = 40  // of the bound
	minGaps  = 600 // bytes of a summary in which gaps are marked
)

// gaps are the runs of lines between the chosen units, blank lines alone not.
func (p *picker) gaps(t *textLines, chosen []int32) []gap {
	var out []gap
	next, after := 0, 0 // the line of the text, and of the source, behind the last that is shown
	add := func(before, line, at int) {
		if at-after >= minGap && !(line-next == at-after && allBlank(t.lines[next:line])) {
			out = append(out, gap{before, at - after})
		}
	}
	for k, i := range chosen {
		line := p.units[i].line
		if line >= next {
			add(k, line, t.at(line))
			next, after = line+1, t.end(line)
		}
	}
	add(len(chosen), len(t.lines), t.total)
	return out
}

// skipsUnmarked reports whether lines are left out where no mark stands.
func (p *picker) skipsUnmarked(t *textLines, chosen []int32, marks map[int]string) bool {
	next := 0 // the line behind the last that is shown
	for k, i := range chosen {
		line := p.units[i].line
		if line > next && marks[k] == "" && !allBlank(t.lines[next:line]) {
			return true
		}
		next = line + 1
	}
	return false
}

// strays finds the chosen units that do not stand below what is shown before them, and marks how much is missing there.
func (p *picker) strays(t *textLines, chosen []int32) map[int]string {
	out := map[int]string{}
	for k, i := range chosen {
		if k == 0 || p.units[i].over == 0 && !p.units[i].lost {
			continue
		}
		u, before := &p.units[i], &p.units[chosen[k-1]]
		if u.line != before.line && (u.lost || !p.within(chosen[k-1], u.over-1)) {
			out[k] = note("%v lines", max(1, t.at(u.line)-t.end(before.line)))
		}
	}
	return out
}

// within reports whether a unit is of the line of another or stands below it.
func (p *picker) within(i, head int32) bool {
	for p.units[i].line != p.units[head].line {
		if p.units[i].over == 0 {
			return false
		}
		i = p.units[i].over - 1
	}
	return true
}

// shown tells of each unit whether it is chosen, where lines are set in.
func (p *picker) shown(chosen []int32) []bool {
	if !p.nested {
		return nil
	}
	out := make([]bool, len(p.units))
	for _, i := range chosen {
		out[i] = true
	}
	return out
}

// beginning is what is written before a line: its number, or how far it is set in.
func (p *picker) beginning(i int32, shown []bool) string {
	u := &p.units[i]
	switch {
	case p.nested:
		return strings.Repeat(" ", p.setIn(i, shown))
	case u.number != "":
		return u.number + " " + u.lead
	}
	return u.lead
}

// setIn is how far a unit is set in: below those that it stands below and that are shown.
func (p *picker) setIn(i int32, shown []bool) int {
	n := 0
	for k := p.units[i].over; k > 0; k = p.units[k-1].over {
		if shown[k-1] {
			n++
		}
	}
	return n
}

func allBlank(lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
}

// markGaps is which of the chosen units have a mark before them, and of how many lines, so that all marks take no more
// than so many bytes.
func markGaps(gaps []gap, bytes int) map[int]string {
	gaps = slices.Clone(gaps)
	slices.SortStableFunc(gaps, func(a, b gap) int { return cmp.Compare(b.lines, a.lines) })
	out := map[int]string{}
	for _, g := range gaps {
		mark := note("%v lines", g.lines)
		if bytes -= len(mark) + 1; bytes < 0 {
			break
		}
		out[g.before] = mark
	}
	return out
}

// numbered reports whether a tool numbered the lines of the source, so that what is left out between them is seen.
func (p *picker) numbered() bool {
	n := 0
	for i := range p.units {
		if p.units[i].number != "" {
			n++
		}
	}
	return n*2 > len(p.units)
}
