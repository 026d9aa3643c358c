package compact

// An atom is a part of a text that a later call may name: a word with a digit, a dot, a slash or a capital inside, a
// number, an address.

// Classes of bytes inside atoms.
const (
	atomNone  = 0
	atomWord  = 1 // may begin and end one
	atomInner = 2 // may be inside one
)

var atomClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case isAlnum(byte(c)), c == '_', c == '$', c >= 0x80:
			t[c] = atomWord
		}
	}
	for _, c := range "@./:#+%~-" {
		t[c] = atomInner
	}
	return t
}()

func isAlnum(c byte) bool { return isDigit(c) || isLower(c) || isUpper(c) }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// longAtom is the length above which a run of letters is data and names nothing.
const longAtom = 200

// eachAtom calls fn with every atom of a text that a later call could name, and its worth.
func eachAtom(text string, fn func(atom string, worth float64)) {
	for i := 0; i < len(text); {
		if atomClass[text[i]] != atomWord {
			i++
			continue
		}
		start, end := i, i+1 // end is after the last byte that may end one
		for i++; i < len(text) && atomClass[text[i]] != atomNone; i++ {
			if atomClass[text[i]] == atomWord {
				end = i + 1
			}
		}
		// a path that begins at the root or is relative keeps its first byte
		if start > 0 && (text[start-1] == '/' || text[start-1] == '.' || text[start-1] == '~') && (start == 1 || atomClass[text[start-2]] == atomNone) {
			start--
		}
		if n := end - start; n >= 4 && n <= longAtom {
			if w := identifierScore(text[start:end]); w > 0 {
				fn(text[start:end], w)
			}
		}
	}
}

// identifierScore estimates how likely a later call names an atom, from 0 for a plain word to about 1.
func identifierScore(a string) float64 {
	var digits, letters, lowers, uppers, hex, slashes, marks, high int
	inner, caps := false, false
	for i := 0; i < len(a); i++ {
		c := a[i]
		switch {
		case isDigit(c):
			digits++
			hex++
		case isLower(c):
			letters++
			lowers++
			if c <= 'f' {
				hex++
			}
			if i > 0 && isUpper(a[i-1]) && i > 1 && isUpper(a[i-2]) {
				caps = true
			}
		case isUpper(c):
			letters++
			uppers++
			if i > 0 && isLower(a[i-1]) {
				caps = true
			}
		case c == '/':
			slashes++
		case c == '_' || c == '@':
			marks++
		case c == '.':
			if i > 0 && i+1 < len(a) && isLower(a[i-1]) && isLower(a[i+1]) {
				inner = true
			}
		case c >= 0x80:
			high++
		}
	}
	switch {
	case letters+high == 0 && slashes == 0 && digits == len(a):
		switch {
		case digits >= 8:
			return atomLong
		case digits >= 5:
			return atomMiddle
		}
		return atomShort
	case letters+high == 0:
		return atomNumber
	case slashes > 0 && letters > 2:
		return atomPath
	case digits > 0 && hex >= 7 && hex >= len(a)-4:
		return atomHex
	case inner:
		return atomFile
	case marks > 0:
		return atomSnake
	case caps:
		return atomCamel
	case digits > 0:
		return atomMixed
	}
	for i := 1; i+1 < len(a); i++ {
		if (a[i] == '-' || a[i] == ':') && isAlnum(a[i-1]) && isAlnum(a[i+1]) {
			return atomHyphen
		}
	}
	return 0
}
