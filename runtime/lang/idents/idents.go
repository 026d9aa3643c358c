// Package idents has what all that reads code as text needs to know of names: which
// bytes they are made of, and how far a line is set in. It knows no language; where one differs, who reads it says
// so.
package idents

// WordByte reports a byte of a name as most languages write them; what is not ASCII
// counts as a letter.
func WordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Indent is how far a line is set in; a tab counts as four blanks.
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
