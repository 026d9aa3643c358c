package redact

import (
	"slices"
	"strings"
)

// Limits of tables.
const (
	maxHeading     = 4096 // bytes of the line with the column names
	maxHeadingCell = 60   // bytes
	maxColumns     = 200
	maxGap         = 5       // lines in a row that do not fit the table around them
	maxRecord      = 4 << 10 // bytes of a CSV row that spans several lines
)

// table is what a heading says about the rows below it.
type table struct {
	sep     byte       // between cells; '|' means a drawn table
	isBoxed bool       // lines are drawn on the left and right too
	isStray bool       // a quote was opened and never closed: from then on, quotes must be closed on their line
	kinds   []nameKind // of the columns
	sought  int        // bytes that were searched for the end of a quote
}

// cell is the content of a row's cell without surrounding blanks and quotes; at is where it begins with them.
type cell struct{ at, lo, hi int }

// maskColumns finds the passwords and secrets in the table whose heading has the name text[lo:hi] as a cell: a CSV
// file, or a table as Markdown, psql and mysql draw it. Columns whose names are not keywords of the detector, such as
// "pin" and "token", are found if another column's name is one.
func (d *detector) maskColumns(s *scan, lo, hi int) {
	if lo < s.headed {
		return // the line was already checked for an earlier name, or is a row of a table
	}
	sep, isCell := cellAround(s.text, lo, hi)
	if !isCell {
		return
	}
	s.watch.spend(attemptCost)
	from, to := lo-len(lineBefore(s.text, lo, maxHeading)), lineEnd(s.text, hi)
	s.headed = to
	if from > 0 && s.text[from-1] != '\n' {
		return
	}
	t := &table{sep: sep}
	if t.readHeading(s.text, from, to) && t.isFirstRow(s.text, from) {
		s.headed = max(to, d.maskRows(s, min(to+1, len(s.text)), t))
	}
	s.watch.spend(t.sought)
}

// maskRows finds the values of password columns in the rows from text[at] on, and returns where the last one ends.
func (d *detector) maskRows(s *scan, at int, t *table) (end int) {
	end = at
	isFirst, afterBorder := true, false
	for gap := 0; at < len(s.text) && gap <= maxGap && !s.watch.isOver(); {
		row, to := t.readRow(s.text, at)
		s.watch.spend(attemptCost + to - at)
		line := s.text[at:to]
		border := t.sep == '|' && isBorder(line)
		isFit := len(row) == len(t.kinds) || t.isBoxed && len(row) < len(t.kinds)
		switch {
		case border && afterBorder, !border && !t.isRow(line), t.sep != '|' && isFirst && !isFit:
			return end // in a CSV file, the line below the heading has to be a row
		case border:
		case isFit:
			gap, end = 0, min(to+1, len(s.text))
			for i, c := range row {
				d.maskCell(s, t, t.kinds[i], c, at)
			}
		default:
			gap++
		}
		at, isFirst, afterBorder = min(to+1, len(s.text)), false, border
	}
	return end
}

// isRow reports whether the table can continue with a line.
func (t *table) isRow(line string) bool {
	switch {
	case t.sep != '|':
		return strings.TrimSpace(line) != ""
	case len(t.kinds) == 1 && !t.isBoxed:
		return strings.HasPrefix(line, " ") && strings.TrimSpace(line) != ""
	}
	return strings.Contains(line, "|")
}

// readHeading reads the column names in the line text[from:to], and reports whether it is a heading with at least one
// column of passwords.
func (t *table) readHeading(text string, from, to int) bool {
	if to-from > maxHeading {
		return false
	}
	t.isBoxed = t.sep == '|' && strings.HasPrefix(strings.TrimLeft(text[from:to], " "), "|")
	cells, end := t.readRow(text, from)
	isTable := len(cells) > 1 && !t.isCode(text[from:to])
	if t.sep == '|' {
		isTable = len(cells) > 0 && t.hasBorder(text, from, to, len(cells))
	}
	if !isTable || end != to || len(cells) > maxColumns {
		return false
	}
	t.kinds = make([]nameKind, len(cells))
	hasUser := slices.ContainsFunc(cells, func(c cell) bool { return userColumns[strings.Join(splitName(text[c.lo:c.hi]), "")] })
	for i, c := range cells {
		name := text[c.lo:c.hi]
		isEdge := name == "" && len(cells) > 2 && (i == 0 && t.sep != '\t' || i == len(cells)-1)
		if !isEdge && (!t.isHeadingCell(name) || t.isIndented(text, c)) {
			return false
		}
		t.kinds[i] = classifyColumn(name, hasUser)
	}
	return slices.Max(t.kinds) >= nameSecret
}

var (
	// userColumns make "pass" the name of a password column; otherwise it is one of test results.
	userColumns  = wordSet("user username login email account uid userid")
	shortColumns = wordSet("pass pw pin")
	// statementWords begin lines of code that contain names separated by commas.
	statementWords = wordSet("return select from import insert update var let const yield print public private def func function")
)

// isCode reports whether the heading of a CSV file is indented like code, or begins like a statement.
func (t *table) isCode(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return line[0] == ' ' || line[0] == '\t' && t.sep != '\t' || statementWords[strings.ToLower(word)]
}

// hasBorder reports whether a line is drawn below the heading text[from:to] of n columns. A single column without a box
// needs one as wide as psql draws it: a shorter one is a rule in Markdown or YAML.
func (t *table) hasBorder(text string, from, to, n int) bool {
	at := min(to+1, len(text))
	line := strings.TrimRight(text[at:lineEnd(text, at)], "\r")
	if n == 1 && !t.isBoxed {
		return text[from] == ' ' && len(line) >= len(strings.TrimRight(text[from:to], " \r"))+1 && strings.Trim(line, "-") == ""
	}
	return isBorder(line)
}

// classifyColumn does what classifyName does, but requires a telling last word: pwdLastSet is a date. Short words mean
// passwords only next to a column of users.
func classifyColumn(name string, hasUser bool) nameKind {
	if i := strings.IndexAny(name, "(["); i > 0 {
		name = strings.TrimSpace(name[:i])
	}
	name = strings.TrimRight(name, "0123456789_- ")
	words := splitName(name)
	if len(words) == 0 || !hasUser && shortColumns[words[len(words)-1]] {
		return nameNeutral
	}
	last := words[len(words)-1]
	isTelling := passwordWords[last] || secretWords[last] || secretWords[strings.TrimSuffix(last, "s")]
	for _, suffix := range []string{"password", "passwd", "passphrase", "passwords", "secret", "token", "key", "keys"} {
		isTelling = isTelling || strings.HasSuffix(last, suffix)
	}
	if !isTelling {
		return nameNeutral
	}
	return classifyName(name)
}

// maskCell reports a cell of a column of the given kind, in the row that begins at text[row], if it may be a password.
func (d *detector) maskCell(s *scan, t *table, kind nameKind, c cell, row int) {
	if kind < nameSecret || c.lo >= c.hi {
		return
	}
	v := s.text[c.lo:c.hi]
	isQuoted := c.lo > c.at && s.text[c.lo-1] == '"'
	isCode := t.isIndented(s.text, c) || t.sep != '|' && !isQuoted && isCutOff(s.text[row:c.at], v)
	if !isCode && (t.sep != '|' || !isRemark(v)) {
		d.maskChosen(s, kind, c.lo, c.hi)
	}
}

// isRemark reports whether v, in a table for people, is a word or the name of a standard or a ticket, such as SHA-256
// and RFC7617.
func isRemark(v string) bool {
	const upper, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	if bits, _, _ := measureRandomness(v); bits >= namedBits {
		return false
	}
	if !strings.ContainsAny(v, digits) {
		return len(v) < 3 || !strings.ContainsAny(v[1:len(v)-1], "!@#$%^&")
	}
	head := strings.TrimSuffix(strings.TrimRight(v, digits), "-")
	return head == "#" || len(head) > 1 && strings.Trim(head, upper) == ""
}

// maskChosen reports text[lo:hi], an entire value, if a person may have chosen it as a password.
func (d *detector) maskChosen(s *scan, kind nameKind, lo, hi int) {
	s.watch.spend(attemptCost)
	v := strings.TrimRight(plainQuotes.Replace(s.text[lo:hi]), "=") // base64 ends in them
	if !isMeasure(v) && !isPlaceholder(v) && isPassword(v, quoted, kind == namePassword) {
		s.addFinding(d, lo, hi)
	}
}

// isCutOff reports whether v ends in a bracket that was opened before it in its row.
func isCutOff(before, v string) bool {
	v = strings.TrimRight(v, ";")
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.HasSuffix(v, pair[1:]) && !strings.Contains(v, pair[:1]) && strings.Contains(before, pair[:1]) {
			return true
		}
	}
	return false
}

// units are the units of numbers in tables.
var units = wordSet("ns us µs ms s sec m min h d k kb mb gb tb kib mib gib b x px pt kb/s mb/s gb/s")

// isMeasure reports whether v is a number with punctuation or a unit, a version or a time: 98.5%, 12.3s, v1.2.3. Plain
// digits do not count.
func isMeasure(v string) bool {
	const signs = ".,:/%+-"
	v = strings.TrimLeft(v, "v~<>=+-")
	number := v[:len(v)-len(strings.TrimLeft(v, "0123456789"+signs))]
	unit := strings.ToLower(v[len(number):])
	if number == "" || strings.IndexByte(signs, number[0]) >= 0 || unit != "" && !units[unit] {
		return false
	}
	return unit != "" || strings.ContainsAny(strings.TrimRight(number, "+-,:/"), signs)
}

// cellAround returns the separator around the cell that contains text[lo:hi], and whether the cell can name a column. A
// line's only cell belongs to a drawn table.
func cellAround(text string, lo, hi int) (sep byte, isCell bool) {
	const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-# \"*`[]()"
	before := skipBack(text, lo, signs, maxHeadingCell)
	after := skipAny(text, hi, signs, maxHeadingCell)
	first := before == 0 || text[before-1] == '\n'
	last := after == len(text) || strings.IndexByte("\r\n", text[after]) >= 0
	switch {
	case first && last:
		return '|', true
	case first:
		sep = text[after]
	case last || text[before-1] == text[after]:
		sep = text[before-1]
	}
	return sep, sep != 0 && strings.IndexByte(",;\t|", sep) >= 0
}

// lineEnd returns where the line of text[at] ends.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[min(at, len(text)):], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}

// readRow splits the row that begins at text[at], and returns where its line ends; in a CSV file, its last line.
func (t *table) readRow(text string, at int) (row []cell, end int) {
	start, end := at, lineEnd(text, at)
	isPlain := t.sep == '|' // no quotes
	for at <= end && len(row) <= maxColumns {
		c := cell{at: at, lo: skipAny(text[:end], at, " ", end-at)}
		c.hi = -1
		if !isPlain && c.lo < end && text[c.lo] == '"' {
			c.hi = t.closeQuote(text, c.lo+1, start, end)
			if isPlain = c.hi < 0; !isPlain {
				c.lo, end = c.lo+1, lineEnd(text, c.hi)
				at = skipAny(text[:end], c.hi+1, " \r", end-c.hi)
			}
		}
		if c.hi < 0 {
			at = c.lo + t.cellLen(text[c.lo:end])
			c.hi = max(c.lo, skipBack(text, at, " \r", at-c.lo))
		}
		if t.sep == '|' {
			c = c.trimEmphasis(text)
		}
		row = append(row, c)
		at++ // the separator
	}
	if n := len(row); t.isBoxed && n > 1 {
		if row[n-1].lo >= row[n-1].hi {
			row = row[:n-1]
		}
		if row[0].lo >= row[0].hi {
			row = row[1:]
		}
	}
	return row, end
}

// cellLen returns the distance to the next separator of a line. In a drawn table, one after a backslash does not count.
func (t *table) cellLen(line string) int {
	for at := 0; ; at++ {
		n := strings.IndexByte(line[at:], t.sep)
		if n < 0 {
			return len(line)
		}
		if at += n; t.sep != '|' || at == 0 || line[at-1] != '\\' {
			return at
		}
	}
}

// closeQuote returns the closing quote of a CSV cell whose opening quote is just before text[at], or -1: a quote that
// is followed by a separator or the end of a line, which may be a later line.
func (t *table) closeQuote(text string, at, start, end int) int {
	limit := min(len(text), start+maxRecord)
	if t.isStray {
		limit = min(limit, end)
	}
	from := at
	defer func() { t.sought += max(0, at-from) }()
	for ; at < limit; at++ {
		if text[at] != '"' {
			continue
		}
		if at+1 < limit && text[at+1] == '"' {
			at++
			continue
		}
		if next := skipAny(text[:limit], at+1, " ", limit-at); next == len(text) || next < limit && text[next] == t.sep || strings.IndexByte("\r\n", text[next]) >= 0 {
			return at
		}
	}
	t.isStray = true
	return -1
}

// trimEmphasis returns a cell of a drawn table without the Markdown emphasis around it.
func (c cell) trimEmphasis(text string) cell {
	for c.hi-c.lo > 2 && text[c.lo] == text[c.hi-1] && strings.IndexByte("*`_", text[c.lo]) >= 0 {
		c.lo, c.hi = c.lo+1, c.hi-1
	}
	return c
}

// isIndented reports whether a blank separates a cell of a CSV file from the comma before it, as in prose and code.
func (t *table) isIndented(text string, c cell) bool {
	return (t.sep == ',' || t.sep == ';') && c.lo > c.at && text[c.at] == ' '
}

// isHeadingCell reports whether v can be the name of a column. In a drawn table, the border is evidence enough.
func (t *table) isHeadingCell(v string) bool {
	const digits, signs = "0123456789", "=\"{}<>;\\"
	if v == "" || len(v) > maxHeadingCell || strings.ContainsAny(v, signs) {
		return false
	}
	rest := strings.TrimLeft(v, digits) // as in 2FA
	isNumber := len(rest) < len(v) && (len(v) > 4 || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || rest == "")
	isPath := strings.Contains(v, "/") && strings.Contains(v, ".") || v[0] == '/'
	return t.sep == '|' && v[0] != '-' || !isNumber && !isPath && v[0] != '-' && strings.Count(v, "(") == strings.Count(v, ")")
}

// isFirstRow reports whether the line before text[from], or before a border there, is not a row of the same table.
// Titles have empty cells, and the query that printed the table may be above it.
func (t table) isFirstRow(text string, from int) bool {
	for range 2 {
		if from == 0 || len(t.kinds) == 1 {
			return true
		}
		to := from - 1
		from = to - len(lineBefore(text, to, maxHeading))
		if line := text[from:to]; t.sep != '|' || !isBorder(line) {
			row, _ := t.readRow(text, from)
			return len(row) != len(t.kinds) || strings.HasPrefix(line, "sep=") || strings.Contains(strings.ToLower(line), "select ") ||
				t.sep != '|' && slices.ContainsFunc(row, func(c cell) bool { return c.lo >= c.hi }) ||
				slices.ContainsFunc(row[1:], func(c cell) bool { return t.isIndented(text, c) })
		}
	}
	return true
}

// isBorder reports whether a line of a table is drawn and holds no cells.
func isBorder(line string) bool {
	return strings.Contains(line, "-") && (strings.Contains(line, "--") || strings.Contains(line, "|")) && strings.Trim(line, "-+|:= \t\r") == ""
}
