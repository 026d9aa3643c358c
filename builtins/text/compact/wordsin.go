package compact

import "strings"

// wordsIn returns which of some words, of at least three bytes each, occur in a text. It makes one pass however many
// words there are: a rolling hash of three bytes rules out nearly all places.
func wordsIn(text string, words []string) map[string]bool {
	found := make(map[string]bool, len(words))
	var may [1 << 16 / 64]uint64
	by := make(map[uint16][]string, len(words))
	for _, w := range words {
		h := hash3(w)
		may[h/64] |= 1 << (h % 64)
		by[h] = append(by[h], w)
	}
	h := uint16(0)
	for i := range len(text) {
		h = h<<6 ^ uint16(text[i]) // older bytes are shifted out
		if may[h/64]&(1<<(h%64)) == 0 || i < 2 {
			continue
		}
		left := by[h][:0]
		for _, w := range by[h] {
			if strings.HasPrefix(text[i-2:], w) {
				found[w] = true
			} else {
				left = append(left, w)
			}
		}
		if by[h] = left; len(left) == 0 {
			may[h/64] &^= 1 << (h % 64)
		}
	}
	return found
}

// hash3 returns the hash of the first three bytes of a word.
func hash3(w string) uint16 { return uint16(w[0])<<12 ^ uint16(w[1])<<6 ^ uint16(w[2]) }
