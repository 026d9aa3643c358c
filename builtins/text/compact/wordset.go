package compact

// wordSet is a set of lower-case words. The first byte and the length rule out most words of a text before anything is
// hashed.
type wordSet struct {
	words   map[string]int32 // numbered from 1
	lengths [256]uint64      // by first byte
}

func newWordSet(words ...string) wordSet {
	s := wordSet{words: map[string]int32{}}
	for _, w := range words {
		s.add(w)
	}
	return s
}

func (s *wordSet) add(w string) {
	if w != "" && s.words[w] == 0 {
		s.words[w] = int32(len(s.words)) + 1
		s.lengths[w[0]] |= 1 << min(len(w), 63)
	}
}

func (s *wordSet) has(w []byte) bool {
	return len(w) > 0 && s.lengths[w[0]]&(1<<min(len(w), 63)) != 0 && s.words[string(w)] > 0
}

// mayHave reports whether a word with that first byte, in any case, and that length can be in the set.
func (s *wordSet) mayHave(first byte, length int) bool {
	if isUpper(first) {
		first += 'a' - 'A'
	}
	return s.lengths[first]&(1<<min(length, 63)) != 0
}
