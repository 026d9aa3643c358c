package reply

import "strings"

// closesString reports whether the quote before j ends its string, judging by what follows:
// models forget to escape quotes inside strings. In JSON the first quote always ends the
// string, and everything that JSON allows after it is accepted here.
func (r *reader) closesString(j int, m mode) bool {
	k := r.spaceEnd(j)
	if k >= len(r.s) {
		return true
	}
	if m == inCall {
		return r.s[k] == ',' || r.s[k] == ')'
	}
	switch c := r.s[k]; c {
	case ',', ';':
		return r.afterComma(r.spaceEnd(k+1), m)
	case '}', ']':
		return r.afterCloser(k)
	case '/':
		return strings.HasPrefix(r.s[k:], "//") || strings.HasPrefix(r.s[k:], "/*")
	case ':':
		return m == inList
	case '`':
		return strings.HasPrefix(r.s[k:], "```")
	case '{', '[':
		return m == inList && k > j
	}
	if m == inList {
		return quoteAt(r.s, k) != 0 && k > j
	}
	if quoteAt(r.s, k) != 0 {
		return k > j && r.keyAt(k)
	}
	return strings.Contains(r.s[j:k], "\n") && r.keyAt(k)
}

func (r *reader) afterComma(k int, m mode) bool {
	if k >= len(r.s) || strings.IndexByte("}],/", r.s[k]) >= 0 {
		return true
	}
	if m == inObject {
		return r.keyAt(k)
	}
	if quoteAt(r.s, k) != 0 || strings.IndexByte("{[-0123456789.…", r.s[k]) >= 0 {
		return true
	}
	end := k
	for end < len(r.s) && end-k < look && wordByte(r.s[end]) {
		end++
	}
	end = r.spaceEnd(end)
	return end >= len(r.s) || strings.IndexByte(",]}", r.s[end]) >= 0
}

// afterCloser distinguishes a bracket that ends a container from one in prose. Anything
// may follow the outermost object.
func (r *reader) afterCloser(k int) bool {
	if len(r.open) <= 1 {
		return true
	}
	k = r.spaceEnd(k + 1)
	return k >= len(r.s) || strings.IndexByte("}],;/`#", r.s[k]) >= 0 || quoteAt(r.s, k) != 0 || r.s[k] == '{'
}

// keyAt reports whether a key and its colon are at k. A text too long to tell counts as one.
func (r *reader) keyAt(k int) bool {
	end := min(len(r.s), k+look)
	if q := quoteAt(r.s, k); q == '"' || q == '\'' {
		for k++; k < end && rune(r.s[k]) != q; k++ {
			if r.s[k] == '\\' {
				k++
			}
		}
		return k >= end || r.colonAt(k+1)
	} else if q != 0 {
		i := strings.IndexRune(r.s[k+1:end], q)
		return i < 0 || r.colonAt(k+1+i+len(string(q)))
	}
	from := k
	for k < end && wordByte(r.s[k]) {
		k++
	}
	return k > from && k < len(r.s) && r.s[k] == ':' && !strings.HasPrefix(r.s[k:], "://") && !strings.HasPrefix(r.s[k:], "::")
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c == '$'
}

func (r *reader) colonAt(k int) bool {
	k = r.spaceEnd(k)
	return k >= len(r.s) || r.s[k] == ':'
}

// afterSeparator reports whether a comma or line break precedes the quote at k.
func (r *reader) afterSeparator(k int) bool {
	from := max(0, k-look)
	before := r.s[from:k]
	trimmed := strings.TrimRight(before, " \t\r\n")
	return strings.HasSuffix(trimmed, ",") || strings.Contains(before[len(trimmed):], "\n")
}

func (r *reader) spaceEnd(k int) int {
	for k < len(r.s) && strings.IndexByte(" \t\r\n", r.s[k]) >= 0 {
		k++
	}
	return k
}
