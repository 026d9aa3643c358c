package relation

import (
	"bytes"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
)

// value reads the type of an expression that makes one: new T(, T(, &T{, T::new(, NewT(.
func (r *Reader) value(i int) typed { return r.valueIn(i, 3) }

// callsType says that a type called by its name alone makes a value of it, as in Dart.
func callsType(l symbols.Lang, behind byte, name string) bool {
	return l == symbols.Dart && behind == '(' && upper(name)
}

// valueIn is value, where so many wrappers may stand around it: Arc::new(T::new()).
func (r *Reader) valueIn(i, wraps int) typed {
	i = r.skipOn(i)
	lang := family(r.src.Lang)
	isNew := false
	for n := 0; n < 4 && i < len(r.code); n++ {
		switch w := r.wordAt(i); {
		case w == "new" || w == "await":
			isNew = isNew || w == "new"
			i = r.skipOn(i + len(w))
			continue
		case r.code[i] == '&' || r.code[i] == '*' && lang == symbols.C:
			i = r.skipOn(i + 1)
			continue
		}
		break
	}
	var parts []string
	j, sep := i, ""
	for n := 0; n < 6; n++ {
		k := j
		for j < len(r.code) && wordByte(r.code[j]) {
			j++
		}
		if k == j {
			return typed{}
		}
		parts = append(parts, string(r.code[k:j]))
		if lang == symbols.Rust {
			j = r.pastTurbofish(j)
		}
		switch {
		case j < len(r.code)-1 && r.code[j] == '.' && wordByte(r.code[j+1]):
			sep = "."
			j++
		case j < len(r.code)-2 && r.code[j] == ':' && r.code[j+1] == ':' && wordByte(r.code[j+2]):
			sep = "::"
			j += 2
		default:
			n = 6
		}
	}
	var c byte
	if k := j; k < len(r.code) {
		if r.code[k] == ' ' && k+1 < len(r.code) && r.code[k+1] == '{' {
			k++
		}
		c = r.code[k]
	}
	end := parts[len(parts)-1]
	t := typed{name: end}
	if len(parts) > 1 {
		t.qualifier = before(lang, parts[:len(parts)-1])
	}
	switch {
	case isNew, callsType(lang, c, end):
		return t
	case lang == symbols.Go && c == '{':
		return t
	case lang == symbols.Go && c == '(' && (strings.HasPrefix(end, "New") || strings.HasPrefix(end, "new")) && len(end) > 3:
		t.name = end[3:]
		return t
	case lang == symbols.Ruby && end == "new" && len(parts) > 1:
		return typed{name: parts[len(parts)-2]}
	case lang == symbols.Rust && sep == "::" && c == '(' && (end == "new" || end == "default" || strings.HasPrefix(end, "with_") || strings.HasPrefix(end, "from")):
		if wrappers[parts[len(parts)-2]] {
			if wraps == 0 {
				return typed{}
			}
			return r.valueIn(j+1, wraps-1)
		}
		return typed{name: parts[len(parts)-2], qualifier: before(lang, parts[:len(parts)-2])}
	case lang == symbols.Rust && c == '{' && upper(end):
		return t
	case (lang == symbols.Python || r.src.Lang == symbols.Kotlin || r.src.Lang == symbols.Swift || r.src.Lang == symbols.Scala) && c == '(' && upper(end):
		return t
	}
	return typed{}
}

// typeBefore reads the type in `T<..> *name`.
func (r *Reader) typeBefore(at int) (typed, bool) {
	i := at
	for i > 0 && (r.code[i-1] == ' ' || r.code[i-1] == '\t' || r.code[i-1] == '*' || r.code[i-1] == '&') {
		i--
	}
	if i == at || i == 0 {
		return typed{}, false
	}
	if r.code[i-1] == ']' || r.code[i-1] == '.' {
		return typed{}, r.code[i-1] == ']'
	}
	if r.code[i-1] == '?' {
		i--
	}
	if r.code[i-1] == '>' {
		depth := 0
		for n := 0; i > 0 && n < 200; n++ {
			i--
			switch r.code[i] {
			case '>':
				depth++
			case '<':
				depth--
			case ';', '{', '}', '(', '=':
				return typed{}, false
			}
			if depth == 0 {
				break
			}
		}
		if depth != 0 {
			return typed{}, false
		}
	}
	j := i
	for j > 0 && wordByte(r.code[j-1]) {
		j--
	}
	word := string(r.code[j:i])
	switch word {
	case "", "return", "new", "throw", "else", "in", "case", "delete", "sizeof", "await", "yield", "instanceof", "extends", "implements", "goto", "out", "ref", "is", "as", "not", "and", "or", "typeof", "static", "final", "private", "public", "protected", "readonly", "const",
		"class", "interface", "enum", "struct", "record", "union", "namespace", "package", "using", "import", "where", "typename":
		return typed{}, false
	}
	if anyType(word) {
		return typed{}, true
	}
	return typed{name: word}, true
}

// pastTurbofish passes over ::<..> where more of a path stands behind it.
func (r *Reader) pastTurbofish(i int) int {
	if !bytes.HasPrefix(r.code[i:], []byte("::<")) {
		return i
	}
	depth := 0
	for j := i + 2; j < len(r.code) && j < i+200; j++ {
		switch r.code[j] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return j + 1
			}
		case ';', '{', '}':
			return i
		}
	}
	return i
}

// before is what stands before a name of a path: all of it in Rust.
func before(lang symbols.Lang, parts []string) string {
	if lang == symbols.Rust || len(parts) == 0 {
		return strings.Join(parts, "::")
	}
	return parts[len(parts)-1]
}

// madeBefore reads the type of what is made in the expression before a name: T::new().
func (r *Reader) madeBefore(at int) typed {
	i := r.skipBack(at)
	for _, sep := range []string{"?.", "!!.", "->", "."} {
		if bytes.HasSuffix(r.code[:i], []byte(sep)) {
			i = r.skipBack(i - len(sep))
			break
		}
	}
	if i == 0 || r.code[i-1] != ')' {
		return typed{}
	}
	depth, from := 0, max(0, i-maxImport)
	for i--; i > from; i-- {
		if c := r.code[i]; c == ')' {
			depth++
		} else if c == '(' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	end := i
	for i > from && (wordByte(r.code[i-1]) || r.code[i-1] == ':' || r.code[i-1] == '.') {
		i--
	}
	if depth != 0 || i == end || !wordByte(r.code[i]) {
		return typed{}
	}
	if r.wordBefore(i) == "new" {
		i = bytes.LastIndex(r.code[:i], []byte("new"))
	}
	return r.value(i)
}
