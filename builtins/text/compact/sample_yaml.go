package compact

import "strings"

const (
	maxLevel  = 12 // columns, of the blocks of which some are left out
	fewBlocks = 16
	maxBlocks = 100_000
)

// sampleYAML is YAML within a bound: the lines that are indented least, and below them whole blocks: the first, the
// last, those of the subject and of faults, and some from all over.
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
	var b strings.Builder
	last = 0
	for i, e := range blocks {
		if !keep[i] {
			b.WriteString(text[last:e.from])
			last = e.to
		}
	}
	b.WriteString(text[last:])
	out := b.String()
	if len(out) > 2*most {
		out = cutWhole(out, 2*most)
	}
	return out, true
}

// levelOfBlocks is the least indentation that enough lines have.
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

// findBlocks finds the lines that are indented as far as a level, each with those below it that are indented more.
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

// eachIndent calls fn with where each line begins that is not blank, and how far it is indented, until fn is false.
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
