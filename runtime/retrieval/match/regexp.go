package match

import (
	"io"
	"unicode/utf8"
)

// interruptible is the amount of work, in bytes times instructions, from which on regexp reads a line piece by piece.
const interruptible = 1 << 22

// matchRegexp returns the first match in a line, as regexp finds it.
func (m *Matcher) matchRegexp(meter *meter, line []byte) (loc [2]int, ok bool, err error) {
	if m.size*len(line) > interruptible {
		return m.matchLongLine(meter, line)
	}
	var found []int
	if m.group == 0 {
		found = m.std.FindIndex(line)
	} else {
		found = m.std.FindSubmatchIndex(line)
	}
	return m.pickGroup(found), found != nil, nil
}

// matchLongLine does the same as matchRegexp for a line so long that the context might end meanwhile.
func (m *Matcher) matchLongLine(meter *meter, line []byte) (loc [2]int, ok bool, err error) {
	in := &runes{text: line, meter: meter, cost: m.size}
	var found []int
	if m.group == 0 {
		found = m.std.FindReaderIndex(in)
	} else {
		found = m.std.FindReaderSubmatchIndex(in)
	}
	if in.err != nil {
		return loc, false, in.err
	}
	return m.pickGroup(found), found != nil, nil
}

func (m *Matcher) pickGroup(found []int) (loc [2]int) {
	if found != nil {
		copy(loc[:], found[2*m.group:])
	}
	return loc
}

// runes reads a line for regexp. It ends the line early once the context has ended.
type runes struct {
	text  []byte
	meter *meter
	cost  int
	err   error
}

func (r *runes) ReadRune() (c rune, size int, err error) {
	if r.err == nil {
		r.err = r.meter.spend(r.cost)
	}
	if r.err != nil || len(r.text) == 0 {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRune(r.text)
	r.text = r.text[size:]
	return c, size, nil
}
