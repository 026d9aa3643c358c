//go:build !purego

package coderank

// vectors says that the processor reads 32 bytes at a time.
var vectors = hasAVX2()

func hasAVX2() bool

// siftBlock reads 64 bytes, and two more behind them, into out.
//
//go:noescape
func siftBlock(b *byte, s *sieve, out *classed)
