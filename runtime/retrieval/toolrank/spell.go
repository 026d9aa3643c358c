package toolrank

import "github.com/compactor-mcp/compactor/runtime/base/words"

// indexGrams prepares the search for words with nearly the same spelling.
func (ix *Index) indexGrams() {
	ix.grams = map[[3]byte][]int32{}
	for i := range ix.words {
		for _, g := range grams(ix.stemOf(int32(i))) {
			if l := ix.grams[g]; len(l) == 0 || l[len(l)-1] != int32(i) {
				ix.grams[g] = append(l, int32(i))
			}
		}
	}
}

func (ix *Index) stemOf(id int32) string { return ix.words[id].stem }

// grams returns the runs of three letters of a word, with its ends marked.
func grams(w string) [][3]byte {
	if len(w) < 4 {
		return nil
	}
	out := make([][3]byte, 0, len(w))
	out = append(out, [3]byte{'^', w[0], w[1]})
	for i := 0; i+3 <= len(w); i++ {
		out = append(out, [3]byte{w[i], w[i+1], w[i+2]})
	}
	return append(out, [3]byte{w[len(w)-2], w[len(w)-1], '$'})
}

// nearestWord returns the word of the index that is spelled most like w, which the index does not hold,
// and how similar it is, 0..1; -1 if no word is similar enough.
func (ix *Index) nearestWord(w string) (int32, float64) {
	asked := grams(w)
	if len(asked) == 0 || words.Digits(w) {
		return -1, 0
	}
	shared := map[int32]int{}
	for _, g := range asked {
		for _, id := range ix.grams[g] {
			shared[id]++
		}
	}
	best, top := int32(-1), 0.0
	for id, n := range shared {
		dice := 2 * float64(n) / float64(len(asked)+len(ix.stemOf(id))) // a word has as many grams as letters
		if dice > top || dice == top && id < best {
			best, top = id, dice
		}
	}
	if top < 0.6 {
		return -1, 0
	}
	return best, top
}

// relatedWords returns the words of the index that begin like a word and probably have the same origin:
// multiply and multiplication.
func (ix *Index) relatedWords(id int32) []int32 {
	w := ix.words[id].stem
	if len(w) < 5 || words.Digits(w) {
		return nil
	}
	key := [3]byte{w[0], w[1], w[2]}
	var out []int32
	for _, o := range ix.grams[key] {
		x := ix.words[o].stem
		if o == id || x[:3] != w[:3] {
			continue
		}
		n := 3
		for n < len(w) && n < len(x) && w[n] == x[n] {
			n++
		}
		if n >= 5 && 4*n >= 3*max(len(w), len(x)) {
			out = append(out, o)
		}
	}
	return out
}
