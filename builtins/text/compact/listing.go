package compact

import (
	"fmt"
	"slices"
	"strings"
)

// shortenListing keeps paths as they stand while they fit, those that the subject names first; the others are counted
// by their directory.
func (s *shortener) shortenListing(text string, bytes int) Summary {
	var paths []string
	for line := range strings.SplitSeq(text, "\n") {
		if t := strings.TrimSpace(line); t != "" {
			paths = append(paths, t)
		}
	}
	p := newPicker(s.subject.known)
	for i, path := range paths {
		own := listedWorth + listedWord*float64(len(s.subject.in(path)))
		p.add(unit{text: path, line: i, own: own, like: template(dirOf(path))})
	}
	for share := 10; share >= 6; share -= 2 { // of ten parts, for the paths themselves
		chosen := p.pick(bytes * share / 10)
		out := p.join(chosen)
		if rest := s.leftOut(paths, chosen); rest != "" {
			out += "\n" + rest
		}
		if len(out) <= bytes || share == 6 {
			return Summary{Text: cut(out, bytes), Units: len(paths), Kept: len(chosen)}
		}
	}
	return Summary{}
}

// leftOut counts the paths that were not chosen by their directories, those with most first.
func (s *shortener) leftOut(paths []string, chosen []int32) string {
	taken := map[int32]bool{}
	for _, i := range chosen {
		taken[i] = true
	}
	count := map[string]int{}
	var dirs []string
	for i, p := range paths {
		if taken[int32(i)] {
			continue
		}
		d := dirOf(p)
		if count[d] == 0 {
			dirs = append(dirs, d)
		}
		count[d]++
	}
	if len(dirs) == 0 {
		return ""
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return count[b] - count[a] })
	var parts []string
	for _, d := range dirs[:min(8, len(dirs))] {
		parts = append(parts, fmt.Sprintf("%s (%s)", d, grouped3(count[d])))
	}
	if s.part {
		return note("many of them below %s", strings.Join(dirs[:min(8, len(dirs))], ", "))
	}
	return note("most of them below %s", strings.Join(parts, ", "))
}

// dirOf is the directory of a path.
func dirOf(path string) string {
	if i := strings.LastIndexAny(path, "/\\"); i > 0 {
		return path[:i]
	}
	return "."
}
