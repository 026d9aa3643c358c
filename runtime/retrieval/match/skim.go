package match

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// skim checks the blocks at i, i+stride, i+2*stride ... and returns the position of a word, at from or later, or -1.
func (f *finder) skim(buf []byte, i, from int) int {
	var at int
	switch f.stride {
	case 1:
		at, i = f.skim1(buf, i, from)
	case 2:
		at, i = f.skim2(buf, i, from)
	case 4:
		at, i = f.skim4(buf, i, from)
	default:
		at, i = f.skim8(buf, i, from)
	}
	for ; at < 0 && i < len(buf); i += f.stride {
		block := uint16(buf[i]) // the byte after the text's end counts as zero
		if i+1 < len(buf) {
			block |= uint16(buf[i+1]) << 8
		}
		at = f.checkBlock(buf, i, f.cells[block], from)
	}
	return at
}

// checkBlock returns the position of a word that contains the block at i, whose list is id, or -1.
func (f *finder) checkBlock(buf []byte, i int, id uint8, from int) int {
	for _, p := range f.lists[id] {
		if at := i - p.offset; at >= from && f.holdsAt(buf, at, &f.words[p.entry]) {
			return at
		}
	}
	return -1
}

// settleHits looks closer at a group of samples, one or more of which hit. It first gathers them in one word
// and then goes from hit to hit, as a branch for each sample would be mispredicted about half of the time.
func (f *finder) settleHits(buf []byte, i, samples, from int) int {
	var ids uint64
	for n := range samples {
		ids |= uint64(f.cells[binary.LittleEndian.Uint16(buf[i+n*f.stride:])]) << (8 * n)
	}
	for ids != 0 {
		n := bits.TrailingZeros64(ids) / 8
		if at := f.checkBlock(buf, i+n*f.stride, uint8(ids>>(8*n)), from); at >= 0 {
			return at
		}
		ids &^= 0xff << (8 * n)
	}
	return -1
}

// skim1 returns a word's position, or -1 and where it stopped, near the end of the text. So do the other three loops.

func (f *finder) skim1(buf []byte, i, from int) (int, int) {
	t := f.cells
	for ; i+9 <= len(buf); i += 8 {
		x, y := binary.LittleEndian.Uint64(buf[i:]), binary.LittleEndian.Uint64(buf[i+1:])
		if t[uint16(x)]|t[uint16(x>>16)]|t[uint16(x>>32)]|t[uint16(x>>48)]|
			t[uint16(y)]|t[uint16(y>>16)]|t[uint16(y>>32)]|t[uint16(y>>48)] != 0 {
			if at := f.settleHits(buf, i, 8, from); at >= 0 {
				return at, i
			}
		}
	}
	return -1, i
}

func (f *finder) skim2(buf []byte, i, from int) (int, int) {
	t := f.cells
	for ; i+16 <= len(buf); i += 16 {
		x, y := binary.LittleEndian.Uint64(buf[i:]), binary.LittleEndian.Uint64(buf[i+8:])
		if t[uint16(x)]|t[uint16(x>>16)]|t[uint16(x>>32)]|t[uint16(x>>48)]|
			t[uint16(y)]|t[uint16(y>>16)]|t[uint16(y>>32)]|t[uint16(y>>48)] != 0 {
			if at := f.settleHits(buf, i, 8, from); at >= 0 {
				return at, i
			}
		}
	}
	return -1, i
}

func (f *finder) skim4(buf []byte, i, from int) (int, int) {
	t := f.cells
	for ; i+16 <= len(buf); i += 16 {
		x, y := binary.LittleEndian.Uint64(buf[i:]), binary.LittleEndian.Uint64(buf[i+8:])
		if t[uint16(x)]|t[uint16(x>>32)]|t[uint16(y)]|t[uint16(y>>32)] != 0 {
			if at := f.settleHits(buf, i, 4, from); at >= 0 {
				return at, i
			}
		}
	}
	return -1, i
}

func (f *finder) skim8(buf []byte, i, from int) (int, int) {
	t, le := f.cells, binary.LittleEndian
	for ; i+32 <= len(buf); i += 32 {
		s := buf[i : i+32 : i+32]
		if t[le.Uint16(s)]|t[le.Uint16(s[8:])]|t[le.Uint16(s[16:])]|t[le.Uint16(s[24:])] != 0 {
			if at := f.settleHits(buf, i, 4, from); at >= 0 {
				return at, i
			}
		}
	}
	return -1, i
}

// nextRare finds the only word by its rarest byte.
func (f *finder) nextRare(buf []byte, from int) int {
	for i := from + f.offset; i < len(buf); i++ {
		j := bytes.IndexByte(buf[i:], f.rare)
		if j < 0 {
			return -1
		}
		if i += j; f.holdsAt(buf, i-f.offset, &f.words[0]) {
			return i - f.offset
		}
	}
	return -1
}
