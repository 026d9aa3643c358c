package docs

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// quotableParts returns the parts of a passage that may be quoted byte for byte: whole lines that masking
// leaves unchanged in their context, and that contain no terminal control characters.
func quotableParts(p answer.Passage, whole string, mask func(string) string) []answer.Passage {
	from, to := max(0, p.Start-around), min(len(whole), p.End+around)
	plain := whole[from:to]
	masked := mask(plain)
	if masked == plain && sanitize.Controls(p.Text) == p.Text {
		return []answer.Passage{p}
	}
	left := map[string][]int{} // positions of each line in the masked text
	for i, l := range slices.Collect(strings.Lines(masked)) {
		left[l] = append(left[l], i)
	}
	var out []answer.Passage
	at, next := from, 0
	for l := range strings.Lines(plain) {
		start, end := max(at, p.Start), min(at+len(l), p.End)
		at += len(l)
		i, _ := slices.BinarySearch(left[l], next)
		if i == len(left[l]) { // masked
			continue
		}
		next = left[l][i] + 1
		if start >= end || sanitize.Controls(l) != l {
			continue
		}
		if n := len(out); n > 0 && out[n-1].End == start {
			start = out[n-1].Start
			out = out[:n-1]
		}
		out = append(out, cutPassage(p, start, end))
	}
	return out
}

// cutPassage returns the bytes start to end, in document offsets, of a passage.
func cutPassage(p answer.Passage, start, end int) answer.Passage {
	p.Text, p.Start, p.End = p.Text[start-p.Start:end-p.Start], start, end
	return p
}

// withoutCitation removes the bytes of a citation from passages.
func withoutCitation(list []answer.Passage, c answer.Citation) (out []answer.Passage) {
	for _, p := range list {
		if p.URI != c.URI || c.End <= p.Start || p.End <= c.Start {
			out = append(out, p)
			continue
		}
		if c.Start > p.Start {
			out = append(out, cutPassage(p, p.Start, c.Start))
		}
		if c.End < p.End {
			out = append(out, cutPassage(p, c.End, p.End))
		}
	}
	return out
}
