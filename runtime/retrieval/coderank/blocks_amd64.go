//go:build !purego

package coderank

// vectors is true if the processor can read 32 bytes at a time.
var vectors = hasAVX2()

func hasAVX2() bool

// siftBlock reads 64 bytes at b, and two more after them, and writes their classes to out.
//
//go:noescape
func siftBlock(b *byte, s *sieve, out *classed)
