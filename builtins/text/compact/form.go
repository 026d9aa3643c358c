package compact

import "strings"

// worthOfLine is what the form of a line says: that it tells of an error, defines something, is a heading, or
// only leads from one line of code to the next.
func worthOfLine(line string) float64 {
	v := 0.0
	if tellsError(line) {
		v += errWorth
	}
	if defines(line) {
		v += sigWorth
	}
	if heads(line) {
		v += headWorth
	}
	if hasPrefix(strings.TrimLeft(line, " \t+-"), "return", "if ", "for ", "} else", "else") {
		v += flowWorth
	}
	return v
}

// definers are the words that a definition begins with, and those that stand before them.
var (
	definers  = setOf("def func fn class interface type struct enum function impl trait module namespace const var let package protocol extension record object fun")
	modifiers = setOf("export public private protected internal static async default abstract final pub override open data sealed unsafe extern inline virtual")
)

// defines reports whether a line of code, or of a diff of code, begins a definition.
func defines(line string) bool {
	line = strings.TrimLeft(line, " \t+-")
	for {
		i := 0
		for i < len(line) && (isLower(line[i])) {
			i++
		}
		w := line[:i]
		if i == 0 || i == len(line) || line[i] != ' ' && line[i] != '(' && line[i] != '<' {
			return false
		}
		if definers[w] {
			rest := strings.TrimLeft(line[i:], " ")
			return rest != "" && (atomClass[rest[0]] == atomWord || strings.IndexByte("*(<[{", rest[0]) >= 0)
		}
		if !modifiers[w] {
			return false
		}
		line = strings.TrimLeft(line[i:], " ")
	}
}

// heads reports whether a line is a heading: of Markdown, a diff, a commit, a section of output.
func heads(line string) bool {
	l := strings.TrimLeft(line, " ")
	switch {
	case l == "":
		return false
	case l[0] == '#':
		h := strings.TrimLeft(l, "#")
		return len(l)-len(h) <= 6 && strings.HasPrefix(h, " ")
	case strings.HasPrefix(l, "diff --git"), strings.HasPrefix(l, "@@ "), strings.HasPrefix(l, "==="), strings.HasPrefix(l, "--- "):
		return true
	case strings.HasPrefix(l, "commit ") && len(l) > 14 && isHex(l[7:14]):
		return true
	case strings.HasPrefix(l, "**"):
		t := strings.TrimRight(l, " :")
		return strings.HasSuffix(t, "**") && strings.Count(t, "**") == 2
	}
	t := strings.TrimRight(l, " ")
	if !strings.HasSuffix(t, ":") || len(t) > 44 || len(t) < 4 {
		return false
	}
	for i := 0; i < len(t)-1; i++ {
		if c := t[i]; !isAlnum(c) && c != ' ' && c != '_' {
			return false
		}
	}
	return true
}

func isHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

var errorWords = newWordSet(strings.Fields("error errors fail fails failed failing failure fatal panic panicked exception traceback denied refused timeout warning warn undefined cannot invalid missing unexpected expected rejected aborted crashed unreachable unauthorized forbidden")...)

// tellsError reports whether a line speaks of a fault.
func tellsError(line string) bool {
	if strings.HasPrefix(line, "E ") || strings.Contains(line, "not found") || strings.IndexByte(line, "✗"[0]) >= 0 && strings.ContainsAny(line, "✗✘") {
		return true
	}
	var buf [16]byte
	for i := 0; i < len(line); {
		if !isAlnum(line[i]) && line[i] != '_' {
			i++
			continue
		}
		start := i
		for i < len(line) && (isAlnum(line[i]) || line[i] == '_') {
			i++
		}
		w := line[start:i]
		if len(w) < 4 || len(w) > len(buf) {
			continue
		}
		if n := len(w); n > 5 && (strings.HasSuffix(w, "Error") || strings.HasSuffix(w, "Exception")) {
			return true
		}
		if !errorWords.may(w[0], len(w)) {
			continue
		}
		lower := buf[:0]
		for k := 0; k < len(w); k++ {
			c := w[k]
			if isUpper(c) {
				c += 'a' - 'A'
			}
			lower = append(lower, c)
		}
		if errorWords.has(lower) {
			return true
		}
	}
	return false
}

func setOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// template hashes a line so that lines that differ in numbers and in identifiers of digits are equal: FNV-1a over its
// first bytes, a run with a digit in it read as one.
func template(line string) uint64 {
	const most = 60
	h := uint64(14695981039346656037)
	n := 0
	for i := 0; i < len(line) && n < most; n++ {
		c := line[i]
		if isAlnum(c) {
			start, digits := i, false
			for i < len(line) && isAlnum(line[i]) {
				digits = digits || isDigit(line[i])
				i++
			}
			if digits {
				h = (h ^ '0') * 1099511628211
				continue
			}
			for _, c := range []byte(line[start:i]) {
				h = (h ^ uint64(c)) * 1099511628211
			}
			n += i - start - 1
			continue
		}
		h = (h ^ uint64(c)) * 1099511628211
		i++
	}
	return h
}
