package compact

import (
	"cmp"
	"slices"
	"strings"
)

// textLines are the lines of a text, each with its place in the source.
type textLines struct {
	text  string
	lines []string
	first []int32 // line of the source at which each begins, from 0; nil if they are the lines of the source
	last  []int32 // line of the source at which each ends
	total int     // lines of the source
}

// linesOf returns the lines of a text, which may be the sample that was read.
func (s *shortener) linesOf(text string) textLines {
	lines := strings.Split(text, "\n")
	if s.read.text == text && len(s.read.first) == len(lines) {
		t := s.read
		t.lines = lines
		return t
	}
	return textLines{text: text, lines: lines, total: len(lines)}
}

// knowsPlaces reports whether the places of a text's lines in the source are known: those of a modified sample are not.
func (s *shortener) knowsPlaces(t *textLines) bool { return !s.part || t.text == s.read.text }

// startLine returns the line of the source at which line k begins.
func (t *textLines) startLine(k int) int {
	if t.first == nil {
		return k
	}
	return int(t.first[k])
}

// endLine returns the line of the source after line k.
func (t *textLines) endLine(k int) int {
	if t.last == nil {
		return k + 1
	}
	return int(t.last[k]) + 1
}

// gap is a run of lines that were left out.
type gap struct {
	before int // the chosen unit it comes before; the number of units if it is after the last
	lines  int
}

// Gaps are marked in place, the longest first, as long as their markers take no more than a share of the summary.
const (
	minGap   = 4   // lines, of a gap worth a marker
	gapShare = 40  // markers take at most 1/gapShare of the limit
	minGaps  = 600 // size of a summary, in bytes, from which gaps are marked
)

// findGaps returns the runs of lines between the chosen units that are long enough and not only blank.
func (p *picker) findGaps(t *textLines, chosen []int32) []gap {
	var out []gap
	next, after := 0, 0 // the line of the text, and of the source, after the last shown one
	add := func(before, line, at int) {
		if at-after >= minGap && !(line-next == at-after && allBlank(t.lines[next:line])) {
			out = append(out, gap{before, at - after})
		}
	}
	for k, i := range chosen {
		line := p.units[i].line
		if line >= next {
			add(k, line, t.startLine(line))
			next, after = line+1, t.endLine(line)
		}
	}
	add(len(chosen), len(t.lines), t.total)
	return out
}

// skipsUnmarked reports whether lines are left out somewhere without a marker.
func (p *picker) skipsUnmarked(t *textLines, chosen []int32, marks map[int]string) bool {
	next := 0 // the line after the last shown one
	for k, i := range chosen {
		line := p.units[i].line
		if line > next && marks[k] == "" && !allBlank(t.lines[next:line]) {
			return true
		}
		next = line + 1
	}
	return false
}

// markStrays returns markers for the chosen units whose parent is not shown before them, with the number of missing lines.
func (p *picker) markStrays(t *textLines, chosen []int32) map[int]string {
	out := map[int]string{}
	for k, i := range chosen {
		if k == 0 || p.units[i].over == 0 && !p.units[i].lost {
			continue
		}
		u, before := &p.units[i], &p.units[chosen[k-1]]
		if u.line != before.line && (u.lost || !p.isBelow(chosen[k-1], u.over-1)) {
			out[k] = note("%v lines", max(1, t.startLine(u.line)-t.endLine(before.line)))
		}
	}
	return out
}

// isBelow reports whether a unit belongs to the line of another or is nested below it.
func (p *picker) isBelow(i, head int32) bool {
	for p.units[i].line != p.units[head].line {
		if p.units[i].over == 0 {
			return false
		}
		i = p.units[i].over - 1
	}
	return true
}

// shownUnits returns for each unit whether it is chosen; nil unless lines are indented by depth.
func (p *picker) shownUnits(chosen []int32) []bool {
	if !p.nested {
		return nil
	}
	out := make([]bool, len(p.units))
	for _, i := range chosen {
		out[i] = true
	}
	return out
}

// linePrefix returns the text before a line: its number, or its indentation.
func (p *picker) linePrefix(i int32, shown []bool) string {
	u := &p.units[i]
	switch {
	case p.nested:
		return strings.Repeat(" ", p.setIn(i, shown))
	case u.number != "":
		return u.number + " " + u.lead
	}
	return u.lead
}

// setIn returns the indentation of a unit: the number of its ancestors that are shown.
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

// markGaps returns the markers of the gaps, by the chosen unit they come before. Together they fit in bytes.
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

// hasLineNumbers reports whether a tool numbered the lines of the source, which makes gaps visible.
func (p *picker) hasLineNumbers() bool {
	n := 0
	for i := range p.units {
		if p.units[i].number != "" {
			n++
		}
	}
	return n*2 > len(p.units)
}
