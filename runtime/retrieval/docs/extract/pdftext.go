package extract

import (
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// PDF has no words and no lines, only positions where glyphs are shown. A glyph further down is on
// another line, far down in another paragraph, and further along in another word; these are the
// distances, in sizes of the font.
const (
	nextLine  = 0.5
	nextPart  = 1.8
	nextWord  = 0.17
	backwards = -1.0
)

// maxForms limits the depth of forms within forms.
const maxForms = 8

// matrix is a, b, c, d, e, f of PDF: x' = ax + cy + e, y' = bx + dy + f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// mul returns the transformation by m and then by n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// pen is the part of the drawing state that text needs.
type pen struct {
	ctm                    matrix
	font                   *glyphs
	size, leading, stretch float64
	letters, words         float64 // width added after each letter, and after each space
}

// sheet collects the text of a page.
type sheet struct {
	b     strings.Builder
	fonts map[string]*glyphs
	forms int // open ones
	last  [2]float64
	began bool
}

// drawStream handles the text of a stream of the page, or of a form on it.
func (s *sheet) drawStream(stream, resources pdf.Value, p pen) {
	var saved []pen
	at, line := identity, identity // of the text, and of the beginning of its line
	p.stretch = 1
	move := func(x, y float64) {
		line = matrix{1, 0, 0, 1, x, y}.mul(line)
		at = line
	}
	show := func(raw string) { at = matrix{1, 0, 0, 1, s.showText(raw, at, p), 0}.mul(at) }
	pdf.Interpret(stream, func(stack *pdf.Stack, op string) {
		args := make([]pdf.Value, stack.Len())
		for i := range args {
			args[len(args)-1-i] = stack.Pop()
		}
		if len(args) < operands[op] {
			return
		}
		number := func(i int) float64 { return args[i].Float64() }
		whole := func() (m matrix) {
			for i := range m {
				m[i] = number(i)
			}
			return m
		}
		switch op {
		case "q":
			if len(saved) < maxDepth {
				saved = append(saved, p)
			}
		case "Q":
			if n := len(saved); n > 0 {
				p, saved = saved[n-1], saved[:n-1]
			}
		case "cm":
			p.ctm = whole().mul(p.ctm)
		case "BT":
			at, line = identity, identity
		case "Tm":
			line = whole()
			at = line
		case "TD":
			p.leading = -number(1)
			move(number(0), number(1))
		case "Td":
			move(number(0), number(1))
		case "T*":
			move(0, -p.leading)
		case "TL":
			p.leading = number(0)
		case "Tc":
			p.letters = number(0)
		case "Tw":
			p.words = number(0)
		case "Tz":
			p.stretch = number(0) / 100
		case "Tf":
			p.font, p.size = s.loadFont(resources.Key("Font").Key(args[0].Name()), args[0].Name()), number(1)
		case "Tj":
			show(args[0].RawString())
		case "'":
			move(0, -p.leading)
			show(args[0].RawString())
		case "\"":
			p.words, p.letters = number(0), number(1)
			move(0, -p.leading)
			show(args[2].RawString())
		case "TJ":
			for i := range args[0].Len() {
				if v := args[0].Index(i); v.Kind() == pdf.String {
					show(v.RawString())
				} else {
					at = matrix{1, 0, 0, 1, -v.Float64() / 1000 * p.size * p.stretch, 0}.mul(at)
				}
			}
		case "Do":
			s.drawForm(resources.Key("XObject").Key(args[0].Name()), resources, p)
		}
	})
}

// operands is the number of operands of an operator.
var operands = map[string]int{"cm": 6, "Tm": 6, "TD": 2, "Td": 2, "TL": 1, "Tc": 1, "Tw": 1, "Tz": 1, "Tf": 2, "Tj": 1, "'": 1, "\"": 3, "TJ": 1, "Do": 1}

// drawForm draws a form, which is a group of drawing operations; it skips pictures.
func (s *sheet) drawForm(x, resources pdf.Value, p pen) {
	if x.Key("Subtype").Name() != "Form" || s.forms == maxForms {
		return
	}
	if own := x.Key("Resources"); !own.IsNull() {
		resources = own
	}
	if m := x.Key("Matrix"); m.Len() == 6 {
		var by matrix
		for i := range by {
			by[i] = m.Index(i).Float64()
		}
		p.ctm = by.mul(p.ctm)
	}
	fonts := s.fonts // names are those of the form's own resources
	s.fonts = map[string]*glyphs{}
	s.forms++
	s.drawStream(x, resources, p)
	s.forms--
	s.fonts = fonts
}

// showText adds a text at a position, and returns its width.
func (s *sheet) showText(raw string, at matrix, p pen) float64 {
	if p.font == nil || raw == "" {
		return 0
	}
	said, units, letters, spaces := p.font.decodeCodes(raw)
	size := p.size * p.stretch
	on := units/1000*size + p.stretch*(float64(letters)*p.letters+float64(spaces)*p.words)
	if len(said)+s.b.Len() > MaxText {
		return on
	}
	from := at.mul(p.ctm)
	scale := math.Hypot(from[0], from[1])
	s.addGap(from, math.Abs(p.size)*scale, p.font.known)
	s.b.WriteString(said)
	end := matrix{1, 0, 0, 1, on, 0}.mul(at).mul(p.ctm)
	s.last, s.began = [2]float64{end[4], end[5]}, true
	return on
}

// addGap adds the white space between the end of the last text and the beginning of the next.
func (s *sheet) addGap(from matrix, size float64, known bool) {
	if !s.began || size == 0 || from[0] == 0 && from[1] == 0 {
		return
	}
	turn := math.Hypot(from[0], from[1])
	dx, dy := from[4]-s.last[0], from[5]-s.last[1]
	along := (dx*from[0] + dy*from[1]) / turn / size
	across := math.Abs(dy*from[0]-dx*from[1]) / turn / size
	word := nextWord
	if !known { // its end is a guess
		word = -nextLine
	}
	switch {
	case across > nextPart:
		s.b.WriteString("\n\n")
	case across > nextLine || along < backwards:
		s.b.WriteByte('\n')
	case along > word && (known || dx != 0):
		s.b.WriteByte(' ')
	}
}

// glyphs is the part of a font that text needs.
type glyphs struct {
	letters pdf.TextEncoding
	wide    bool // codes have two bytes
	widths  map[int]float64
	usual   float64 // width of glyphs without one, in thousandths of the size
	known   bool    // whether widths are known
}

// maxWidths limits the widths that are read of a font.
const maxWidths = 1 << 16

// loadFont returns the font with a name, which is read once.
func (s *sheet) loadFont(v pdf.Value, name string) *glyphs {
	if g, ok := s.fonts[name]; ok {
		return g
	}
	f := pdf.Font{V: v}
	g := &glyphs{letters: f.Encoder(), wide: v.Key("Subtype").Name() == "Type0", widths: map[int]float64{}, usual: 500}
	if g.wide {
		g.readCompoundWidths(v.Key("DescendantFonts").Index(0))
	} else {
		first, list := int(v.Key("FirstChar").Int64()), v.Key("Widths")
		for i := range min(list.Len(), maxWidths) {
			g.widths[first+i] = list.Index(i).Float64()
		}
		if w := v.Key("FontDescriptor").Key("MissingWidth"); !w.IsNull() {
			g.usual = w.Float64()
		}
	}
	g.known = len(g.widths) > 0
	s.fonts[name] = g
	return g
}

// readCompoundWidths reads the widths of a font with many glyphs: "c [w w …]" and "c c w".
func (g *glyphs) readCompoundWidths(v pdf.Value) {
	if g.usual = 1000; !v.Key("DW").IsNull() {
		g.usual = v.Key("DW").Float64()
	}
	list := v.Key("W")
	for i := 0; i+1 < list.Len() && len(g.widths) < maxWidths; {
		first := int(list.Index(i).Int64())
		if each := list.Index(i + 1); each.Kind() == pdf.Array {
			for j := range min(each.Len(), maxWidths) {
				g.widths[first+j] = each.Index(j).Float64()
			}
			i += 2
			continue
		}
		last, w := int(list.Index(i+1).Int64()), list.Index(i+2).Float64()
		for c := first; c <= min(last, first+maxWidths); c++ {
			g.widths[c] = w
		}
		i += 3
	}
}

// decodeCodes returns the text of some codes, its width in thousandths of the size, and the number of
// glyphs and spaces in it.
func (g *glyphs) decodeCodes(raw string) (said string, width float64, letters, spaces int) {
	step := 1
	if g.wide {
		step = 2
	}
	for i := 0; i+step <= len(raw); i += step {
		code := int(raw[i])
		if g.wide {
			code = code<<8 | int(raw[i+1])
		} else if code == ' ' {
			spaces++
		}
		w, ok := g.widths[code]
		if !ok {
			w = g.usual
		}
		width += w
		letters++
	}
	if g.letters == nil {
		return raw, width, letters, spaces
	}
	return g.letters.Decode(raw), width, letters, spaces
}
