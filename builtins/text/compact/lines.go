package compact

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// shortenLines keeps the lines that are worth most, and of long lines the pieces.
func (s *shortener) shortenLines(kind Kind, text string, bytes int) Summary {
	return s.keepLines(kind, s.linesOf(text), bytes)
}

// keepLines does the same as shortenLines for a text that is already split into lines.
func (s *shortener) keepLines(kind Kind, t textLines, bytes int) Summary {
	if (kind == Prose || kind == Markdown) && bytes >= minSentences {
		t = unwrap(t)
	}
	if kind == Diff {
		return s.keep(t, readDiff(t.lines).layoutWithin(t.lines, bytes), bytes)
	}
	worths := worthsOf(kind)
	worth := worths
	if kind == Source && !s.subject.asked { // without a task the reader wants to know what is there
		worth = func(k int, line string) float64 {
			if line != "" && isOutlineLine(line) {
				return decides
			}
			return worths(k, line)
		}
	}
	return s.keep(t, &layout{over: outlineOf(kind, t.lines), worth: worth, above: mostAbove(kind, bytes), least: minGaps, alike: alikeTo}, bytes)
}

// keep chooses lines by a layout. What is kept follows its headings; a line whose parent is not shown, and a large gap,
// have a marker before them.
func (s *shortener) keep(t textLines, l *layout, bytes int) Summary {
	s.layout = l
	p := s.weigh(t.lines, l.over, l.worth)
	p.mostAbove, p.nested, p.strict, p.alike, p.notes = l.above, l.nested, l.strict, l.alike, l.notes
	bytes -= partNote * len(l.parts)
	marked := bytes >= l.least && s.knowsPlaces(&t) && !p.hasLineNumbers()
	for room := bytes; ; {
		if marked && room == bytes {
			room -= bytes / gapShare
		}
		chosen := p.pick(room)
		marks := p.markStrays(&t, chosen)
		out := p.joinWith(chosen, marks, p.behindLines(chosen))
		if over := len(out) - bytes; over > 0 && room > bytes/2 {
			room -= over + over/4 + 1
			continue
		}
		if marked {
			maps.Copy(marks, markGaps(p.findGaps(&t, chosen), bytes-len(out)))
			out = p.joinWith(chosen, marks, p.behindLines(chosen))
		}
		return Summary{
			Text: out, Units: t.total, Kept: p.linesShown(&t, chosen), left: l.leftParts(p, chosen), lined: l.strict,
			gapped: marked && len(marks) > 0 && p.skipsUnmarked(&t, chosen, marks),
		}
	}
}

// behindLines returns a function for the notes of lines, to be written after the last chosen unit of each.
func (p *picker) behindLines(chosen []int32) func(i int32) string {
	if p.notes == nil {
		return nil
	}
	last := map[int]int32{}
	for _, i := range chosen {
		last[p.units[i].line] = i
	}
	return func(i int32) string {
		if line := p.units[i].line; last[line] == i {
			return p.notes[line]
		}
		return ""
	}
}

// mostAbove returns how many headings or declarations are shown with a line below them: in a small summary only the
// nearest is worth its bytes.
func mostAbove(kind Kind, bytes int) int {
	switch {
	case bytes >= minSentences:
		return maxOver
	case kind == Source:
		return 0
	}
	return 1
}

// leave is the worth of a line that is left out however much room there is.
const leave = -1e9

// maxLead is the number of a line's leading blanks that are kept where they tell what it is.
const maxLead = 2

// weigh makes units of lines. form returns the worth of a line's form; the edges of a text, its beginning and what the
// subject names are worth more. over has the parent of each line and may be nil.
func (s *shortener) weigh(lines []string, over []int32, form func(k int, line string) float64) *picker {
	p := s.newPicker(len(lines))
	units := newOverUnits(over)
	hits := make([]wordHits, 0, len(lines))
	found := make([]int, len(s.subject.words.words)+1)
	lastData := -1
	data, lost := false, false // data was seen; the parent of a line was not read
	for k, l := range lines {
		number, rest := cutLineNumber(l)
		own := form(k, rest)
		if lost = s.parted && s.layout.strict && (l == omission || lost && standsAlone(over, k)); own == leave || lost && own < matters && len(s.subject.wordsOf(rest)) == 0 {
			units.skip(k)
			continue
		}
		units.begin(k, len(p.units))
		if k < 3 || k >= len(lines)-3 {
			own += edgeWorth
		}
		own += early * (1 - float64(k)/float64(len(lines)))
		if isData(rest, data) || lastData == k-1 && k > 0 && endsData(rest) {
			if lastData = k; data {
				units.skip(k)
				continue
			}
			rest, data = cutMarked(strings.TrimSpace(rest), shownData), true
		}
		glued := false
		lead, rest, pieces := s.layout.piecesOf(l, rest)
		pieces(rest, func(piece string, inside bool) {
			if piece != "" {
				h := s.subject.wordsOf(piece)
				for _, w := range h {
					found[w]++
				}
				p.add(unit{text: piece, number: number, lead: lead, line: k, own: baseWorth + own, like: templateHash(piece), glued: glued, lost: lost, over: units.parentUnit(k)})
				hits = append(hits, h)
				lead = ""
			}
			glued = inside
		})
		units.end(k, p.units)
	}
	s.weighNamed(p, hits, found)
	p.pair(s.layout.pairs)
	return p
}

// pair links each unit to the line that replaced its own, so both are shown together.
func (p *picker) pair(pairs []int32) {
	if pairs == nil {
		return
	}
	first := make([]int32, len(pairs)) // unit of a line, counted from 1
	for i := len(p.units) - 1; i >= 0; i-- {
		first[p.units[i].line] = int32(i) + 1
	}
	for i := range p.units {
		if k := pairs[p.units[i].line]; k >= 0 {
			p.units[i].with = first[k]
		}
	}
}

// standsAlone reports whether a line has neither a parent nor children.
func standsAlone(over []int32, k int) bool {
	return over[k] < 0 && (k+1 == len(over) || over[k+1] != int32(k))
}

// weighNamed adds the worth of the subject's words in each unit, by how often each word was found.
func (s *shortener) weighNamed(p *picker, hits []wordHits, found []int) {
	worth := make([]float64, len(found)) // of words
	for w, n := range found {
		worth[w] = wordWorth / math.Pow(float64(1+n), wordRare)
	}
	for i, h := range hits {
		v := 0.0
		for _, w := range h {
			v += worth[w]
			if s.layout.strict && found[w] <= fewNamed {
				v += namedWorth
			}
		}
		p.units[i].own += min(maxNamed, v)
	}
}

// wordHits are the numbers of the subject's words in a piece.
type wordHits []int32

// overUnits finds the parent unit of a line.
type overUnits struct {
	over []int32 // parent of each line
	unit []int32 // first unit of a line, counted from 1; for a line without units that of its parent
}

func newOverUnits(over []int32) *overUnits {
	return &overUnits{over: over, unit: make([]int32, len(over))}
}

func (o *overUnits) begin(k, unit int) {
	if o.over != nil {
		o.unit[k] = int32(unit) + 1
	}
}

func (o *overUnits) skip(k int) {
	if o.over != nil {
		o.unit[k] = o.parentUnit(k)
	}
}

// end skips a line that yielded no unit: its children become children of its parent.
func (o *overUnits) end(k int, units []unit) {
	if n := len(units); n == 0 || units[n-1].line != k {
		o.skip(k)
	}
}

func (o *overUnits) parentUnit(k int) int32 {
	if o.over == nil || o.over[k] < 0 {
		return 0
	}
	return o.unit[o.over[k]]
}

// join writes the chosen units as lines: pieces of one line on one line, with an omission mark for what is missing
// between.
func (p *picker) join(chosen []int32) string { return p.joinWith(chosen, nil, nil) }

// joinWith does the same as join, with before as additional lines before units, by their index among the chosen, and
// the text that behind returns after each unit.
func (p *picker) joinWith(chosen []int32, before map[int]string, behind func(i int32) string) string {
	var b strings.Builder
	shown := p.shownUnits(chosen)
	for k, i := range chosen {
		u := &p.units[i]
		fresh := k == 0 || p.units[chosen[k-1]].line != u.line
		next := k > 0 && chosen[k-1] == i-1
		switch {
		case fresh && k > 0:
			b.WriteByte('\n')
		case k == 0 || next && u.glued:
		case next:
			b.WriteByte(' ')
		case !u.glued:
			b.WriteString(" " + omission + " ")
		}
		if mark := before[k]; mark != "" && fresh {
			b.WriteString(mark + "\n")
		}
		if fresh {
			b.WriteString(p.linePrefix(i, shown))
		}
		b.WriteString(p.markBefore(i, fresh, next))
		b.WriteString(u.text)
		b.WriteString(p.markBehind(i, k+1 < len(chosen) && chosen[k+1] == i+1, k+1 == len(chosen) || p.units[chosen[k+1]].line != u.line))
		if behind != nil {
			b.WriteString(behind(i))
		}
	}
	if mark := before[len(chosen)]; mark != "" && len(chosen) > 0 {
		b.WriteString("\n" + mark)
	}
	return b.String()
}

// markBefore returns the mark before a piece if the beginning of its line is not shown.
func (p *picker) markBefore(i int32, fresh, next bool) string {
	switch {
	case p.units[i].glued && !next:
		return omission
	case fresh && i > 0 && p.units[i-1].line == p.units[i].line:
		return omission + " "
	}
	return ""
}

// markBehind returns the mark after a piece if the next piece of its line is not shown.
func (p *picker) markBehind(i int32, next, last bool) string {
	u := &p.units[i]
	switch more := int(i)+1 < len(p.units) && p.units[i+1].line == u.line; {
	case more && p.units[i+1].glued && !next:
		return omission
	case more && last && !strings.HasSuffix(u.text, omission):
		return " " + omission
	}
	return ""
}

func (p *picker) linesOf(chosen []int32) int {
	n, last := 0, -1
	for _, i := range chosen {
		if p.units[i].line != last {
			n, last = n+1, p.units[i].line
		}
	}
	return n
}

// linesShown returns the number of source lines that the chosen units belong to.
func (p *picker) linesShown(t *textLines, chosen []int32) int {
	n, last := 0, -1
	for _, i := range chosen {
		if line := p.units[i].line; line != last {
			n, last = n+t.endLine(line)-t.startLine(line), line
		}
	}
	return n
}

// wordsOf returns the words of the subject in a piece, each once.
func (s *subject) wordsOf(piece string) wordHits {
	if len(s.words.words) == 0 {
		return nil
	}
	var out wordHits
	for i := 0; i < len(piece); {
		if nameClass[piece[i]]&nameStart == 0 {
			i++
			continue
		}
		start, part := i, i
		for i < len(piece) && nameClass[piece[i]] != 0 {
			if c := piece[i]; c == '_' || c == '-' {
				if i-part > 3 {
					out = s.appendWord(piece[part:i], out)
				}
				part = i + 1
			}
			i++
		}
		if part > start && i-part > 3 {
			out = s.appendWord(piece[part:i], out)
		}
		if i-start > 2 {
			out = s.appendWord(piece[start:i], out)
		}
	}
	return out
}

const (
	nameInner = 1 // may be inside a word of a subject
	nameStart = 2 // may begin a word too
)

var nameClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case isAlnum(byte(c)), c >= 0x80:
			t[c] = nameInner | nameStart
		case c == '_', c == '-':
			t[c] = nameInner
		}
	}
	return t
}()

func (s *subject) appendWord(w string, out wordHits) wordHits {
	var buf [64]byte
	if len(w) > len(buf) || !s.words.mayHave(w[0], len(w)) {
		return out
	}
	for i := 0; i < len(w); i++ {
		c := w[i]
		if isUpper(c) {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	word := s.words.words[string(buf[:len(w)])]
	if word == 0 || slices.Contains(out, word) {
		return out
	}
	return append(out, word)
}
