package match

import "slices"

// finder finds the first occurrence of any of a set of words. It is immutable.
//
// It samples blocks of two bytes at every stride-th position and looks up in a table of 65,536 cells whether
// the block occurs in a word's window, a run of stride blocks chosen to be rare. However a word is aligned,
// one sample falls into its window, so one load in every stride bytes decides almost all of a text. The loads
// do not depend on each other, which makes this faster than skipping ahead by what was read (Wu-Manber,
// Horspool), and case and classes cost nothing: they are more cells.
//
// A single word with a rare byte may be found faster by bytes.IndexByte; stride is 0 then.
type finder struct {
	words   []entry // in order of preference
	bounded bool    // no word character may be right before or after
	first   class   // the bytes a word may begin with

	stride int
	cells  *[1 << 16]uint8 // index into lists of a block, low byte first; 0: in no window
	lists  [][]place

	rare   byte
	offset int
}

// entry is a word, also as a string if each of its classes holds one byte.
type entry struct {
	word word
	lit  string
}

// place says that a block occurs at an offset of a word.
type place struct{ entry, offset int }

func newFinder(words []word, bounded bool) *finder {
	f := &finder{bounded: bounded}
	for _, w := range words {
		lit, _ := w.literal()
		f.words = append(f.words, entry{w, lit})
		w[0].each(f.first.add)
	}
	l := chooseLayout(words)
	f.stride, f.offset = l.stride, l.offset
	if l.stride == 0 {
		f.rare, _ = words[0][l.offset].onlyByte()
		return f
	}
	f.fillTable(words, l)
	return f
}

// fillTable builds the table: for each block the list of the places where it occurs in a window.
func (f *finder) fillTable(words []word, l layout) {
	lists := [][]place{nil}
	var of [1 << 16]int32
	var used []uint16
	for i, w := range words {
		// The highest offset first: of the places of a block, the one whose word begins first is then tried first.
		for off := l.windows[i] + l.stride - 1; off >= l.windows[i]; off-- {
			longer := make(map[int32]int32)
			eachBlock(w, off, func(block uint16) {
				old := of[block]
				if old == 0 {
					used = append(used, block)
				}
				id, ok := longer[old]
				if !ok {
					id = int32(len(lists))
					longer[old] = id
					lists = append(lists, append(slices.Clip(lists[old]), place{i, off}))
				}
				of[block] = id
			})
		}
	}
	f.numberLists(&of, used, lists)
}

// eachBlock calls fn for the blocks that may occur at an offset of w; the last one may have any byte after it.
func eachBlock(w word, off int, fn func(block uint16)) {
	const all = ^uint64(0)
	second := &class{bits: [4]uint64{all, all, all, all}}
	if off+1 < len(w) {
		second = w[off+1]
	}
	w[off].each(func(x byte) {
		second.each(func(y byte) { fn(uint16(x) | uint16(y)<<8) })
	})
}

// numberLists numbers the lists in use. Beyond 255 of them some are merged, which costs time but loses no place.
func (f *finder) numberLists(of *[1 << 16]int32, used []uint16, lists [][]place) {
	f.cells = new([1 << 16]uint8)
	f.lists = make([][]place, 1, 256)
	ids := make([]uint8, len(lists))
	merged := 0
	for _, block := range used {
		old := of[block]
		if ids[old] == 0 {
			if len(f.lists) < 256 {
				f.lists = append(f.lists, nil)
				ids[old] = uint8(len(f.lists) - 1)
			} else {
				ids[old] = uint8(1 + merged%255)
				merged++
			}
			f.lists[ids[old]] = append(f.lists[ids[old]], lists[old]...)
		}
		f.cells[block] = ids[old]
	}
}

// next returns the position of a word at or after from, which must begin a line, or -1. No earlier
// line holds a word; in its own line, words at several offsets may hide one beginning before it.
func (f *finder) next(buf []byte, from int) int {
	if f.stride == 0 {
		return f.nextRare(buf, from)
	}
	return f.skim(buf, from, from)
}

// holdsAt reports whether the word of e is at buf[at:].
func (f *finder) holdsAt(buf []byte, at int, e *entry) bool {
	end := at + len(e.word)
	if end > len(buf) {
		return false
	}
	if e.lit != "" {
		if buf[at] != e.lit[0] || string(buf[at:end]) != e.lit {
			return false
		}
	} else {
		for i := range e.word {
			if !e.word[i].has(buf[at+i]) {
				return false
			}
		}
	}
	return !f.bounded || (at == 0 || !isWordByte(buf[at-1])) && (end == len(buf) || !isWordByte(buf[end]))
}

// leftmost returns the match that regexp would return for the words as an alternation: of those
// beginning first, the one listed first. It looks from start up to at, where a word is known to be.
func (f *finder) leftmost(buf []byte, start, at int) (from, to int) {
	if len(f.words) == 1 {
		return at, at + len(f.words[0].word)
	}
	for i := start; i <= at; i++ {
		if !f.first.has(buf[i]) {
			continue
		}
		for e := range f.words {
			if f.holdsAt(buf, i, &f.words[e]) {
				return i, i + len(f.words[e].word)
			}
		}
	}
	return at, at
}

func isWordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}
