package compact

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

const (
	minFolded   = 3  // similar findings that are folded into one
	maxVaried   = 2  // words in which they may differ
	maxWords    = 40 // total bytes of those words
	minPlaces   = 80 // bytes that any list of places may take
	placesShare = 2  // lists of places take at most 1/placesShare of a summary
	maxFoldable = 600
	maxBelow    = 16 // lines below a finding that may say what is wrong

	bytesOfPlace = 8 // approximate bytes of a place in a list
)

// diagnostic is a parsed finding of a compiler or a linter: where it is, and what it says.
type diagnostic struct {
	line   int // of the output
	file   string
	at     string   // line of the file
	says   string   // its message with a mark for each word that may vary
	varies []string // those words
}

// foldAlike folds diagnostics that say the same at many places, except for quoted text, identifiers with digits and a
// name at their end. The first one stays, with a note of the places of the others, which are dropped with their
// details. The most frequent ones are folded first, until the rest would fit.
func (s *shortener) foldAlike(lines []string, classes []class, over []int32, bytes int) (places map[int]string, folded map[int]int) {
	groups, all := groupFindings(lines, classes, over)
	groups = slices.DeleteFunc(groups, func(g *alikeFindings) bool { return len(g.of) < minFolded })
	slices.SortStableFunc(groups, func(a, b *alikeFindings) int { return cmp.Compare(b.saves, a.saves) })
	n := 0
	for ; n < len(groups) && all > bytes; n++ {
		all -= groups[n].saves
	}
	if groups = groups[:n]; n == 0 {
		return nil, nil
	}
	slices.Reverse(groups)
	places, folded = map[int]string{}, map[int]int{}
	dropped := make([]bool, len(lines))
	last := lastFinding(classes)
	room := bytes / placesShare
	for k, g := range groups { // what short lists leave is for the long ones
		first, others := g.of[0].line, len(g.of)-1
		for _, d := range g.of[1:] {
			if dropped[d.line] = true; d.line == last { // the last words of a program are not a detail
				for k := last + 1 + detailsOf(lines, classes, first); k < len(lines); k++ {
					over[k] = -1
				}
			}
		}
		folded[first] = others
		places[first] = note("%s more like it: %s", s.formatCount(others), placesOf(g.of, max(room/(n-k), minPlaces)))
		room -= len(places[first])
	}
	dropFolded(lines, classes, over, dropped)
	return places, folded
}

// groupFindings groups the findings by their message, and returns how many bytes all of them take with their headings.
func groupFindings(lines []string, classes []class, over []int32) (groups []*alikeFindings, all int) {
	where := "" // the package or the directory that paths are relative to
	byText := map[string]*alikeFindings{}
	size := sizesOfFindings(lines, classes, over)
	heading := int32(-1)
	for k, c := range classes {
		if hasPrefix(lines[k], "# ") || strings.Contains(lines[k], "ing directory ") {
			where = lines[k]
		}
		if c != finding && c != warned {
			continue
		}
		if all += size[k]; over[k] >= 0 && over[k] != heading {
			heading = over[k]
			all += len(lines[heading]) + 1
		}
		d := readDiagnostic(lines, classes, over, k)
		if d.file == "" {
			continue
		}
		key := where + strconv.Itoa(int(c)) + d.says
		g := byText[key]
		if g == nil {
			g = &alikeFindings{}
			byText[key] = g
			groups = append(groups, g)
		}
		if len(g.of) > 0 {
			if len(changedWords(g.of[0].varies, d.varies)) > maxVaried {
				continue
			}
			g.saves += size[k] - bytesOfPlace
		}
		g.of = append(g.of, d)
	}
	return groups, all
}

// lastFinding returns the line of the last finding.
func lastFinding(classes []class) int {
	k := len(classes) - 1
	for k >= 0 && classes[k] != finding && classes[k] != warned {
		k--
	}
	return k
}

// detailsOf counts the lines after a finding that belong to it.
func detailsOf(lines []string, classes []class, k int) int {
	n := 0
	for k++; k < len(lines) && isPartOfFinding(lines[k], classes[k]); k++ {
		n++
	}
	return n
}

// alikeFindings are findings with the same message, and the bytes saved by folding them.
type alikeFindings struct {
	of    []diagnostic
	saves int
}

// sizesOfFindings returns, for each line that begins a finding, the bytes it takes with its details.
func sizesOfFindings(lines []string, classes []class, over []int32) []int {
	size, root := make([]int, len(lines)), make([]int, len(lines))
	for k, l := range lines {
		root[k] = k
		if over[k] >= 0 && isPartOfFinding(l, classes[k]) {
			root[k] = root[over[k]]
		}
		if classes[k] != dull {
			size[root[k]] += len(l) + 1
		}
	}
	return size
}

// isPartOfFinding reports whether a line belongs to the finding before it: if a program goes on with something else,
// the line is not indented.
func isPartOfFinding(l string, c class) bool {
	switch {
	case c == finding || c == warned:
		return false
	case l == "", l[0] == ' ', l[0] == '\t', hasPrefix(l, "note:", "help:", "|", "=", "..."):
		return true
	}
	if number, _, ok := strings.Cut(l, "|"); ok && strings.Trim(number, "0123456789 ") == "" { // a line of code
		return true
	}
	_, placed := afterPlace(l) // a note about another place
	return placed && c == detail
}

// dropFolded drops findings with their details, and lines that lose all their children.
func dropFolded(lines []string, classes []class, over []int32, dropped []bool) {
	had, holds := make([]bool, len(over)), make([]bool, len(over)) // whether a line had children, and whether it still has some
	for k, of := range over {
		if of >= 0 {
			had[of] = true
			dropped[k] = dropped[k] || dropped[of] && isPartOfFinding(lines[k], classes[k])
		}
	}
	for k := len(over) - 1; k >= 0; k-- {
		dropped[k] = dropped[k] || had[k] && !holds[k]
		if of := over[k]; of >= 0 {
			holds[of] = holds[of] || holds[k] || !dropped[k]
		}
		if dropped[k] {
			classes[k] = dull
		}
	}
}

// readDiagnostic parses the finding that begins at line k; its file is "" if the line names none.
func readDiagnostic(lines []string, classes []class, over []int32, k int) diagnostic {
	t := squeeze(lines[k])
	d := diagnostic{line: k}
	if len(t) > maxFoldable || strings.IndexByte(t, 0) >= 0 { // the mark for a word
		return d
	}
	rest, ok := afterPlace(t)
	if !ok { // Rust: the place is on the next line
		if k+1 == len(lines) {
			return d
		}
		at, ok := strings.CutPrefix(strings.TrimSpace(lines[k+1]), "--> ")
		if !ok {
			return d
		}
		d.file, d.at = splitPlace(at)
		d.says, d.varies = maskWords(t + saysBelow(lines, classes, k))
		return d
	}
	d.file, d.at = splitPlace(strings.TrimRight(t[:len(t)-len(rest)], ": "))
	if d.at == "" && over[k] >= 0 { // eslint: the file is on the parent line
		d.file, d.at = strings.TrimSpace(lines[over[k]]), d.file
	}
	d.says, d.varies = maskWords(strings.TrimLeft(rest, " :-") + saysBelow(lines, classes, k))
	return d
}

// saysBelow returns the messages in the details of a finding: the text after the marks of rustc, and lines of their own
// of tsc, gcc and javac. Code and the marks below it are left out.
func saysBelow(lines []string, classes []class, k int) string {
	var out strings.Builder
	for n := k + 1; n < min(len(lines), k+maxBelow) && out.Len() < maxFoldable && isPartOfFinding(lines[n], classes[n]); n++ {
		t := squeeze(lines[n])
		if i := strings.LastIndexByte(t, '^'); i >= 0 {
			if says := strings.TrimSpace(t[i+1:]); says != "" && strings.IndexByte(says, 0) < 0 && !hasPrefix(says, "help", "~") {
				out.WriteString("; " + says)
			}
			continue
		}
		isCode := n+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n+1]), "^")
		if t == "" || isCode || strings.IndexByte(t, 0) >= 0 || strings.Contains(t, "|") || hasPrefix(t, "--> ", "=", "help", "...", "location:", "~") || strings.Trim(t, "~^ ") == "" {
			continue
		}
		if rest, ok := afterPlace(t); ok {
			t = strings.TrimLeft(rest, " :")
		}
		out.WriteString("; " + t)
	}
	return out.String()
}

// splitPlace splits path:12:3, path(12,3) and 12:3 into the path and the line.
func splitPlace(place string) (file, line string) {
	if i := strings.LastIndexByte(place, '('); i > 0 {
		line, _, _ = strings.Cut(place[i+1:], ",")
		return place[:i], strings.TrimSuffix(line, ")")
	}
	file, last, _ := cutAtLast(place)
	if path, line, ok := cutAtLast(file); ok && line != "" && strings.Trim(line, "0123456789") == "" {
		return path, line
	}
	if strings.Trim(file, "0123456789") == "" { // a line and a column alone
		return file, ""
	}
	return file, last
}

func cutAtLast(s string) (before, after string, ok bool) {
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// quotes are the quotation marks of messages.
var quotes = []struct{ open, close string }{{"'", "'"}, {`"`, `"`}, {"`", "`"}, {"‘", "’"}, {"“", "”"}}

// maskWords returns a message with a mark for each quoted text, each word with a digit and the name at its end, and the
// masked words.
func maskWords(message string) (says string, varies []string) {
	var b strings.Builder
	mask := func(word string) {
		b.WriteByte(0)
		varies = append(varies, word)
	}
	for i := 0; i < len(message); {
		if n := quotedLen(message, i); n > 0 {
			mask(message[i : i+n])
			i += n
			continue
		}
		start := i
		digit := false
		for i < len(message) && isWordByte(message[i]) {
			digit = digit || isDigit(message[i])
			i++
		}
		switch word := message[start:i]; {
		case i == start:
			b.WriteByte(message[i])
			i++
		case digit, i == len(message) && strings.HasSuffix(message[:start], ": "):
			mask(word)
		default:
			b.WriteString(word)
		}
	}
	return b.String(), varies
}

// quotedLen returns the length of the quoted text at offset i of a message; 0 if none begins there.
func quotedLen(message string, i int) int {
	for _, q := range quotes {
		if !strings.HasPrefix(message[i:], q.open) || i > 0 && isWordByte(message[i-1]) && q.open != "‘" {
			continue
		}
		if n := strings.Index(message[i+len(q.open):], q.close); n >= 0 {
			return len(q.open) + n + len(q.close)
		}
	}
	return 0
}

// changedWords returns the words of b that differ from those of a; if they are too long, more than maxVaried.
func changedWords(a, b []string) []string {
	var out []string
	size := 0
	for i, w := range b {
		if w != a[i] {
			out = append(out, w)
			size += len(w)
		}
	}
	if size > maxWords {
		return make([]string, maxVaried+1)
	}
	return out
}

// fileOfPlaces is a file and the places of findings in it.
type fileOfPlaces struct {
	name  string
	lines []string
}

// placesOf lists the places of all diagnostics but the first: all lines if there is room, else the first ones of each
// file with their number, else only the files with the most.
func placesOf(all []diagnostic, room int) string {
	var files []fileOfPlaces
	var paths []string
	at := map[string]int{}
	for _, d := range oddFirst(all[1:]) {
		k, seen := at[d.file]
		if !seen {
			k = len(files)
			at[d.file] = k
			files = append(files, fileOfPlaces{name: d.file})
			paths = append(paths, d.file)
		}
		files[k].lines = append(files[k].lines, strings.Join(append([]string{d.at}, changedWords(all[0].varies, d.varies)...), " "))
	}
	head, below := commonDir(paths, room)
	head = strings.ReplaceAll(head, "\n", " ")
	room -= len(head)
	for k := range files {
		files[k].name = files[k].name[len(below):]
	}
	for most := len(all); most > 0; most = most * 3 / 4 {
		if out, ok := writePlaces(files, len(files), most, room); ok {
			return head + out
		}
	}
	slices.SortStableFunc(files, func(a, b fileOfPlaces) int { return cmp.Compare(len(b.lines), len(a.lines)) })
	left := sort.Search(len(files), func(left int) bool {
		_, ok := writePlaces(files[:len(files)-left], len(files), 1, room)
		return left > 0 && ok
	})
	if n := len(files) - left; n > 0 {
		out, _ := writePlaces(files[:n], len(files), 1, room)
		return head + out + "; " + strings.Trim(note("%v other files", left), "[]")
	}
	return head + withCommas(len(files)) + " files"
}

// oddFirst moves diagnostics that quote something unusual to the front.
func oddFirst(all []diagnostic) []diagnostic {
	count, most := map[string]int{}, ""
	for _, d := range all {
		words := strings.Join(d.varies, "\x00")
		if count[words]++; count[words] > count[most] {
			most = words
		}
	}
	if count[most]*2 < len(all) {
		return all
	}
	var odd, same []diagnostic
	for _, d := range all {
		if strings.Join(d.varies, "\x00") == most {
			same = append(same, d)
		} else {
			odd = append(odd, d)
		}
	}
	return append(odd, same...)
}

// writePlaces writes up to most lines of each file, with their number if there are several files, and reports whether
// they fit.
func writePlaces(files []fileOfPlaces, all, most, room int) (string, bool) {
	var b strings.Builder
	for k, f := range files {
		if k > 0 {
			b.WriteString("; ")
		}
		shown := f.lines[:min(most, len(f.lines))]
		b.WriteString(f.name + ":" + strings.Join(shown, ", "))
		switch n := len(f.lines); {
		case n == len(shown):
		case all > 1:
			b.WriteString(" (" + withCommas(n) + ")")
		default:
			b.WriteString(", " + omission)
		}
		if b.Len() > room {
			return "", false
		}
	}
	return b.String(), true
}
