package rank

// Byte classes. A word is a run of bytes that are not separators; it is cut
// into subwords at underscores, at case changes, and between Latin and wide
// (CJK and other three-byte) characters.
const (
	separator = 0
	lower     = 1 << iota // a-z, digits and the lead bytes of two-byte letters
	upper
	under
	wide // lead bytes of characters of three bytes and more
	cont // continuation bytes: lower in a Latin run, wide in a wide run
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', 0xC3 <= c && c < 0xE0:
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case c == '_':
			t[c] = under
		case c >= 0xE0:
			t[c] = wide
		case 0x80 <= c && c < 0xC0:
			t[c] = cont
		}
	}
	return t
}()

// subword returns the end of the subword that begins at i, which must be
// neither a separator nor an underscore. "HTTPServer" gives HTTP and Server,
// "URLs" stays whole, digits stay with what stands before them.
func subword[T []byte | string](s T, i int) int {
	switch class[s[i]] {
	case wide:
		return run(s, i+1, wide|cont)
	case upper:
		j := run(s, i+1, upper)
		if j == i+1 || j == len(s) || class[s[j]]&lower == 0 || s[j] <= '9' {
			return run(s, j, lower|cont)
		}
		if s[j] == 's' && (j+1 == len(s) || class[s[j+1]]&(lower|cont) == 0) {
			return j + 1
		}
		return j - 1
	}
	return run(s, i+1, lower|cont)
}

// run returns the end of the bytes from i on that are of one of the classes.
func run[T []byte | string](s T, i int, classes uint8) int {
	for i < len(s) && class[s[i]]&classes != 0 {
		i++
	}
	return i
}
