// Package idents holds what every reader of code as text needs to know about names: which bytes they consist of, and
// how far a line is indented. It knows no language; readers handle the differences themselves.
package idents

// WordByte reports whether c may be part of a name in most languages. Every non-ASCII byte counts as a letter.
func WordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Indent returns the width of the indentation of a line; a tab counts as four spaces.
func Indent[T string | []byte](line T) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}
