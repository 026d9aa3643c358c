package compact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Columns that are aligned with spaces below a header, as ps, docker, kubectl, df and database clients print them: a
// column boundary is a gap that the header and all rows have in common.

const (
	alignedBytes = 4000 // a longer line is not a header
	alignedCols  = 64
	oddRows      = 20 // at most 1 row in oddRows may cross a gap: such a row is split into fields
)

// readAligned reads rows below a header, or returns nil if the text has no columns.
func readAligned(text string) [][]string {
	text = strings.TrimRight(text, "\n")
	head, rest, _ := strings.Cut(text, "\n")
	if len(head) > alignedBytes || strings.Count(rest, "\n")+1 < minRows {
		return nil
	}
	head = strings.TrimRight(head, " \r")
	second, _, _ := strings.Cut(rest, "\n")
	ruled := ruledLine(second)
	names := strings.Fields(head)
	if !isAlignedHead(head, names, ruled) {
		return nil
	}
	lines := strings.Split(text, "\n")
	starts := columnsOf(head, lines, 0)
	if odd := columnsOf(head, lines, len(lines)/(2*oddRows)); len(odd) > len(starts) {
		starts = odd // ignoring a few wider rows
	}
	if len(starts) < 2 || len(starts) < 3 && !ruled {
		return nil
	}
	if rows := byFields(lines, starts); rows != nil && !ruled {
		return rows
	}
	out := [][]string{cutAt(head, starts)}
	crossed, filled := 0, 0
	for k, l := range lines[1:] {
		l = strings.TrimRight(l, " \r")
		if k == 0 && ruled || l == "" {
			continue
		}
		row := cutAt(l, starts)
		if crossesColumn(l, starts) {
			crossed++
			row = fieldsOf(l, len(starts), row)
		}
		for _, c := range row {
			if c != "" {
				filled++
			}
		}
		out = append(out, row)
	}
	if len(out) <= minRows || crossed*oddRows > len(out) || filled*10 < (len(out)-1)*len(starts)*6 || !ruled && !tellsHead(out) {
		return nil
	}
	return out
}

// isAlignedHead reports whether a line of names is the header of aligned columns.
func isAlignedHead(head string, names []string, ruled bool) bool {
	enough := len(names) > 2 || ruled && len(names) == 2
	return enough && len(names) <= alignedCols && strings.Contains(strings.TrimLeft(head, " "), "  ") && isHead(names)
}

// byFields reads rows whose fields each overlap the header name above them although no gap is free in all rows, as ps
// prints them. The last field extends to the end of the line. It returns nil if a field does not match.
func byFields(lines []string, starts []int) [][]string {
	names := fieldSpans(strings.TrimRight(lines[0], " \r"))
	if len(starts) >= len(names) {
		return nil
	}
	var out [][]string
	for n, l := range lines {
		l = strings.TrimRight(l, " \r")
		if l == "" {
			continue
		}
		at := fieldSpans(l)
		if len(at) < len(names) {
			return nil
		}
		row := make([]string, len(names))
		for k := range names {
			if k < len(names)-1 && (at[k].from > names[k].to || names[k].from > at[k].to) {
				return nil
			}
			row[k] = l[at[k].from:at[k].to]
		}
		if n > 0 {
			row[len(row)-1] = l[at[len(row)-1].from:]
		}
		out = append(out, row)
	}
	if !tellsHead(out) {
		return nil
	}
	return out
}

// fieldSpans returns the spans of the fields of a line.
func fieldSpans(line string) []span {
	var out []span
	for i := 0; i < len(line); {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		from := i
		for i < len(line) && line[i] != ' ' {
			i++
		}
		if from < i {
			out = append(out, span{from, i})
		}
	}
	return out
}

// ruledLine reports whether a line is the rule drawn below a header.
func ruledLine(line string) bool {
	t := strings.Trim(line, " \r")
	return len(t) > 2 && strings.Trim(t, "-=+ ") == "" && (strings.Contains(t, "--") || strings.Contains(t, "=="))
}

// isHead reports whether words can be column names: none is a number, and all begin with a letter or a mark of names.
func isHead(names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool {
		r, _ := utf8.DecodeRuneInString(n)
		return !unicode.IsLetter(r) && !strings.ContainsRune("%#_(", r) && n != "||/"
	})
}

// tellsHead reports whether the first row differs from the others as names do from values: it is in capitals, or above
// numbers.
func tellsHead(cells [][]string) bool {
	upper := strings.Join(cells[0], " ")
	if upper == strings.ToUpper(upper) {
		return true
	}
	for c := range cells[0] {
		n := 0
		for _, row := range cells[1:] {
			if v := row[c]; v != "" && (isDigit(v[0]) || len(v) > 1 && v[0] == '-' && isDigit(v[1])) {
				n++
			}
		}
		if n*10 >= (len(cells)-1)*9 {
			return true
		}
	}
	return false
}

// columnsOf returns where the columns of lines begin, in runes: after places where the header and all but a few lines
// have a space.
func columnsOf(head string, lines []string, few int) []int {
	width := 0 // the column of the last name extends to the end of the line
	if i := strings.LastIndexByte(head, ' '); i >= 0 {
		width = utf8.RuneCountInString(head[:i+1])
	}
	marks, named := make([]int, width+1), make([]int, width+1)
	for _, l := range lines {
		if !ruledLine(l) {
			markColumns(l, marks)
		}
	}
	markColumns(head, named)
	var out []int
	for i := 0; i <= width; {
		if marks[i] <= few && named[i] == 0 {
			i++
			continue
		}
		from, name := i, false
		for i <= width && (marks[i] > few || named[i] > 0) {
			name = name || named[i] > 0
			i++
		}
		if name || len(out) == 0 { // otherwise these are values with a space inside
			out = append(out, from)
		}
	}
	return withoutEmpty(head, lines, out)
}

// markColumns counts, for each place, the lines that have a character there.
func markColumns(line string, marks []int) {
	k := 0
	if isASCII(line) {
		for k < min(len(line), len(marks)) {
			if line[k] != ' ' && line[k] != '\r' {
				marks[k]++
			}
			k++
		}
		return
	}
	for _, r := range line {
		if k >= len(marks) {
			return
		}
		if r != ' ' {
			marks[k]++
		}
		k++
	}
}

// withoutEmpty merges a column that is empty in all rows into the one before it: its name has two words.
func withoutEmpty(head string, lines []string, starts []int) []int {
	full := make([]bool, len(starts))
	for _, l := range lines[1:min(len(lines), 400)] {
		if !ruledLine(l) {
			for c, v := range cutAt(strings.TrimRight(l, "\r"), starts) {
				full[c] = full[c] || v != ""
			}
		}
	}
	names := cutAt(head, starts)
	var out []int
	for c, s := range starts {
		if c > 0 && !full[c] && s-starts[c-1] == utf8.RuneCountInString(names[c-1])+1 {
			continue
		}
		out = append(out, s)
	}
	return out
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// cutAt cuts a line where columns begin.
func cutAt(line string, starts []int) []string {
	out := make([]string, len(starts))
	eachCell(line, starts, func(c, from, to int) { out[c] = strings.Trim(line[from:to], " ") })
	return out
}

// eachCell calls fn with the byte offsets of each cell of a line.
func eachCell(line string, starts []int, fn func(c, from, to int)) {
	if isASCII(line) {
		for c, s := range starts {
			to := len(line)
			if c+1 < len(starts) {
				to = min(to, starts[c+1])
			}
			if s < to {
				fn(c, s, to)
			}
		}
		return
	}
	c, k, from := -1, 0, 0
	for i := range line {
		if c+1 < len(starts) && k == starts[c+1] {
			if c >= 0 {
				fn(c, from, i)
			}
			c, from = c+1, i
		}
		k++
	}
	if c >= 0 {
		fn(c, from, len(line))
	}
}

// crossesColumn reports whether a word of a line extends from one column into the next.
func crossesColumn(line string, starts []int) bool {
	found := false
	eachCell(line, starts, func(_, from, to int) {
		found = found || from > 0 && line[from-1] != ' ' && line[from] != ' '
	})
	return found
}

// fieldsOf splits a line into n fields: at gaps of two spaces, else at each word with the rest in the last field; if
// neither yields n fields it returns cut.
func fieldsOf(line string, n int, cut []string) []string {
	var out []string
	for f := range strings.SplitSeq(line, "  ") {
		if f = strings.Trim(f, " "); f != "" {
			out = append(out, f)
		}
	}
	if len(out) == n {
		return out
	}
	if f := firstFields(line, n); f != nil {
		return f
	}
	return cut
}

// firstFields splits a line into n words, the last with all that remains; nil if it has fewer.
func firstFields(line string, n int) []string {
	out := make([]string, 0, n)
	rest := strings.TrimLeft(line, " ")
	for len(out)+1 < n {
		i := strings.IndexByte(rest, ' ')
		if i < 0 {
			return nil
		}
		out = append(out, rest[:i])
		rest = strings.TrimLeft(rest[i:], " ")
	}
	return append(out, rest)
}
