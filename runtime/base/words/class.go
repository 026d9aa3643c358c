package words

// Class is the role of a byte in a word. A word is a run of bytes that are not
// separators; it is split into subwords at underscores, at case changes, and between
// Latin and wide (CJK and other three-byte) characters.
type Class uint8

// The classes, a bit each.
const (
	Separator Class = 0
	Lower     Class = 1 << iota // a-z, digits and the lead bytes of two-byte letters
	Upper
	Under
	Wide // lead bytes of characters of three bytes and more
	Cont // continuation bytes: lower in a Latin run, wide in a wide run

	// Any is every class of a word.
	Any = Lower | Upper | Under | Wide | Cont
)

var classes = func() (t [256]Class) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', 0xC3 <= c && c < 0xE0:
			t[c] = Lower
		case 'A' <= c && c <= 'Z':
			t[c] = Upper
		case c == '_':
			t[c] = Under
		case c >= 0xE0:
			t[c] = Wide
		case 0x80 <= c && c < 0xC0:
			t[c] = Cont
		}
	}
	return t
}()

// ClassOf returns the class of a byte.
func ClassOf(c byte) Class { return classes[c] }

// Next returns the end of the subword that begins at i, which must be neither a
// separator nor an underscore. "HTTPServer" gives HTTP and Server, "URLs" stays whole,
// digits stay with the letters before them.
func Next[T []byte | string](s T, i int) int {
	switch classes[s[i]] {
	case Wide:
		return Run(s, i+1, Wide|Cont)
	case Upper:
		j := Run(s, i+1, Upper)
		if j == i+1 || j == len(s) || classes[s[j]]&Lower == 0 || s[j] <= '9' {
			return Run(s, j, Lower|Cont)
		}
		if s[j] == 's' && (j+1 == len(s) || classes[s[j+1]]&(Lower|Cont) == 0) {
			return j + 1
		}
		return j - 1
	}
	return Run(s, i+1, Lower|Cont)
}

// Run returns the end of the run of bytes of one of the classes that starts at i.
func Run[T []byte | string](s T, i int, of Class) int {
	for i < len(s) && classes[s[i]]&of != 0 {
		i++
	}
	return i
}
