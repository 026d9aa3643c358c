package rank

// Byte classes of the tokenizer. A word is a run of bytes that are not sep; it
// is cut into subwords at underscores, at case changes and between Latin and
// wide (CJK and other three-byte) characters.
const (
	sep   = 0
	lower = 1 << iota // a-z, digits and the bytes of two-byte letters
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

// code folds a byte to one of 38 values for the prefix filter: letters without
// case, digits, and one value for the rest.
var code = func() (t [256]uint16) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = uint16(c-'a') + 1
		case 'A' <= c && c <= 'Z':
			t[c] = uint16(c-'A') + 1
		case '0' <= c && c <= '9':
			t[c] = uint16(c-'0') + 27
		case c >= 0x80:
			t[c] = 37
		}
	}
	return t
}()

// subword returns the end of the subword that begins at i; data[i] must not be
// a separator or an underscore. "HTTPServer" gives HTTP and Server, "URLs" stays
// one, digits stay with what is before them.
func subword(data []byte, i int) int {
	n := len(data)
	switch class[data[i]] {
	case wide:
		for i++; i < n && class[data[i]]&(wide|cont) != 0; i++ {
		}
		return i
	case upper:
		j := i + 1
		for j < n && class[data[j]] == upper {
			j++
		}
		if j == i+1 || j == n || class[data[j]]&lower == 0 || data[j] <= '9' {
			break
		}
		if data[j] == 's' && (j+1 == n || class[data[j+1]]&(lower|cont) == 0) {
			return j + 1
		}
		return j - 1
	}
	return lowerRun(data, upperRun(data, i))
}

func upperRun(data []byte, i int) int {
	for i < len(data) && class[data[i]] == upper {
		i++
	}
	return i
}

func lowerRun(data []byte, i int) int {
	for i < len(data) && class[data[i]]&(lower|cont) != 0 {
		i++
	}
	return i
}
