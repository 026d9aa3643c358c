package index

// Set is a set of passages, by number. A nil set holds all.
type Set struct{ bits []uint64 }

// NewSet returns an empty set for numbers below n.
func NewSet(n int) *Set { return &Set{make([]uint64, (n+63)/64)} }

// Add puts a passage into the set.
func (s *Set) Add(passage int) { s.bits[passage/64] |= 1 << (passage % 64) }

// Has reports whether a passage is in the set.
func (s *Set) Has(passage int) bool {
	return s == nil || passage/64 < len(s.bits) && s.bits[passage/64]&(1<<(passage%64)) != 0
}
