package redact

import "math"

// The letter table answers one question: does a run of characters read like words, or like the output of a random
// generator? Shannon entropy cannot tell: a long identifier has as much of it as a token of the same length. Here each
// character has a cost under two models, ordinary source text (what follows what) and a uniform choice from the
// alphabet in use; the difference, in bits, is evidence of randomness. It adds up along the run.

// other is the class of everything but letters and digits in pairCost.
const other = 53

// letterClass maps a byte to its row in pairCost: a-z, A-Z, one class for digits, one for the rest.
var letterClass = func() (t [256]uint8) {
	for i := range t {
		t[i] = other
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c-'a', c-'a'+26
	}
	for c := byte('0'); c <= '9'; c++ {
		t[c] = 52
	}
	return t
}()

// alphabet is the set of character kinds in a run, as bits.
type alphabet uint8

const (
	lower alphabet = 1 << iota
	upper
	digit
	beyondHex // a letter after f
	separator // anything else
)

var alphabetOf = func() (t [256]alphabet) {
	for i := range t {
		switch c := letterClass[i]; {
		case c < 26:
			t[i] = lower
		case c < 52:
			t[i] = upper
		case c == 52:
			t[i] = digit
		default:
			t[i] = separator
		}
		if c := letterClass[i]; c < 52 && c%26 > 5 {
			t[i] |= beyondHex
		}
	}
	return t
}()

func alphabetIn(s string) (a alphabet) {
	for i := range len(s) {
		a |= alphabetOf[s[i]]
	}
	return a
}

// bitsPerChar returns the cost of one character under a uniform choice from the alphabet.
func (a alphabet) bitsPerChar() float64 { return alphabetBits[a] }

var alphabetBits = func() (t [32]float64) {
	for a := range t {
		t[a] = alphabet(a).log2Size()
	}
	return t
}()

func (a alphabet) log2Size() float64 {
	n := 0.0
	if a&lower != 0 {
		n += 26
	}
	if a&upper != 0 {
		n += 26
	}
	if a&digit != 0 {
		n += 10
		if a&beyondHex == 0 {
			n = 16
		}
	}
	return math.Log2(max(n, 2))
}

// measureRandomness returns the evidence in bits that s, or the part of it where the evidence is strongest, is random, and that
// part's bounds. Separators do not count. Words score below zero and end a part.
func measureRandomness(s string) (bits float64, start, end int) {
	const digitBits = 3.32 // log2(10): pairCost has a single class for all digits
	perChar := alphabetIn(s).bitsPerChar()
	var sum float64
	prev, from := other, 0
	for i := range len(s) {
		c := int(letterClass[s[i]])
		if c != other {
			gain := float64(pairCost[prev][c])/8 - perChar
			if c == 52 {
				gain += digitBits
			}
			if i > 0 && (s[i] == s[i-1] || s[i] == s[i-1]+1) {
				gain = min(gain, 0) // "aaaa" and "abcd" are rare in words, but are not random either
			}
			sum += gain
		}
		prev = c
		if sum <= 0 {
			sum, from = 0, i+1
		} else if sum > bits {
			bits, start, end = sum, from, i+1
		}
	}
	return bits, start, end
}
