package compact

import "strings"

const (
	elementDepth = 4         // maximum depth of the lists whose elements may be left out
	maxElements  = 1_000_000 // maximum number of elements to find
	searched     = 256 << 20 // bytes
)

// element is an object or a list that is an item of a list.
type element struct {
	span
	list int // number of the list
	at   int // index in the list
}

// sampleJSON returns a part of JSON within a limit: of long lists the first elements, the last, those about the subject
// or a fault, and some from all over. It may stop early, too: the result is parsed leniently.
func (s *shortener) sampleJSON(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	elements, counts, end := findElements(text, searched)
	whole := end
	var drop []span
	if len(elements) > 8 {
		left := most
		// everything outside of elements stays
		last := 0
		for _, e := range elements {
			left -= e.from - last
			last = e.to
		}
		left -= end - last
		for i, kept := range s.keepElements(text[:end], elements, counts, left) {
			if !kept {
				drop = append(drop, elements[i].span)
			}
		}
	}
	return cut(withoutSpans(text[:whole], drop), 2*most), true
}

// keepElements selects elements within a number of bytes: the first and last of each list, those about the subject or a
// fault, some from all over, and whatever else fits.
func (s *shortener) keepElements(text string, elements []element, counts []int, left int) []bool {
	wanted := s.wantedElements(text, elements)
	keep := make([]bool, len(elements))
	for _, tier := range []func(i int, e element) bool{
		func(_ int, e element) bool { return e.at < 12 || e.at >= counts[e.list]-4 },
		func(i int, _ element) bool { return wanted[i] },
		func(i int, _ element) bool { return i%max(1, len(elements)/64) == 0 },
		func(int, element) bool { return true },
	} {
		for i, e := range elements {
			if n := e.to - e.from; !keep[i] && n <= left && tier(i, e) {
				keep[i] = true
				left -= n
			}
		}
	}
	return keep
}

// wantedElements returns, for each element, whether the subject names it or it reports a fault.
func (s *shortener) wantedElements(text string, elements []element) []bool {
	out := make([]bool, len(elements))
	words := append(s.subjectNeedles(), "rror", "ailed", "xception")
	for w := range wordsIn(text, words) {
		k := 0
		eachHit(text, w, func(i int) (next, cost int) {
			for k < len(elements) && elements[k].to <= i {
				k++
			}
			if k < len(elements) && elements[k].from <= i {
				out[k] = true
				return elements[k].to, 1
			}
			return i + len(w), 0
		}, maxHits)
	}
	return out
}

// findElements returns the outermost objects and lists that are items of lists, the length of each list, and the offset
// where the search stopped: after most bytes it stops at the end of an element.
func findElements(text string, most int) (out []element, counts []int, end int) {
	type open struct {
		array bool
		list  int
	}
	var stack []open
	inside := -1 // depth of the open element
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			top := len(stack) - 1
			if inside < 0 && top >= 0 && top < elementDepth && stack[top].array {
				inside = len(stack)
				l := stack[top].list
				out = append(out, element{span{i, len(text)}, l, counts[l]})
				counts[l]++
			}
			o := open{array: text[i] == '['}
			if o.array && inside < 0 {
				o.list = len(counts)
				counts = append(counts, 0)
			}
			if len(stack) > 10_000 {
				return out, counts, i
			}
			stack = append(stack, o)
		case '}', ']':
			if len(stack) == 0 {
				continue
			}
			stack = stack[:len(stack)-1]
			if inside == len(stack) {
				inside = -1
				out[len(out)-1].to = i + 1
				if i > most || len(out) >= maxElements {
					return out, counts, i + 1
				}
			}
		}
	}
	return out, counts, len(text)
}

// endOfString returns the offset of the closing quote of the string that begins at i.
func endOfString(text string, i int) int {
	for i++; ; i++ {
		k := strings.IndexByte(text[i:], '"')
		if k < 0 {
			return len(text)
		}
		i += k
		n := 0
		for i-1-n >= 0 && text[i-1-n] == '\\' {
			n++
		}
		if n%2 == 0 {
			return i
		}
	}
}
