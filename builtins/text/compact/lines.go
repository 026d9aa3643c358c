package compact

import (
	"math"
	"strings"
)

// shortenLines keeps the lines, and of long lines the pieces, that are worth most.
func (s *shortener) shortenLines(kind Kind, text string, bytes int) Summary {
	p := newPicker(s.subject.known)
	lines := strings.Split(text, "\n")
	var hits []wordHits
	found := map[string]int{}
	for k, l := range lines {
		number, rest := numbered(l)
		form := worthOfLine(kind, l, rest)
		if k < 3 || k >= len(lines)-3 {
			form += edgeWorth
		}
		form += early * (1 - float64(k)/float64(len(lines)))
		eachPiece(squeeze(rest), func(piece string) {
			if piece == "" {
				return
			}
			h := s.subject.in(piece)
			for _, w := range h {
				found[w]++
			}
			p.add(unit{text: piece, number: number, line: k, own: baseWorth + form, like: template(piece)})
			hits = append(hits, h)
		})
	}
	for i, h := range hits {
		v := 0.0
		for _, w := range h {
			v += wordWorth / math.Pow(float64(1+found[w]), wordRare)
		}
		p.units[i].own += min(3, v)
	}
	chosen := p.pick(bytes)
	return Summary{Text: p.join(chosen), Units: len(lines), Kept: p.linesOf(chosen)}
}

// wordHits are the words of the subject that a piece holds.
type wordHits []string

const (
	baseWorth = .12
	edgeWorth = .4
	wordWorth = 1.2
	early     = .15
	wordRare  = .35
	errWorth  = 1.0
	sigWorth  = 1.4
	headWorth = .6
)

// join writes the chosen units as lines: pieces of one line on one, with a mark where something between them is left
// out.
func (p *picker) join(chosen []int32) string {
	var b strings.Builder
	for k, i := range chosen {
		u := &p.units[i]
		switch {
		case k == 0:
		case p.units[chosen[k-1]].line != u.line:
			b.WriteByte('\n')
		case chosen[k-1] == i-1:
			b.WriteByte(' ')
		default:
			b.WriteString(" … ")
		}
		if u.number != "" && (k == 0 || p.units[chosen[k-1]].line != u.line) {
			b.WriteString(u.number + " ")
		}
		b.WriteString(u.text)
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
func (s subject) in(piece string) wordHits {
	if len(s.words.words) == 0 {
		return nil
	}
	var out wordHits
	var buf [64]byte
	for i := 0; i < len(piece); {
		if !isAlnum(piece[i]) && piece[i] < 0x80 {
			i++
			continue
		}
		start := i
		for i < len(piece) && (isAlnum(piece[i]) || piece[i] == '_' || piece[i] == '-' || piece[i] >= 0x80) {
			i++
		}
		out = s.wordIn(piece[start:i], buf[:0], out)
	}
	return out
}

func (s subject) wordIn(w string, buf []byte, out wordHits) wordHits {
	if len(w) < 3 || len(w) > cap(buf) {
		return out
	}
	for i := 0; i < len(w); i++ {
		c := w[i]
		if isUpper(c) {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	out = s.note(buf, out)
	start, parts := 0, 0
	for i := 0; i <= len(buf); i++ {
		if i == len(buf) || buf[i] == '_' || buf[i] == '-' {
			if parts++; (i < len(buf) || parts > 1) && i-start > 3 {
				out = s.note(buf[start:i], out)
			}
			start = i + 1
		}
	}
	return out
}

func (s subject) note(w []byte, out wordHits) wordHits {
	if !s.words.has(w) {
		return out
	}
	for _, o := range out {
		if o == string(w) {
			return out
		}
	}
	return append(out, string(w))
}
