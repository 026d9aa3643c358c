package redact

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// A token can be cut by what a reader does not see: a zero-width character, or a backslash at the end of a line. The
// text is then looked at once more without them, and the places are moved back.

// joined returns what is found once such cuts inside words are taken out of the text.
func (s *scan) joined() []finding {
	cuts := invisibleCuts(s.text)
	if len(cuts) == 0 {
		return nil
	}
	var b strings.Builder
	at := 0
	before := []int{0} // bytes cut out before each cut, and by all of them
	for i, c := range cuts {
		b.WriteString(s.text[at:c.lo])
		at = c.hi
		before = append(before, before[i]+c.hi-c.lo)
	}
	b.WriteString(s.text[at:])
	view := scan{r: s.r, path: s.path, text: b.String(), watch: s.watch}
	var found []finding
	for _, f := range view.run() {
		if start, end := original(f.start, cuts, before, false), original(f.end, cuts, before, true); end-start > f.end-f.start {
			found = append(found, finding{start, end, f.by})
		}
	}
	return found
}

// leadBytes are the first bytes of all characters that isInvisible knows, and the backslash.
var leadBytes = []byte{'\\', 0xC2, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF3}

// invisibleCuts returns the parts of the text to leave out, in order.
func invisibleCuts(text string) (cuts []window) {
	for _, lead := range leadBytes {
		for at := 0; ; {
			i := strings.IndexByte(text[at:], lead)
			if i < 0 {
				break
			}
			at += i
			n := continuation(text, at)
			if r, size := utf8.DecodeRuneInString(text[at:]); isInvisible(r) {
				n = size
			}
			if n > 0 {
				cuts = append(cuts, window{at, at + n})
			}
			at++
		}
	}
	slices.SortFunc(cuts, func(x, y window) int { return x.lo - y.lo })
	return cuts
}

// continuation returns the length of a backslash and a line end at text[at] within a word, else 0.
func continuation(text string, at int) int {
	n := 0
	switch rest := text[at:]; {
	case at == 0 || !isWord(text[at-1]):
	case strings.HasPrefix(rest, "\\\n"):
		n = 2
	case strings.HasPrefix(rest, "\\\r\n"):
		n = 3
	}
	if n > 0 && at+n < len(text) && isWord(text[at+n]) {
		return n
	}
	return 0
}

// original moves an offset of the joined text back. At a cut, an end stays before it and a start goes behind it.
func original(at int, cuts []window, before []int, end bool) int {
	n := sort.Search(len(cuts), func(i int) bool {
		joined := cuts[i].lo - before[i]
		return joined > at || end && joined == at
	})
	return at + before[n]
}
