package coderank

import (
	"bytes"
	"math"
	"math/bits"
	"unsafe"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// A Stream holds what the first step knows of a file's content independently of the question: its
// subwords in order, as numbers. A later question is answered from it by looking at each distinct
// subword once and then running over the numbers; the counts are those of Scan on the text. It
// holds nothing of the file's name and never changes.
type Stream struct {
	text      []byte   // the distinct subwords in lower case, one after the other
	sizes     []uint8  // of each, in bytes
	prefixes  []uint16 // prefixHash of each
	symbols   []symbol // distinct subwords with their ties
	seq       []uint16 // symbols in the order of the file
	words     Words    // empty if the language is unknown
	size      int      // of the content in bytes
	generated bool
}

// symbol is the number of a subword and its tie to the one before.
type symbol uint32

// The ties. Only the first of a whole word in ASCII can begin an identifier.
const (
	apart   = iota // not at the start of a word, or in a word that is not all ASCII
	first          // begins a whole word
	defined        // begins a whole word after a defining keyword
	camel          // a capital right after the previous subword: sourceMap
	under_         // a further part of the word: source_map
	ties
)

const (
	tieBits = 3
	noWord  = 1<<(32-tieBits) - 1 // not counted: longer than maxWord, or not ASCII
)

func (s symbol) tie() int  { return int(s & (1<<tieBits - 1)) }
func (s symbol) word() int { return int(s >> tieBits) }

// Size returns the memory used by the stream, in bytes.
func (s *Stream) Size() int64 {
	return int64(unsafe.Sizeof(*s)) + int64(cap(s.text)+cap(s.sizes)+2*cap(s.prefixes)+4*cap(s.symbols)+2*cap(s.seq)+8*cap(s.words))
}

// A StreamWriter makes streams, one after the other, and reuses its memory.
type StreamWriter struct {
	data    []byte
	table   []slot // open addressing, by wordKey; the first 1<<bits are in use
	bits    int
	round   uint32
	text    []byte
	sizes   []uint8
	ends    []uint32
	prefix  []uint16
	symbol  [][ties]uint16 // by subword and tie: index in symbols plus one, 0 for none yet; none is that of noWord
	none    [ties]uint16
	symbols []symbol
	seq     []uint16
	run     struct{ end int } // of the current whole word, if that may be an identifier
	last    struct{ end, word int }
	odd     bool
}

type slot struct {
	key   uint64
	word  uint32
	round uint32
	size  uint8
}

// The table starts small, which suits the processor's caches, and grows up to the size at which it
// is half full with as many subwords as there can be symbols.
const (
	fewBits = 12
	maxBits = 17
)

// Make returns the stream of a file, or nil for the few texts that numbers cannot represent
// exactly, which have to be scanned. Of the path, only the language matters.
func (w *StreamWriter) Make(path string, data []byte) *Stream {
	if len(data) > math.MaxInt32 {
		return nil
	}
	w.reset(data)
	s := &Stream{generated: generatedHead(data), size: len(data)}
	if len(data) > 0 && symbols.Language(path) != "" {
		s.words = emptyWords(len(data))
	}
	var before, cur, after masks
	var tail [64]byte
	copy(tail[:], data[len(data)&^63:])
	cur = loadBlock(data, 0, &tail)
	for i := 0; i < len(data) && !w.odd; i += 64 {
		after = loadBlock(data, i+64, &tail)
		for starts := blockStarts(data, i, before, cur, after); starts != 0; starts &= starts - 1 {
			w.writeSubword(i + bits.TrailingZeros64(starts))
		}
		if s.words != nil {
			s.words.addBlock(data, i, before.word, cur.word, after.word)
		}
		before, cur = cur, after
	}
	if w.odd {
		return nil
	}
	s.text, s.sizes, s.prefixes = bytes.Clone(w.text), append([]uint8(nil), w.sizes...), append([]uint16(nil), w.prefix...)
	s.symbols, s.seq = append([]symbol(nil), w.symbols...), append([]uint16(nil), w.seq...)
	return s
}

// blockStarts returns the bytes of a block at which subwords begin.
func blockStarts(data []byte, i int, before, cur, after masks) uint64 {
	starts, last := cur.starts(before, after)
	for ; last != 0; last &= last - 1 {
		if bit := bits.TrailingZeros64(last); !isPlural(data, i+bit) {
			starts |= 1 << bit
		}
	}
	return starts
}

func (w *StreamWriter) reset(data []byte) {
	w.openTable(fewBits)
	w.data, w.odd = data, false
	w.text, w.sizes, w.ends, w.prefix = w.text[:0], w.sizes[:0], w.ends[:0], w.prefix[:0]
	w.symbol, w.none = w.symbol[:0], [ties]uint16{}
	w.symbols, w.seq = w.symbols[:0], w.seq[:0]
	w.run.end, w.last.end, w.last.word = 0, -1, noWord
}

// writeSubword writes the subword that begins at s.
func (w *StreamWriter) writeSubword(s int) {
	e := words.Next(w.data, s)
	word := noWord
	if e-s <= maxWord && isASCII(w.data[s:e]) {
		word = w.wordOf(s, e)
	}
	tie := w.tieOf(s)
	// Text that follows a subword without a gap must be the next subword: otherwise a compound, or
	// an identifier, would read differently here than in the text. If it continues with characters
	// beyond ASCII, it is neither.
	if at := w.last.end; w.last.word != noWord && (s < at || s > at && isAlnum(w.data[at]) && isASCII(w.data[at:words.Next(w.data, at)])) {
		w.odd = true
	}
	w.last.end, w.last.word = e, word
	w.putSymbol(word, tie)
}

func isAlnum(c byte) bool { return c < 0x80 && words.ClassOf(c)&(words.Lower|words.Upper) != 0 }

// tieOf returns the tie of the subword at s to the last one.
func (w *StreamWriter) tieOf(s int) int {
	switch {
	case s == w.last.end && words.ClassOf(w.data[s]) == words.Upper:
		return camel
	case s < w.run.end:
		return under_
	}
	b := s
	for b > 0 && w.data[b-1] == '_' {
		b--
	}
	if b > 0 && words.ClassOf(w.data[b-1]) != words.Separator {
		return apart
	}
	e, letters, plain := s, 0, true
	for ; e < len(w.data) && words.ClassOf(w.data[e]) != words.Separator; e++ {
		if w.data[e] >= 0x80 {
			plain = false
		}
		if w.data[e] != '_' {
			letters++
		}
	}
	if !plain {
		return apart
	}
	w.run.end = e
	if e-s > 2*letters+2 {
		w.odd = true // with so many underscores the length decides whether it is an identifier
	}
	if definedAt(w.data, b) {
		return defined
	}
	return first
}

// definedAt does the same as afterKeyword for the beginning of a word. It first checks whether the
// text before it ends like a defining keyword, which is cheaper.
func definedAt(data []byte, off int) bool {
	e := off
	for e > 0 && (data[e-1] == ' ' || data[e-1] == '*' || data[e-1] == '!') {
		e--
	}
	return e < off && e > 0 && definerEnd[data[e-1]] && afterKeyword(data, off)
}

var definerEnd = func() (t [256]bool) {
	for w := range definers {
		t[w[len(w)-1]] = true
	}
	t[')'] = true // of a receiver
	return t
}()

// openTable starts an empty table with 1<<bits slots.
func (w *StreamWriter) openTable(bits int) {
	if w.bits = bits; len(w.table) < 1<<bits {
		w.table, w.round = make([]slot, 1<<bits), 0
	}
	if w.round++; w.round == 0 {
		clear(w.table)
		w.round = 1
	}
}

// wordOf returns the number of a subword in ASCII, and adds it if it is new.
func (w *StreamWriter) wordOf(s, e int) int {
	b := w.data[s:e]
	key := wordKey(b)
	at := w.findSlot(key, b)
	if at.round == w.round {
		return int(at.word)
	}
	if len(w.sizes) == 1<<(w.bits-1) {
		if w.bits == maxBits {
			w.odd = true
			return noWord
		}
		w.grow()
		at = w.findSlot(key, b)
	}
	*at = slot{key, uint32(len(w.sizes)), w.round, uint8(len(b))}
	w.add(b)
	return int(at.word)
}

// findSlot returns the slot of a subword in the table, or the empty slot where it belongs.
func (w *StreamWriter) findSlot(key uint64, b []byte) *slot {
	mask := uint64(1)<<w.bits - 1
	for i := key * 0x9E3779B97F4A7C15 >> (64 - w.bits); ; i++ {
		at := &w.table[i&mask]
		if at.round != w.round || at.key == key && int(at.size) == len(b) && (len(b) <= 8 || w.same(int(at.word), b)) {
			return at
		}
	}
}

// grow doubles the size of the table.
func (w *StreamWriter) grow() {
	w.openTable(w.bits + 1)
	for i, n := range w.sizes {
		b := w.text[w.ends[i]-uint32(n) : w.ends[i]]
		key := wordKey(b)
		*w.findSlot(key, b) = slot{key, uint32(i), w.round, n}
	}
}

func (w *StreamWriter) same(word int, b []byte) bool {
	return bytes.EqualFold(w.text[int(w.ends[word])-len(b):w.ends[word]], b)
}

// add gives a subword the next number.
func (w *StreamWriter) add(b []byte) {
	at := len(w.text)
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		w.text = append(w.text, c)
	}
	w.sizes = append(w.sizes, uint8(len(b)))
	w.ends = append(w.ends, uint32(len(w.text)))
	w.prefix = append(w.prefix, uint16(prefixHash(w.text[at:], 0)))
	w.symbol = append(w.symbol, [ties]uint16{})
}

// putSymbol appends a symbol to the sequence.
func (w *StreamWriter) putSymbol(word, tie int) {
	known := &w.none
	if word != noWord {
		known = &w.symbol[word]
	}
	if known[tie] == 0 {
		if len(w.symbols) == math.MaxUint16 {
			w.odd = true
			return
		}
		w.symbols = append(w.symbols, symbol(word<<tieBits|tie))
		known[tie] = uint16(len(w.symbols))
	}
	w.seq = append(w.seq, known[tie]-1)
}
