package chunk

import (
	"slices"
	"strings"
)

// packer combines atoms into chunks.
type packer struct {
	policy Policy
	layout layout
	atoms  []atom
	chunks []Chunk
	path   []int // headings in force before the atom where own begins, as indexes
}

// pack returns the chunks.
func (k *packer) pack() []Chunk {
	for own := 0; own < len(k.atoms); {
		from := k.overlapStart(own)
		end := k.chunkEnd(from, own)
		k.add(from, own, end)
		own = end
	}
	return k.chunks
}

// overlapStart returns the beginning of the chunk whose own text begins at own: earlier by the last
// sentences of the previous chunk, unless a heading is between.
func (k *packer) overlapStart(own int) int {
	if own == 0 || k.atoms[own].heading > 0 {
		return own
	}
	from, sum := own, 0
	for from > 0 && k.atoms[from-1].heading == 0 && k.atoms[from].heading == 0 {
		if sum += k.atoms[from-1].tokens; sum > k.policy.Overlap {
			break
		}
		from--
	}
	return from
}

// chunkEnd returns the end of the chunk that begins at from.
func (k *packer) chunkEnd(from, own int) int {
	sum := 0
	for i := from; i < len(k.atoms); i++ {
		a := k.atoms[i]
		if i > own && a.heading > 0 && k.headingEnds(i, own, sum) {
			return i
		}
		if i > own && sum+a.tokens > k.policy.Most {
			return k.pause(own, i, sum)
		}
		sum += a.tokens
	}
	return len(k.atoms)
}

// headingEnds reports whether a chunk with sum tokens ends before the heading at i: it is long
// enough, or the section would not fit any more. A chunk of headings alone continues.
func (k *packer) headingEnds(i, own, sum int) bool {
	if !slices.ContainsFunc(k.atoms[own:i], func(a atom) bool { return a.heading == 0 }) {
		return false
	}
	if sum >= k.policy.Least {
		return true
	}
	for j := i; j < len(k.atoms) && (j == i || k.atoms[j].heading == 0); j++ {
		if sum += k.atoms[j].tokens; sum > k.policy.Most {
			return true
		}
	}
	return false
}

// pause returns the best place to end a chunk of own to i: the last beginning of a paragraph that
// leaves enough, otherwise i; never after a heading.
func (k *packer) pause(own, i, sum int) int {
	best := i
	for j := i; j > own; j-- {
		if k.atoms[j].opens && k.atoms[j-1].heading == 0 && sum >= k.policy.Least {
			best = j
			break
		}
		sum -= k.atoms[j-1].tokens
	}
	text := best
	for text > own && k.atoms[text-1].heading > 0 {
		text--
	}
	if text == own { // there are only headings
		return best
	}
	return text
}

// add makes a chunk of the atoms from..end.
func (k *packer) add(from, own, end int) {
	c := Chunk{Start: k.atoms[from].start, New: k.atoms[own].start, End: k.atoms[end-1].end}
	for _, a := range k.atoms[from:end] {
		c.Tokens += a.tokens
	}
	paths := k.headingPaths(own, end)
	common := paths[0]
	for _, p := range paths[1:] {
		common = common[:sharedPrefix(common, p)]
	}
	for _, h := range common {
		c.Section = append(c.Section, k.layout.headings[h].text)
	}
	c.Title = k.chunkTitle(common, paths)
	k.chunks = append(k.chunks, c)
}

// headingPaths returns the headings above each part of the atoms own..end that has text, as indexes of
// headings, and keeps the last.
func (k *packer) headingPaths(own, end int) [][]int {
	var list [][]int
	for i := own; i < end; i++ {
		if h := k.atoms[i].heading; h > 0 {
			k.path = k.pathTo(h - 1)
		}
		last := i+1 == end || k.atoms[i+1].heading > 0
		if last && (k.atoms[i].heading == 0 || i+1 == end) {
			list = append(list, k.path)
		}
	}
	return list
}

// pathTo returns the headings in force at a heading, itself the last.
func (k *packer) pathTo(h int) []int {
	var path []int
	for _, above := range k.path {
		if k.layout.headings[above].level < k.layout.headings[h].level {
			path = append(path, above)
		}
	}
	return append(path, h)
}

func sharedPrefix(a, b []int) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// maxNames limits the sections that a title names.
const maxNames = 3

// chunkTitle names the subject of a chunk: its sections, by the last heading above each or, without one,
// by the document.
func (k *packer) chunkTitle(common []int, paths [][]int) string {
	whole := k.layout.title
	if n := len(common); n > 0 {
		whole = k.layout.headings[common[n-1]].text
	}
	var names []string
	for _, p := range paths {
		name := whole
		if len(p) > len(common) {
			name = k.layout.headings[p[len(p)-1]].text
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > maxNames {
		return strings.Join(names[:maxNames], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
