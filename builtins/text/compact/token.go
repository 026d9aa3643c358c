package compact

import "strings"

// token is a part of a summary that may identify something in the source.
type token struct {
	text  string
	at    int  // offset where it begins
	index bool // a number in brackets after a name
	open  sides
}

// sides are the ends at which a token was cut: an omission mark touches it there.
type sides uint8

const (
	openLeft sides = 1 << iota
	openRight
)

const omission = "…"

// eachToken calls fn with the tokens of a text: runs of letters, digits and the marks inside identifiers, numbers and
// paths.
func eachToken(text string, fn func(token)) {
	for i := 0; i < len(text); {
		if !isWordByte(text[i]) || strings.HasPrefix(text[i:], omission) {
			i += skipWidth(text, i)
			continue
		}
		start, end := i, i
		for i < len(text) {
			if strings.HasPrefix(text[i:], omission) || !isWordByte(text[i]) && !joinsToken(text, i) {
				break
			}
			if isWordByte(text[i]) {
				end = i + 1
			}
			i++
		}
		i = end
		t := token{text: text[start:end], at: start}
		if strings.HasSuffix(text[:start], omission) {
			t.open |= openLeft
		}
		if strings.HasPrefix(text[end:], omission) {
			t.open |= openRight
		}
		t.index = start > 1 && end < len(text) && text[start-1] == '[' && text[end] == ']' && isWordByte(text[start-2])
		fn(t)
	}
}

// skipWidth returns the length of a byte or an omission mark that begins no token.
func skipWidth(text string, i int) int {
	if strings.HasPrefix(text[i:], omission) {
		return len(omission)
	}
	return 1
}

func isWordByte(c byte) bool { return isAlnum(c) || c == '_' || c >= 0x80 }

// joinsToken reports whether a mark is inside a token: between two word bytes, or next to another mark of a path.
func joinsToken(text string, i int) bool {
	if i+1 >= len(text) {
		return false
	}
	next := text[i+1]
	switch text[i] {
	case '.', '-', '+', '~', '%', '#', '$':
		return isWordByte(next) || next == '/' || next == text[i]
	case '@', '/', '\\':
		return isWordByte(next) || strings.IndexByte("/@._-~$", next) >= 0
	case ':':
		return isDigit(next) || next == '/' || next == '\\'
	case ',':
		return i > 0 && isDigit(text[i-1]) && isThousands(text[i+1:])
	}
	return false
}

// isThousands reports whether a text begins with exactly three digits.
func isThousands(text string) bool {
	return len(text) >= 3 && isDigit(text[0]) && isDigit(text[1]) && isDigit(text[2]) && (len(text) == 3 || !isDigit(text[3]))
}

// form is the form of a token.
type form int

const (
	formNone     form = iota // a word
	formNumber               // digits, with points and commas
	formCapitals             // a word with capitals inside
	formName                 // an identifier, a path, an address
)

func formOf(t string) form {
	digits, marks, inner, other := 0, 0, false, false
	for i := 0; i < len(t); i++ {
		c := t[i]
		switch {
		case isDigit(c):
			digits++
		case c == '.' || c == ',':
			marks++
		case c == '/' || c == '\\' || c == '_' || c == '@' || c == '#' || c == '$' || c == ':' || c == '~':
			return formName
		case isUpper(c) && i > 0 && isLower(t[i-1]):
			inner = true
		default:
			other = true
		}
	}
	switch {
	case digits > 0 && !other && !inner && digits+marks == len(t):
		return formNumber
	case digits > 0, marks > 0:
		return formName
	case inner:
		return formCapitals
	}
	return formNone
}
