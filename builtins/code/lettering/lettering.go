// Package lettering has what all that reads code as text needs to know of names: which
// bytes they are made of. It knows no language; where one differs, who reads it says
// so.
package lettering

// WordByte reports a byte of a name as most languages write them; what is not ASCII
// counts as a letter.
func WordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
