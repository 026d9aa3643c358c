package compact

import "strings"

const (
	maxLevel  = 12 // columns, of blocks that may be left out
	fewBlocks = 16
	maxBlocks = 100_000
)

// sampleYAML returns a part of YAML within a limit: the least indented lines, and whole blocks below them: the first,
// the last, those about the subject or a fault, and some from all over.
func (s *shortener) sampleYAML(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	text = text[:min(len(text), searched)]
	blocks := findBlocks(text, levelOfBlocks(text))
	counts := []int{len(blocks)}
	left := most
	last := 0
	for _, e := range blocks {
		left -= e.from - last
		last = e.to
	}
	keep := s.keepElements(text, blocks, counts, left-(len(text)-last))
	var drop []span
	for i, e := range blocks {
		if !keep[i] {
			drop = append(drop, e.span)
		}
	}
	return cutWhole(withoutSpans(text, drop), 2*most), true
}

// levelOfBlocks returns the smallest indentation that enough lines have.
func levelOfBlocks(text string) int {
	var count [maxLevel + 1]int
	eachIndent(text, func(_, indent int) bool {
		if indent <= maxLevel {
			count[indent]++
		}
		return true
	})
	for level, n := range count {
		if n >= fewBlocks {
			return level
		}
	}
	return maxLevel
}

// findBlocks returns blocks: each line indented to a level, with the more indented lines after it.
func findBlocks(text string, level int) []element {
	var out []element
	eachIndent(text, func(i, indent int) bool {
		if indent > level {
			return true
		}
		if n := len(out); n > 0 && out[n-1].to == len(text) {
			out[n-1].to = i
		}
		if indent == level {
			out = append(out, element{span{i, len(text)}, 0, len(out)})
		}
		return len(out) < maxBlocks
	})
	return out
}

// eachIndent calls fn with the offset and the indentation of each line that is not blank, until fn returns false.
func eachIndent(text string, fn func(i, indent int) bool) {
	for i := 0; i < len(text); {
		k := i
		for k < len(text) && text[k] == ' ' {
			k++
		}
		if k < len(text) && text[k] != '\n' && text[k] != '\r' && !fn(i, k-i) {
			return
		}
		end := strings.IndexByte(text[k:], '\n')
		if end < 0 {
			return
		}
		i = k + end + 1
	}
}
