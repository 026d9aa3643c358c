package compact

import "hash/maphash"

// numbers assigns numbers to texts, from 0, in order of first occurrence. It keeps hashes and not the texts, for a
// fraction of the time and memory of a map; collisions of 64-bit hashes are not handled.
type numbers struct {
	slots  []int32 // by hash, each holding a number plus one; 0 is free
	hashes []uint64
}

var seedOfNumbers = maphash.MakeSeed()

// newNumbers returns numbers with room for n texts.
func newNumbers(n int) *numbers {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &numbers{slots: make([]int32, size), hashes: make([]uint64, 0, n)}
}

// of returns the number of a text, and whether it is new.
func (n *numbers) of(text string) (number int32, fresh bool) {
	return n.ofHash(maphash.String(seedOfNumbers, text))
}

func (n *numbers) ofHash(h uint64) (number int32, fresh bool) {
	slot := n.slot(h)
	if *slot > 0 {
		return *slot - 1, false
	}
	if len(n.hashes)*2 >= len(n.slots) {
		n.grow()
		slot = n.slot(h)
	}
	n.hashes = append(n.hashes, h)
	*slot = int32(len(n.hashes))
	return *slot - 1, true
}

// slot returns the slot of a hash, or the free slot where it belongs.
func (n *numbers) slot(h uint64) *int32 {
	last := uint64(len(n.slots) - 1)
	i := h & last
	for n.slots[i] != 0 && n.hashes[n.slots[i]-1] != h {
		i = (i + 1) & last
	}
	return &n.slots[i]
}

func (n *numbers) grow() {
	n.slots = make([]int32, 2*len(n.slots))
	for i, h := range n.hashes {
		*n.slot(h) = int32(i) + 1
	}
}

func (n *numbers) clear() {
	clear(n.slots)
	n.hashes = n.hashes[:0]
}

func (n *numbers) len() int { return len(n.hashes) }
