package coderank

import (
	"encoding/binary"
	"math/bits"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Words is a Bloom filter of a file's words, that is, its runs of ASCII letters, digits and
// underscores. For most files it answers, without reading them again, whether they hold a name that
// becomes known only later. It takes between a sixteenth and an eighth of the file's size. The zero
// value may hold any word.
type Words []uint64

// noWords is the filter of files that are not searched for words: documents, and third-party code.
var noWords = Words{0}

// newWords returns a filter for a file of n bytes, and whether it has to be filled. The filter is
// nil if the words of the query are not searched for in blocks, or if the language of the file is
// unknown.
func (c *Collector) newWords(f *counted, n int) (words Words, fill bool) {
	if words, fill = c.wantsWords(f, n); fill {
		words = emptyWords(n)
	}
	return words, fill
}

func emptyWords(n int) Words { return make(Words, 1<<bits.Len(uint(n-1)/128)) }

// wantsWords returns the ready-made filter of a file, or reports that one has to be filled.
func (c *Collector) wantsWords(f *counted, n int) (words Words, fill bool) {
	switch {
	case c.m.high || symbols.Language(f.path) == "":
		return nil, false
	case n == 0 || f.bucket == Vendored || f.bucket == Docs && !IsSource(f.path):
		return noWords, false
	}
	return nil, true
}

// May reports whether the file may hold name as a whole word. All words of a
// name such as A::b must be there.
func (w Words) May(name string) bool {
	if len(w) == 0 {
		return true
	}
	for i := 0; i < len(name); {
		n := 0
		for i+n < len(name) && isWord(name[i+n]) {
			n++
		}
		if n >= 3 {
			var first [8]byte
			copy(first[:], name[i:i+n])
			at, set := bloomBits(binary.LittleEndian.Uint64(first[:]), min(n, 64))
			if w[at&(len(w)-1)]&set != set {
				return false
			}
		}
		i += n + 1
	}
	return true
}

func isWord(c byte) bool {
	return words.ClassOf(c) == words.Upper || words.ClassOf(c)&(words.Lower|words.Under) != 0 && c < 0x80
}

// addBlock adds the words that begin in the 64 bytes from i on, given the masks of word bytes in this
// block, the one before and the one after.
func (w Words) addBlock(data []byte, i int, before, cur, after uint64) {
	starts := cur &^ (cur<<1 | before>>63)
	// Words of one and two bytes are everywhere and say nothing.
	starts &= (cur>>1 | after<<63) & (cur>>2 | after<<62)
	if i+64+8 > len(data) {
		for ; starts != 0; starts &= starts - 1 {
			bit := bits.TrailingZeros64(starts)
			var b [8]byte
			copy(b[:], data[i+bit:])
			w.add(binary.LittleEndian.Uint64(b[:]), wordLength(cur, after, bit))
		}
		return
	}
	block := (*[64 + 8]byte)(data[i:])
	for ; starts != 0; starts &= starts - 1 {
		bit := bits.TrailingZeros64(starts) & 63
		w.add(binary.LittleEndian.Uint64(block[bit:]), wordLength(cur, after, bit))
	}
}

// wordLength returns the length of the word that begins at the given bit of cur, at most 64.
func wordLength(cur, after uint64, bit int) int {
	return bits.TrailingZeros64(^(cur>>(bit&63) | after<<1<<(63-bit&63)))
}

// add marks the word of n bytes that begins with first.
func (w Words) add(first uint64, n int) {
	at, set := bloomBits(first, n)
	w[at&(len(w)-1)] |= set
}

// bloomBits returns where a word of n bytes is marked: two bits of one element. first holds its first
// eight bytes; bytes after the end of a shorter word are ignored.
func bloomBits(first uint64, n int) (at int, set uint64) {
	h := (first&keep[n&127] ^ uint64(n)) * 0x9E3779B97F4A7C15
	return int(h >> 35), 1<<(h>>58) | 1<<(h>>52&63)
}

// keep holds for each word length the mask of the bytes that belong to the word.
var keep = func() (t [128]uint64) {
	for n := range t {
		t[n] = ^uint64(0)
		if n < 8 {
			t[n] = 1<<(8*n) - 1
		}
	}
	return t
}()
