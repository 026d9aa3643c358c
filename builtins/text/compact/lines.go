package compact

import (
	"math"
	"strings"
)

// shortenLines keeps the lines, and of long lines the pieces, that are worth most.
func (s *shortener) shortenLines(kind Kind, text string, bytes int) Summary {
	lines := strings.Split(text, "\n")
	if (kind == Prose || kind == Markdown) && bytes >= leastSentences {
		lines = unwrap(lines)
	}
	p := s.weigh(lines, func(k int, line string) float64 { return worthOfLine(line) })
	chosen := p.pick(bytes)
	return Summary{Text: p.join(chosen), Units: len(lines), Kept: p.linesOf(chosen)}
}

// leave is the worth of a line that is left out whatever room there is.
const leave = -1e9

// weigh makes units of lines. form is what the form of a line is worth; the edges of a text, its beginning and what the
// subject names are worth more.
func (s *shortener) weigh(lines []string, form func(k int, line string) float64) *picker {
	p := newPicker(s.subject.known)
	var hits []wordHits
	found := map[string]int{}
	for k, l := range lines {
		number, rest := numbered(l)
		own := form(k, rest)
		if own == leave {
			continue
		}
		if k < 3 || k >= len(lines)-3 {
			own += edgeWorth
		}
		own += early * (1 - float64(k)/float64(len(lines)))
		glued := false
		eachPiece(squeeze(rest), func(piece string, inside bool) {
			if piece != "" {
				h := s.subject.in(piece)
				for _, w := range h {
					found[w]++
				}
				p.add(unit{text: piece, number: number, line: k, own: baseWorth + own, like: template(piece), glued: glued})
				hits = append(hits, h)
			}
			glued = inside
		})
	}
	for i, h := range hits {
		v := 0.0
		for _, w := range h {
			v += wordWorth / math.Pow(float64(1+found[w]), wordRare)
		}
		p.units[i].own += min(3, v)
	}
	return p
}

// wordHits are the words of the subject that a piece holds.
type wordHits []string

// join writes the chosen units as lines: pieces of one line on one, with a mark where something between them is left
// out.
func (p *picker) join(chosen []int32) string { return p.joinWith(chosen, nil) }

// joinWith is join with what behind gives to write behind a unit.
func (p *picker) joinWith(chosen []int32, behind func(i int32) string) string {
	var b strings.Builder
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
		if fresh && u.number != "" {
			b.WriteString(u.number + " ")
		}
		if u.glued && !next {
			b.WriteString(omission)
		}
		b.WriteString(u.text)
		if int(i)+1 < len(p.units) && p.units[i+1].glued && (k+1 == len(chosen) || chosen[k+1] != i+1) {
			b.WriteString(omission)
		}
		if behind != nil {
			b.WriteString(behind(i))
		}
	}
	return b.String()
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

// in is which words of the subject a piece holds, each once.
func (s *subject) in(piece string) wordHits {
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
					out = s.note(piece[part:i], out)
				}
				part = i + 1
			}
			i++
		}
		if part > start && i-part > 3 {
			out = s.note(piece[part:i], out)
		}
		if i-start > 2 {
			out = s.note(piece[start:i], out)
		}
	}
	return out
}

const (
	nameInner = 1 // stands inside a word of a subject
	nameStart = 2 // and may begin one
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

func (s *subject) note(w string, out wordHits) wordHits {
	var buf [64]byte
	if len(w) > len(buf) || !s.words.may(w[0], len(w)) {
		return out
	}
	for i := 0; i < len(w); i++ {
		c := w[i]
		if isUpper(c) {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	if !s.words.words[string(buf[:len(w)])] {
		return out
	}
	for _, o := range out {
		if o == string(buf[:len(w)]) {
			return out
		}
	}
	return append(out, string(buf[:len(w)]))
}
