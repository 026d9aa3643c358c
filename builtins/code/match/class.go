package match

import "math/bits"

// class is a set of bytes with its probability in source text.
type class struct {
	bits [4]uint64
	size int
	freq float64
}

func (c *class) has(b byte) bool { return c.bits[b>>6]>>(b&63)&1 != 0 }

func (c *class) add(b byte) {
	if !c.has(b) {
		c.bits[b>>6] |= 1 << (b & 63)
		c.size++
		c.freq += byteFreq(b)
	}
}

// each calls fn for the members in ascending order.
func (c *class) each(fn func(b byte)) {
	for i, w := range c.bits {
		for ; w != 0; w &= w - 1 {
			fn(byte(i<<6 + bits.TrailingZeros64(w)))
		}
	}
}

// one gives the class's only byte, if it has just one.
func (c *class) one() (b byte, ok bool) {
	if c.size != 1 {
		return 0, false
	}
	c.each(func(x byte) { b = x })
	return b, true
}

// word is a sequence of classes: a text matches it when each byte is in its class. No class holds a newline.
type word []class

// spell gives the word of one byte string.
func spell(s string) word {
	w := make(word, len(s))
	for i := range w {
		w[i].add(s[i])
	}
	return w
}

// literal gives the bytes of a word all of whose classes hold one byte.
func (w word) literal() (string, bool) {
	lit := make([]byte, len(w))
	for i := range w {
		b, ok := w[i].one()
		if !ok {
			return "", false
		}
		lit[i] = b
	}
	return string(lit), true
}

// freq is how often the word would begin at a byte, were bytes independent.
func (w word) freq() float64 {
	p := 1.0
	for i := range w {
		p *= w[i].freq
	}
	return p
}
