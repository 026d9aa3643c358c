package compact

import "strings"

// withoutColumns removes the columns that a build service puts before every line of its log: the job, the step and a
// time with seven decimals. Each job and step is named once, where it begins. Other texts are returned unchanged.
func withoutColumns(text string) string {
	if !hasColumns(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	last := ""
	for line := range strings.SplitSeq(text, "\n") {
		columns, rest, ok := cutColumns(line)
		if !ok {
			b.WriteString(line + "\n")
			continue
		}
		if columns != last {
			b.WriteString(strings.ReplaceAll(columns, "\t", " ") + "\n")
			last = columns
		}
		b.WriteString(rest + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// hasColumns reports whether the first lines of a text have these columns.
func hasColumns(text string) bool {
	n, with := 0, 0
	for line := range strings.SplitSeq(cut(text, looked), "\n") {
		if n++; n > 30 {
			break
		}
		if _, _, ok := cutColumns(line); ok {
			with++
		}
	}
	return with > 3 && with*10 >= n*8
}

// cutColumns cuts the columns and the time off a line.
func cutColumns(line string) (columns, rest string, ok bool) {
	rest = line
	if i := strings.IndexByte(line, '\t'); i > 0 {
		if k := strings.IndexByte(line[i+1:], '\t'); k > 0 {
			columns, rest = line[:i+1+k], line[i+k+2:]
		}
	}
	rest = strings.TrimPrefix(rest, "\ufeff")
	const stamp = "2006-01-02T15:04:05.0000000Z"
	if len(rest) < len(stamp) {
		return "", "", false
	}
	for i := range len(stamp) {
		if c := rest[i]; isDigit(stamp[i]) != isDigit(c) || !isDigit(c) && c != stamp[i] {
			return "", "", false
		}
	}
	return columns, strings.TrimPrefix(rest[len(stamp):], " "), true
}
