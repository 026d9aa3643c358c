package compact

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// splitHit parses a line of a search: path:12:text for a match, path-12-text for a line of its context.
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
		bare := strings.TrimRight(at, "0123456789-_.") // of app.log.2024-01-15, where app.log.2024 is not a file
		isYear := len(at) == len(bare)+5
		if namesFile(at) && !(c == '-' && isYear) || c == ':' && namesFile(bare) {
			return at, line[i+1 : k], line[k+1:], true
		}
	}
	return "", "", "", false
}

// namesFile reports whether a path ends in a name with an extension, like those of files.
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

// hit is a line of a file that a search found.
type hit struct {
	file   int
	number string
	text   string
	match  bool
}

// shortenHits groups search results by file. Every file is named if they all fit, and the most informative lines are
// kept.
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
		if line[len(path)] == ':' {
			units++
		}
		f, seen := at[path]
		if !seen {
			f = len(files)
			at[path] = f
			files = append(files, path)
		}
		all = append(all, hit{f, number, squeeze(rest), line[len(path)] == ':'})
	}
	head, below := commonDir(files, bytes)
	for f, path := range files {
		files[f] = path[len(below):]
	}
	rest := s.shortenAside(others.String(), max(bytes/asideShare, minAside))
	counts := countsOfHits(all, len(files), s.part)
	chosen, bare := s.chooseHits(all, files, counts, bytes-partNote-len(rest)-len(head))
	var b strings.Builder
	b.WriteString(head)
	kept, shown := 0, 0
	for f, path := range files {
		lines, ok := chosen[f]
		if !ok {
			continue
		}
		shown++
		b.WriteString(path)
		if counts[f].n > len(lines)+len(bare[f]) {
			b.WriteString(counts[f].mark)
		}
		writeHits(&b, lines, bare[f])
		kept += len(bare[f])
		for _, h := range lines {
			if h.match {
				kept++
			}
		}
		b.WriteByte('\n')
	}
	left := leftOf(len(files)-shown, len(files), "files")
	return Summary{Text: strings.TrimSuffix(b.String(), "\n") + rest, Units: units, Kept: kept, left: left}
}

// writeHits writes the shown hits of a file after its path: lines with their text, then the numbers of others.
func writeHits(b *strings.Builder, lines, bare []hit) {
	slices.SortStableFunc(lines, compareNumbers)
	for i, h := range lines {
		b.WriteString([]string{": ", "; "}[min(i, 1)] + h.number)
		if !h.match {
			b.WriteByte('-') // as grep marks lines of context
		}
		b.WriteString(" " + h.text)
	}
	for i, h := range bare { // separate from those with text, so that no number seems to belong to a text
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
}

// commonDir returns the longest directory, with its slash, that all paths begin with, and the line that names it. Both
// are "" if that would save little of a number of bytes: a path that can be copied is worth more.
func commonDir(paths []string, bytes int) (line, dir string) {
	if len(paths) < 2 {
		return "", ""
	}
	dir = parentOf(paths[0])
	for _, p := range paths[1:] {
		for !strings.HasPrefix(p, dir) || p == dir && dir != "" { // no path may become empty
			dir = parentOf(dir)
		}
	}
	if len(dir) < minHead || len(dir)*len(paths)*headSaves < bytes {
		return "", ""
	}
	return "below " + dir + ":\n", dir
}

// parentOf returns the directory of a path with its slash, or "" if it has none.
func parentOf(path string) string {
	return path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
}

const (
	minHead   = 5 // bytes of such a directory
	headSaves = 4 // it must save at least 1/headSaves of a summary
)

func compareNumbers(a, b hit) int { return cmp.Compare(lineNumber(a.number), lineNumber(b.number)) }

func lineNumber(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

const (
	hitBytes   = 110 // maximum length of a line
	namesLeave = 3   // 1/namesLeave of the room is reserved for hits when files are named
)

// chooseHits returns the lines to show of each file: those with their text, and those as bare numbers.
func (s *shortener) chooseHits(all []hit, files []string, counts []hitCount, bytes int) (chosen, bare map[int][]hit) {
	isTest := make([]bool, len(files))
	for f, path := range files {
		isTest[f] = namesTest(path)
	}
	p, named := s.weighHits(all, isTest)
	out, left := filesOfHits(files, counts, bestFiles(named, isTest), bytes)
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
	spare := min(numbers, left/5)
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
	add := func(fits func(h hit) bool) {
		for i, h := range all {
			cost := len(h.number) + 2 + costOfAlso(len(out[h.file]), len(bare[h.file]))
			if _, ok := out[h.file]; !ok || !h.match || shown[int32(i)] || left < cost || !fits(h) {
				continue
			}
			left -= cost
			shown[int32(i)] = true
			bare[h.file] = append(bare[h.file], h)
		}
	}
	add(func(h hit) bool { return len(out[h.file])+len(bare[h.file]) == 0 }) // a line of each file before more of one
	add(func(h hit) bool { return !isTest[h.file] })
	add(func(hit) bool { return true })
	for _, of := range bare {
		slices.SortFunc(of, compareNumbers)
	}
	return out, bare
}

// hitCount is the number of hits of a file, and the text after its path that says so if some are not shown.
type hitCount struct {
	n    int
	mark string
}

func countsOfHits(all []hit, files int, part bool) []hitCount {
	counts := make([]hitCount, files)
	for _, h := range all {
		if h.match {
			counts[h.file].n++
		}
	}
	for f, c := range counts {
		switch {
		case part:
			counts[f].mark = " " + note("at least %v hits", c.n)
		case c.n > 1:
			counts[f].mark = " [" + withCommas(c.n) + " hits]"
		}
	}
	return counts
}

// weighHits makes units of hits. named has, for each file, the worth of what the subject names in it, or the constant
// decides if the file defines the searched name.
func (s *shortener) weighHits(all []hit, isTest []bool) (p *picker, named []float64) {
	p, named = s.newPicker(len(all)), make([]float64, len(isTest))
	p.beside = 1
	found := make([]int, len(s.subject.words.words)+1)
	words := make([]wordHits, len(all))
	for i, h := range all {
		words[i] = s.subject.wordsOf(h.text)
		for _, w := range words[i] {
			found[w]++
		}
	}
	term := searchedName(all)
	first := map[int]bool{}
	for i, h := range all {
		t := cutMarked(h.text, hitBytes)
		own := .2
		if h.match {
			own = hitMatch
		}
		switch {
		case definesTerm(h.text, term):
			own += decides
			named[h.file] = decides
		case beginsDefinition(h.text):
			own += hitDefines
		}
		if isTest[h.file] {
			own -= hitTest
		}
		for _, w := range words[i] {
			v := math.Pow(float64(found[w]), -hitRare)
			if own += hitWord * v; found[w] <= fewNamed {
				own += hitFirst
			}
			named[h.file] = max(named[h.file], v)
		}
		if !first[h.file] {
			first[h.file] = true
			own += hitFirst // one line of each file before more of one
		}
		p.add(unit{text: t, number: h.number, own: own, like: templateHash(t)})
	}
	return p, named
}

// filesOfHits chooses the files to name, and returns the bytes left for their hits: if the names of all files left too
// little, as many of the best as leave room for some lines.
func filesOfHits(files []string, counts []hitCount, best []int, bytes int) (named map[int][]hit, left int) {
	named, left = map[int][]hit{}, bytes
	for f, path := range files {
		left -= len(path) + 3 + len(counts[f].mark)
	}
	if left >= bytes/namesLeave {
		for f := range files {
			named[f] = nil
		}
		return named, left
	}
	left = bytes
	for _, f := range best {
		if left -= len(files[f]) + 3 + len(counts[f].mark); left < bytes/namesLeave {
			break
		}
		named[f] = nil
	}
	return named, left
}

// searchedName returns the longest name that nearly all matches contain, or "".
func searchedName(all []hit) string {
	count, matches := map[string]int{}, 0
	for _, h := range all {
		if !h.match {
			continue
		}
		if matches++; matches > maxTermed {
			break
		}
		here := map[string]bool{}
		for _, w := range strings.FieldsFunc(cut(h.text, 4*hitBytes), func(r rune) bool { return r < utf8.RuneSelf && !isWordByte(byte(r)) && r != '$' }) {
			if len(w) > 2 && !here[w] {
				here[w] = true
				count[w]++
			}
		}
	}
	term := ""
	for w, n := range count {
		if n*10 >= matches*9 && (len(w) > len(term) || len(w) == len(term) && w < term) {
			term = w
		}
	}
	return term
}

const maxTermed = 200 // matches that the searched name is inferred from

// definesTerm reports whether a line defines a name: after a defining keyword, or before an equals sign.
func definesTerm(line, term string) bool {
	if term == "" {
		return false
	}
	i := strings.Index(line, term)
	if i < 0 || i+len(term) < len(line) && isWordByte(line[i+len(term)]) {
		return false
	}
	before, after := strings.TrimSpace(line[:i]), strings.TrimLeft(line[i+len(term):], " ")
	if before == "" {
		return hasPrefix(after, "= ", ":= ")
	}
	return beginsDefinition(line) && !strings.ContainsAny(before, "=.,;{}\"'`") && (strings.Count(before, " ") < 4 || strings.HasSuffix(before, ")"))
}

// costOfAlso returns the additional cost of the first bare number of a file that also shows lines with their text.
func costOfAlso(lines, bare int) int {
	if lines == 0 || bare > 0 {
		return 0
	}
	return len(" … also at ")
}

// bestFiles returns the files by worth: those that define the searched name, those that mention the subject, then the
// others in order, tests last.
func bestFiles(named []float64, isTest []bool) []int {
	out := indexesOf(named)
	slices.SortStableFunc(out, func(a, b int) int {
		switch {
		case named[a] != named[b]:
			return cmp.Compare(named[b], named[a])
		case isTest[a] == isTest[b]:
			return 0
		case isTest[b]:
			return -1
		}
		return 1
	})
	return out
}
