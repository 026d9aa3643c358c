package match

import (
	"bytes"
	"encoding/binary"
)

// skim gives the first position i, i+stride, i+2*stride ... whose block is in some window, or -1.
func (f *finder) skim(buf []byte, i int) int {
	switch f.stride {
	case 1:
		i = f.skim1(buf, i)
	case 2:
		i = f.skim2(buf, i)
	case 4:
		i = f.skim4(buf, i)
	default:
		i = f.skim8(buf, i)
	}
	for ; i < len(buf); i += f.stride {
		if f.cell(buf, i) != 0 {
			return i
		}
	}
	return -1
}

// cell looks up the block at i. Past the end of the text stands a zero byte.
func (f *finder) cell(buf []byte, i int) uint8 {
	block := uint16(buf[i])
	if i+1 < len(buf) {
		block |= uint16(buf[i+1]) << 8
	}
	return f.cells[block]
}

// The four loops stop a little early: at a group of samples with a hit in it, or before the end of the text.

func (f *finder) skim1(buf []byte, i int) int {
	t := f.cells
	for ; i+9 <= len(buf); i += 8 {
		x, y := binary.LittleEndian.Uint64(buf[i:]), binary.LittleEndian.Uint64(buf[i+1:])
		if t[uint16(x)]|t[uint16(x>>16)]|t[uint16(x>>32)]|t[uint16(x>>48)]|
			t[uint16(y)]|t[uint16(y>>16)]|t[uint16(y>>32)]|t[uint16(y>>48)] != 0 {
			break
		}
	}
	return i
}

func (f *finder) skim2(buf []byte, i int) int {
	t := f.cells
	for ; i+16 <= len(buf); i += 16 {
		x, y := binary.LittleEndian.Uint64(buf[i:]), binary.LittleEndian.Uint64(buf[i+8:])
		if t[uint16(x)]|t[uint16(x>>16)]|t[uint16(x>>32)]|t[uint16(x>>48)]|
			t[uint16(y)]|t[uint16(y>>16)]|t[uint16(y>>32)]|t[uint16(y>>48)] != 0 {
			break
		}
	}
	return i
}

func (f *finder) skim4(buf []byte, i int) int {
	t := f.cells
	for ; i+16 <= len(buf); i += 16 {
		x, y := binary.LittleEndian.Uint64(buf[i:]), binary.LittleEndian.Uint64(buf[i+8:])
		if t[uint16(x)]|t[uint16(x>>32)]|t[uint16(y)]|t[uint16(y>>32)] != 0 {
			break
		}
	}
	return i
}

func (f *finder) skim8(buf []byte, i int) int {
	t, le := f.cells, binary.LittleEndian
	for ; i+32 <= len(buf); i += 32 {
		s := buf[i : i+32 : i+32]
		if t[le.Uint16(s)]|t[le.Uint16(s[8:])]|t[le.Uint16(s[16:])]|t[le.Uint16(s[24:])] != 0 {
			break
		}
	}
	return i
}

// nextRare finds the one word by its rarest byte.
func (f *finder) nextRare(buf []byte, from int) int {
	for i := from + f.offset; i < len(buf); i++ {
		j := bytes.IndexByte(buf[i:], f.rare)
		if j < 0 {
			return -1
		}
		if i += j; f.holds(buf, i-f.offset, &f.words[0]) {
			return i - f.offset
		}
	}
	return -1
}
