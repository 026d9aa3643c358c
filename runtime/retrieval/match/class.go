package match

import "math/bits"

// class is a set of bytes, with the probability that a byte of source text is in it, in total and by kind of byte.
type class struct {
	bits  [4]uint64
	size  int
	freq  float64
	kinds [numKinds]float64
}

func (c *class) has(b byte) bool { return c.bits[b>>6]>>(b&63)&1 != 0 }

func (c *class) add(b byte) {
	if !c.has(b) {
		c.bits[b>>6] |= 1 << (b & 63)
		c.size++
		c.freq += byteFreq(b)
		c.kinds[kindOf(b)] += byteFreq(b)
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

// onlyByte returns the only byte of a class that has just one.
func (c *class) onlyByte() (b byte, ok bool) {
	if c.size != 1 {
		return 0, false
	}
	c.each(func(x byte) { b = x })
	return b, true
}

// word is a sequence of classes: a text matches it if each byte is in its class. No class holds a newline.
type word []*class

// spellWord returns the word that matches exactly s.
func spellWord(s string) word {
	w := make(word, len(s))
	for i := range w {
		w[i] = new(class)
		w[i].add(s[i])
	}
	return w
}

// literal returns the bytes of a word whose classes hold one byte each.
func (w word) literal() (string, bool) {
	lit := make([]byte, len(w))
	for i := range w {
		b, ok := w[i].onlyByte()
		if !ok {
			return "", false
		}
		lit[i] = b
	}
	return string(lit), true
}

// freq estimates how often the word begins at a byte of source text.
func (w word) freq() float64 {
	p := w[0].freq
	for i := 1; i < len(w); i++ {
		p *= pairFreq(w[i-1], w[i]) / w[i-1].freq
	}
	return p
}
