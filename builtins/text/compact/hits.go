package compact

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// splitHit takes a line of a search apart: path:12:text of a match, path-12-text of a line beside one.
func splitHit(line string) (path, number, text string, ok bool) {
	for i := 1; i < len(line); i++ {
		c := line[i]
		if c == ' ' || c == '\t' || c == '"' || c == '(' {
			break
		}
		if c != ':' && c != '-' {
			continue
		}
		k := i + 1
		for k < len(line) && isDigit(line[k]) {
			k++
		}
		if k == i+1 || k == len(line) || line[k] != c {
			continue
		}
		at := line[:i]
		bare := strings.TrimRight(at, "0123456789-_.") // of app.log.2024-01-15, of which app.log.2024 is no file
		isYear := len(at) == len(bare)+5
		if namesFile(at) && !(c == '-' && isYear) || c == ':' && namesFile(bare) {
			return at, line[i+1 : k], line[k+1:], true
		}
	}
	return "", "", "", false
}

// namesFile reports whether a path ends in a name with an ending, as those of files do.
func namesFile(path string) bool {
	name := path[strings.LastIndexAny(path, "/\\")+1:]
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || dot == len(name)-1 || len(name)-dot > 12 {
		return false
	}
	for i := dot + 1; i < len(name); i++ {
		if !isAlnum(name[i]) {
			return false
		}
	}
	return true
}

// hit is one line of one file that a search found.
type hit struct {
	file   int
	number string
	text   string
	match  bool
}

// shortenHits groups what a search found by file. Every file is named where that fits, and the lines that tell most
// are kept.
func (s *shortener) shortenHits(text string, bytes int) Summary {
	var files []string
	at := map[string]int{}
	var all []hit
	var others strings.Builder
	units := 0
	for line := range strings.SplitSeq(text, "\n") {
		path, number, rest, ok := splitHit(line)
		if !ok {
			if line != "" && line != "--" {
				others.WriteString(line + "\n")
			}
			continue
		}
		units++
		f, seen := at[path]
		if !seen {
			f = len(files)
			at[path] = f
			files = append(files, path)
		}
		all = append(all, hit{f, number, squeeze(rest), line[len(path)] == ':'})
	}
	rest := s.aside(others.String(), max(bytes/asideShare, leastAside))
	chosen, bare := s.chooseHits(all, files, bytes-partNote-len(rest))
	var b strings.Builder
	kept, shown := 0, 0
	for f, path := range files {
		lines, ok := chosen[f]
		if !ok {
			continue
		}
		shown++
		b.WriteString(path)
		sort.Slice(lines, func(i, j int) bool { return lineNumber(lines[i].number) < lineNumber(lines[j].number) })
		for i, h := range lines {
			b.WriteString([]string{": ", "; "}[min(i, 1)] + h.number + " " + h.text)
		}
		for i, h := range bare[f] { // apart from those with their text, so that none is taken for that of another
			switch {
			case i > 0:
				b.WriteString(", ")
			case len(lines) > 0:
				b.WriteString(" " + omission + " also at ")
			default:
				b.WriteString(": ")
			}
			b.WriteString(h.number)
		}
		kept += len(lines) + len(bare[f])
		b.WriteByte('\n')
	}
	left := leftOf(len(files)-shown, len(files), "files")
	return Summary{Text: strings.TrimSuffix(b.String(), "\n") + rest, Units: units, Kept: kept, left: left}
}

func lineNumber(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

const hitBytes = 110 // of a line at most

// chooseHits is which lines of which files are shown.
func (s *shortener) chooseHits(all []hit, files []string, bytes int) (chosen, bare map[int][]hit) {
	p := s.newPicker(len(all))
	p.beside = 1
	first := map[int]bool{}
	named := make([]float64, len(files)) // what the subject names in a line of a file
	found := make([]int, len(s.subject.words.words)+1)
	words := make([]wordHits, len(all))
	for i, h := range all {
		words[i] = s.subject.in(h.text)
		for _, w := range words[i] {
			found[w]++
		}
	}
	for i, h := range all {
		t := cutMarked(h.text, hitBytes)
		own := .2
		if h.match {
			own = hitMatch
		}
		if defines(h.text) {
			own += hitDefines
		}
		for _, w := range words[i] {
			v := math.Pow(float64(found[w]), -hitRare)
			own += hitWord * v
			named[h.file] = max(named[h.file], v)
		}
		if !first[h.file] {
			first[h.file] = true
			own += hitFirst // one line of each file before more of one
		}
		p.add(unit{text: t, number: h.number, own: own, like: template(t)})
	}
	out := map[int][]hit{}
	left := bytes
	for _, f := range files {
		left -= len(f) + 3
	}
	if left < bytes/4 {
		// names alone would take it all: as many as leave room for some of their lines
		left = bytes
		for _, f := range bestFiles(files, named) {
			if left -= len(files[f]) + 3; left < bytes/4 {
				break
			}
			out[f] = nil
		}
	} else {
		for f := range files {
			out[f] = nil
		}
	}
	for i := range p.units {
		if _, ok := out[all[i].file]; !ok {
			p.units[i].text = ""
		}
	}
	numbers := 0
	for _, h := range all {
		if _, ok := out[h.file]; ok && h.match {
			numbers += len(h.number) + 2
		}
	}
	spare := min(numbers, left/6)
	left -= spare
	shown := map[int32]bool{}
	for _, i := range p.pick(left) {
		h := all[i]
		h.text = p.units[i].text
		cost := len(h.number) + 3 + len(h.text)
		if left < cost {
			continue
		}
		left -= cost
		shown[i] = true
		out[h.file] = append(out[h.file], h)
	}
	left += spare
	bare = map[int][]hit{}
	for i, h := range all {
		cost := len(h.number) + 2 + costOfAlso(len(out[h.file]), len(bare[h.file]))
		if _, ok := out[h.file]; !ok || !h.match || shown[int32(i)] || left < cost {
			continue
		}
		left -= cost
		bare[h.file] = append(bare[h.file], h)
	}
	return out, bare
}

// costOfAlso is what the first bare number of a file takes besides itself where lines with their text stand before it.
func costOfAlso(lines, bare int) int {
	if lines == 0 || bare > 0 {
		return 0
	}
	return len(" … also at ")
}

// bestFiles are the files in which the subject is named, then the others in their order.
func bestFiles(files []string, named []float64) []int {
	out := make([]int, len(files))
	for i := range out {
		out[i] = i
	}
	sort.SliceStable(out, func(a, b int) bool { return named[out[a]] > named[out[b]] })
	return out
}
