package relation

import "strings"

// maxArgs bounds the bytes of the arguments of a call that are counted.
const maxArgs = 1 << 10

// countArgs returns how many arguments the brackets hold that open at an offset behind blanks, -1 where none open or they
// do not close nearby, and how many bytes it read. What is quiet, as a string is, is a part of an argument whatever it holds.
func countArgs(code []byte, at int, quiet func(int) bool) (count, read int) {
	for at < len(code) && (code[at] == ' ' || code[at] == '\t') {
		at++
	}
	if at >= len(code) || code[at] != '(' {
		return -1, 0
	}
	depth, filled := 0, false
	for read < min(len(code)-at, maxArgs) {
		i := at + read
		c := code[i]
		read++
		if quiet(i) {
			c = '"'
		}
		switch c {
		case '(', '[', '{':
			filled = filled || depth == 1
			depth++
		case ')', ']', '}':
			if depth--; depth > 0 {
				continue
			}
			if filled {
				count++
			}
			return count, read
		case ',':
			if depth == 1 {
				count++
				filled = false
			}
		case ' ', '\t', '\n', '\r':
		default:
			filled = true
		}
	}
	return -1, read
}

// CallsOther reports that a call has more or fewer arguments than a definition takes, as far as both are written: another
// overload is meant.
func (m *Mention) CallsOther(d *Def) bool {
	_, list, ok := strings.Cut(d.Signature, d.Name)
	if !ok || m.Form != Call || m.Args < 0 {
		return false
	}
	params, _ := countArgs([]byte(list), 0, func(int) bool { return false })
	return params >= 0 && params != m.Args
}
