package settings

import "strings"

// mayRegister reports whether the expression that finds a registering call can match: whether a name in quotes, after a
// colon or in capitals is where such a function has its first argument.
func mayRegister(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"' || c == ':':
			if i+1 == len(text) || !isWord(text[i+1]) && text[i+1] != '-' {
				continue
			}
			if precedesName(text[:i]) {
				return true
			}
		case isWord(c):
			end := i
			for end < len(text) && isWord(text[end]) {
				end++
			}
			if capitals := endCapitals(text[i:end]); capitals >= 4 && (capitals < end-i || precedesName(text[:i])) {
				return true
			}
			i = end - 1
		}
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// endCapitals returns the length of the capitalized name at the end of a word.
func endCapitals(word string) int {
	n, from := 0, 0
	for i := len(word) - 1; i >= 0; i-- {
		c := word[i]
		if n++; c >= 'A' && c <= 'Z' {
			from = n
		} else if c != '_' && (c < '0' || c > '9') {
			break
		}
	}
	return from
}

// precedesName reports whether a text may precede the name of an option.
func precedesName(before string) bool {
	s := strings.TrimRight(before, spaces)
	if s == "" {
		return false
	}
	switch s[len(s)-1] {
	case ',':
		return true // a variable, which the expression checks
	case '=', '{':
		s = strings.TrimRight(strings.TrimSuffix(s, "{"), spaces)
		s, given := strings.CutSuffix(s, "=")
		s = strings.TrimRight(s, spaces)
		return given && (strings.HasSuffix(s, "name") || strings.HasSuffix(s, "names"))
	case '(':
		s = strings.TrimRight(s[:len(s)-1], spaces)
	}
	from := len(s)
	for from > 0 && isWord(s[from-1]) {
		from--
	}
	name := s[from:]
	switch name {
	case "":
		return false
	case "add_argument", "add_option", "addoption", "option", "opt", "requiredOption", "addOption", "on", "class_option", "method_option",
		"mattr_accessor", "cattr_accessor", "mattr_writer", "class_attribute", "config_accessor", "config_setting", "new", "long", "set":
		return true
	}
	for _, part := range [...]string{"Config", "Setting", "Flag", "Param", "Opt"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, t := range typedNames {
		if strings.HasPrefix(name, t) {
			return true
		}
	}
	return false
}

// spaces lists what regular expressions take for white space.
const spaces = " \t\n\f\r"

// typedNames lists prefixes of functions that register an option of a certain type.
var typedNames = [...]string{"String", "Int", "Bool", "Duration", "Float64", "Uint", "Count", "Text", "Func", "Var"}
