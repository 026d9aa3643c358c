package redact

import "strings"

// Limits of INSERT statements.
const (
	maxTuple   = 64 << 10 // bytes of a row
	maxSkipped = 512      // bytes between two rows
	maxOpen    = 16       // unclosed rows in a text, after which no more rows are looked for
)

// maskInsert finds the passwords and secrets in the rows of the INSERT statement whose column list contains the name
// text[lo:hi].
func (d *detector) maskInsert(s *scan, lo, hi int) {
	const maxList, quotes, blanks, values = 1024, "`\"[] \t\r\n", " \t\r\n", "values"
	if lo < s.listed || s.unclosed >= maxOpen {
		return
	}
	before, after := skipBack(s.text, lo, quotes, 32), skipAny(s.text, hi, quotes, 32)
	if before == 0 || after == len(s.text) || strings.IndexByte("(,", s.text[before-1]) < 0 || strings.IndexByte("),", s.text[after]) < 0 {
		return
	}
	s.watch.spend(attemptCost)
	open := strings.LastIndexByte(s.text[max(0, lo-maxList):lo], '(')
	end := strings.IndexByte(s.text[hi:min(len(s.text), hi+maxList)], ')')
	if open < 0 || end < 0 {
		return
	}
	open, end = max(0, lo-maxList)+open+1, hi+end
	at := skipAny(s.text, end+1, blanks, 64)
	if len(s.text)-at < len(values) || !strings.EqualFold(s.text[at:at+len(values)], values) {
		return
	}
	s.listed = end
	var kinds []nameKind
	for name := range strings.SplitSeq(s.text[open:end], ",") {
		kinds = append(kinds, classifyColumn(strings.Trim(name, quotes), true))
	}
	at += len(values)
	for isRow := true; isRow && !s.watch.isOver(); {
		var row []cell
		from := at
		row, at, isRow = readTuple(s.text, at)
		s.watch.spend(attemptCost + at - from)
		if !isRow && at > from+maxSkipped {
			s.unclosed++
		} else {
			s.listed = max(s.listed, at)
		}
		for i, c := range row[:min(len(row), len(kinds))] {
			if kinds[i] >= nameSecret && c.lo < c.hi && !isConcatenated(s.text, c) {
				d.maskChosen(s, kinds[i], c.lo, c.hi)
			}
		}
	}
}

// isConcatenated reports whether the quotes of a cell belong to the program around the statement, which inserts a
// variable: '"+password+"', or ".$password." where the statement needs no quotes of its own.
func isConcatenated(text string, c cell) bool {
	other := byte('\'')
	if text[c.lo-1] == other {
		other = '"'
	}
	first, last := text[c.lo], text[c.hi-1]
	return first == other || last == other || first == last && strings.IndexByte("+.&", first) >= 0
}

// skipComments returns the offset after blanks, commas and SQL comments at text[at].
func skipComments(text string, at int) int {
	for limit := min(len(text), at+maxSkipped); ; {
		at = skipAny(text[:limit], at, " \t\r\n,", limit-at)
		n := commentLen(text[at:limit])
		if n == 0 {
			return at
		}
		at += n
	}
}

// commentLen returns the length of the SQL comment at the beginning of s.
func commentLen(s string) int {
	end := ""
	switch {
	case strings.HasPrefix(s, "-- "), strings.HasPrefix(s, "#"):
		end = "\n"
	case strings.HasPrefix(s, "/*"):
		end = "*/"
	default:
		return 0
	}
	if n := strings.Index(s, end); n >= 0 {
		return n + len(end)
	}
	return len(s)
}

// readTuple returns the first string of each value in the row of an INSERT statement at text[at], an empty cell for a
// value without one, and how far it read. isRow is false if the row is not complete.
func readTuple(text string, at int) (row []cell, end int, isRow bool) {
	at = skipComments(text, at)
	if at == len(text) || text[at] != '(' {
		return nil, at, false
	}
	text = text[:min(len(text), at+maxTuple)]
	depth, c := 0, cell{}
	for at++; at < len(text); at++ {
		switch b := text[at]; {
		case b == '\'' || b == '"':
			to := stringEnd(text, at)
			if to == len(text) {
				return nil, to, false
			}
			if c.lo == 0 {
				c.lo, c.hi = at+1, to
			}
			at = to
		case b == '-' || b == '/':
			at += max(0, commentLen(text[at:])-1)
		case depth == 0 && (b == ',' || b == ')'):
			if row, c = append(row, c), (cell{}); b == ')' {
				return row, at + 1, true
			}
		case b == '(' || b == '[':
			depth++
		case b == ')' || b == ']':
			depth--
		}
	}
	return nil, at, false
}

// stringEnd returns where the SQL string that opens at text[at] is closed, or the end of the text. A quote in it is
// doubled, or preceded by a backslash, and ends nothing.
func stringEnd(text string, at int) int {
	q := text[at]
	for at++; at < len(text); at++ {
		next := text[at+1 : min(len(text), at+3)]
		switch {
		case text[at] == '\\' && !(len(next) == 2 && next[0] == q && strings.IndexByte(",)", next[1]) >= 0): // 'C:\',
			at++
		case text[at] == q && (next == "" || next[0] != q):
			return at
		case text[at] == q:
			at++
		}
	}
	return len(text)
}
