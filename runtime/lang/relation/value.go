package relation

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// readValue reads the type of an expression that creates a value: new T(, T(, &T{, T::new(, NewT(.
func (r *Reader) readValue(i int) typed { return r.valueIn(i, 3) }

// alternative matches what follows a value on its line if another value may replace it, or if its type changes:
// Foo() or Bar(), Foo() if x else Bar(), Foo() as Bar.
var alternative = regexp.MustCompile(`^[ \t]*(if |or |and |as\b|\|\||&&|\?\?|\?:|\? )`)

// alternativeBelow matches the same on the next line.
var alternativeBelow = regexp.MustCompile(`^[ \t]*\r?\n\s*(\|\||&&|\?\?|\?:|\? )`)

// maxLinks limits how many chained calls on a value are followed.
const maxLinks = 8

// readInitializer reads the type of the value that a variable is set to, or the call that returns it. A further call on
// a value, or an element taken from it, has another type.
func readInitializer(r *Reader, i int) typed {
	t := r.readValue(i)
	end := r.pathEnd
	if t.name == "" {
		if t = callEndingAt(r, end); t.call == 0 {
			return typed{}
		}
	}
	for range maxLinks {
		end = pastValue(r, end, t.name != "")
		if c := byteAt(r.code, end); c == '[' || c == '(' || alternative.Match(r.code[end:min(end+8, len(r.code))]) || alternativeBelow.Match(r.code[end:min(end+maxBlockLine, len(r.code))]) {
			return typed{}
		}
		if t.call > 0 && r.src.Lang == symbols.Rust && byteAt(r.code, end) == '?' {
			return typed{}
		}
		name, ok := bytes.CutPrefix(bytes.TrimPrefix(r.code[r.skipOn(end):], []byte("?")), []byte("."))
		if !ok {
			name, ok = bytes.CutPrefix(r.code[r.skipOn(end):], []byte("->"))
		}
		if !ok {
			if t.call > 0 && !endsValue(r, end) {
				return typed{}
			}
			return t
		}
		word := leadingWord(name)
		end = len(r.code) - len(name) + len(word)
		if t.call > 0 && unwraps(r.src.Lang, string(word)) {
			return typed{} // the call returns a wrapper of the value
		}
		if !r.profile.keepsType[string(word)] {
			if t = callEndingAt(r, end); t.call == 0 {
				return typed{}
			}
		}
	}
	return typed{}
}

// pastValue returns the offset after a value whose name ends at end: after its brackets and non-null marks. made
// reports that the value is created here, so that a trailing closure does not change its type.
func pastValue(r *Reader, end int, made bool) int {
	end = pastCall(r, end)
	end += len(r.code[end:]) - len(bytes.TrimPrefix(r.code[end:], []byte("{}")))
	if open := r.skipOn(end); made && byteAt(r.code, open) == '{' && r.profile.blockInitializer {
		end = min(pastBlock(r, open+1, min(len(r.code), open+maxValue))+1, len(r.code))
	}
	for byteAt(r.code, end) == '!' && byteAt(r.code, end+1) != '=' {
		end++
	}
	return end
}

// endsValue reports whether a value ends at an offset.
func endsValue(r *Reader, at int) bool {
	switch rest := bytes.TrimLeft(r.code[at:min(len(r.code), at+maxBlockLine)], " \t"); byteAt(rest, 0) {
	case 0, ';', ',', ')', ']', '}', '\n', '\r', ':':
		return true
	case '{': // of the body after a condition
		return r.profile.bareConditions
	}
	return false
}

// unwraps reports whether a method of Rust takes a value out of its wrapper.
func unwraps(lang symbols.Lang, name string) bool {
	return lang == symbols.Rust && (name == "unwrap" || name == "expect")
}

// callEndingAt returns the call of the function whose name ends at an offset, or the zero value if it is not called there.
func callEndingAt(r *Reader, end int) typed {
	at := end
	for at > 0 && wordByte(r.code[at-1]) {
		at--
	}
	switch string(r.code[at:end]) {
	case "", "require", "import":
		return typed{}
	}
	if byteAt(r.code, end) != '(' {
		return typed{}
	}
	return typed{call: at}
}

// pastCall returns the offset after the type arguments and the argument list of a call that begin at an offset.
func pastCall(r *Reader, at int) int {
	end := at
	if c := byteAt(r.code, at); c == '<' || c == '[' {
		if end = pastBrackets(r.code, at, at); c == '[' && byteAt(r.code, end) != '(' {
			return at // an index expression
		}
	}
	if byteAt(r.code, end) == '(' {
		if past := pastBlock(r, end+1, min(len(r.code), end+maxValue)); byteAt(r.code, past) == ')' {
			return past + 1
		}
	}
	return end
}

// maxValue limits the argument list of a call, and a block after it, in bytes.
const maxValue = 16 << 10

// valueIn reads the type of an expression that creates a value inside at most wraps wrappers: Arc::new(T::new()).
func (r *Reader) valueIn(i, wraps int) typed {
	i, isNew := skipNew(r, i)
	p := readPath(r, i)
	r.pathEnd = p.end
	if len(p.parts) == 0 {
		return typed{}
	}
	end := p.parts[len(p.parts)-1]
	t := typed{name: end}
	var owner typed // the qualifier of the last name
	if n := len(p.parts) - 1; n > 0 {
		t.qualifier = joinQualifier(r.src.Lang, p.parts[:n])
		owner = typed{name: p.parts[n-1], qualifier: joinQualifier(r.src.Lang, p.parts[:n-1])}
	}
	switch {
	case isNew, r.profile.callsTypes && p.next == '(' && isCapitalized(end):
		return t
	case isCapitalized(owner.name) && isSingleton(end) && (p.next != '(' || byteAt(r.code, r.skipOn(p.end+1)) == ')'):
		return typed{name: owner.name, guess: true}
	case r.profile.readMade != nil:
		return r.profile.readMade(r, t, owner, p, wraps)
	}
	return typed{}
}

// skipNew skips the words and operators before an expression that creates a value: new, await, &.
func skipNew(r *Reader, i int) (at int, isNew bool) {
	i = r.skipOn(i)
	for n := 0; n < 4 && i < len(r.code); n++ {
		switch w := r.wordAt(i); {
		case w == "new" || w == "await":
			isNew = isNew || w == "new"
			i = r.skipOn(i + len(w))
			continue
		case r.code[i] == '&' || r.code[i] == '*' && r.family == symbols.C:
			i = r.skipOn(i + 1)
			continue
		}
		break
	}
	return i, isNew
}

// namePath is a qualified name: its parts, the last separator, and the byte after it.
type namePath struct {
	parts []string
	sep   string
	end   int
	next  byte
}

// maxPath limits the number of names in a path.
const maxPath = 6

// readPath reads the path that begins at an offset, without the type arguments of its names.
func readPath(r *Reader, j int) (p namePath) {
	for len(p.parts) < maxPath {
		k := j
		for j < len(r.code) && wordByte(r.code[j]) {
			j++
		}
		if k == j {
			return namePath{}
		}
		p.parts = append(p.parts, string(r.code[k:j]))
		switch r.src.Lang {
		case symbols.Rust:
			if bytes.HasPrefix(r.code[j:], []byte("::<")) {
				j = pastBrackets(r.code, j, j+2)
			}
		case symbols.Go:
			if byteAt(r.code, j) == '[' {
				j = pastBrackets(r.code, j, j)
			}
		}
		if byteAt(r.code, j) == '.' && wordByte(byteAt(r.code, j+1)) {
			p.sep = "."
		} else if bytes.HasPrefix(r.code[j:], []byte("::")) && wordByte(byteAt(r.code, j+2)) {
			p.sep = "::"
		} else {
			break
		}
		j += len(p.sep)
	}
	p.end = j
	if byteAt(r.code, j) == ' ' && byteAt(r.code, j+1) == '{' {
		j++
	}
	p.next = byteAt(r.code, j)
	return p
}

// maxTypeArguments limits a list of type arguments, in bytes.
const maxTypeArguments = 200

// pastBrackets returns the offset after the brackets that open at open, or stay if they do not close nearby.
func pastBrackets(code []byte, stay, open int) int {
	depth := 0
	for j := open; j < min(len(code), open+maxTypeArguments); j++ {
		switch code[j] {
		case '<', '[':
			depth++
		case '>', ']':
			if depth--; depth == 0 {
				return j + 1
			}
		case ';', '{', '}':
			return stay
		}
	}
	return stay
}

// isSingleton reports whether a name is usual for the single instance of a type: T.shared, T::instance().
func isSingleton(name string) bool {
	switch name {
	case "instance", "Instance", "INSTANCE", "getInstance", "GetInstance", "get_instance", "shared", "sharedInstance", "singleton":
		return true
	}
	return false
}

// madeInGo returns the type that T{ or NewT( creates.
func madeInGo(_ *Reader, t, _ typed, p namePath, _ int) typed {
	name := strings.TrimPrefix(strings.TrimPrefix(t.name, "New"), "new")
	switch {
	case p.next == '{':
		t.pointer = true // or at least not an interface
		return t
	case p.next == '(' && name != t.name && name != "":
		t.name, t.pointer = name, true
		return t
	}
	return typed{}
}

func isRustMaker(name string) bool {
	return name == "new" || name == "default" || strings.HasPrefix(name, "with_") || strings.HasPrefix(name, "from")
}

// madeInRust returns the type that T{ or T::new( creates.
func madeInRust(r *Reader, t, owner typed, p namePath, wraps int) typed {
	switch {
	case p.next == '(' && isRustMaker(t.name) && wrappers[owner.name] && wraps > 0:
		return r.valueIn(p.end+1, wraps-1)
	case p.sep == "::" && p.next == '(' && isRustMaker(t.name) && !wrappers[owner.name]:
		return owner
	case p.next == '{' && isCapitalized(t.name):
		return t
	}
	return typed{}
}

// madeInRuby returns the type that T.new creates.
func madeInRuby(_ *Reader, t, owner typed, _ namePath, _ int) typed {
	if t.name != "new" {
		return typed{}
	}
	return typed{name: owner.name}
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
	if byteAt(r.code, i-1) == '>' {
		if i = typeArgumentsBefore(r.code, i); i < 0 {
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
	if r.isVague(word) {
		return typed{}, true
	}
	return typed{name: word, qualifier: packageBefore(r, j)}, true
}

// typeArgumentsBefore returns the offset of the < that matches the > before end, or -1 if that is not nearby.
func typeArgumentsBefore(code []byte, end int) int {
	depth := 0
	for i := end - 1; i >= max(0, end-maxTypeArguments); i-- {
		switch code[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return i
			}
		case ';', '{', '}', '(', '=':
			return -1
		}
	}
	return -1
}

// isVague reports what anyType does, except that built-in classes are never vague.
func (r *Reader) isVague(name string) bool { return anyType(name) && !r.profile.builtins[name] }

// packageBefore returns the package with which a Java type is qualified, which may differ from the imported one.
func packageBefore(r *Reader, at int) string {
	if r.src.Lang != symbols.Java || byteAt(r.code, at-1) != '.' {
		return ""
	}
	return r.wordBefore(at - 1)
}

// joinQualifier returns the qualifier of a name in a path: all its parts in Rust, else the last one.
func joinQualifier(lang symbols.Lang, parts []string) string {
	if lang == symbols.Rust || len(parts) == 0 {
		return strings.Join(parts, "::")
	}
	return parts[len(parts)-1]
}

// maxParenthesized limits how far before its end an expression in parentheses may begin, in bytes.
const maxParenthesized = 4000

// openOf returns where the parenthesis that closes just before end opens, or -1 if that is not nearby.
func openOf(code []byte, end int) int {
	if byteAt(code, end-1) != ')' {
		return -1
	}
	depth := 0
	for i := end - 1; i >= max(0, end-maxParenthesized); i-- {
		switch code[i] {
		case ')':
			depth++
		case '(':
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// bracketedValue reads the type of the value that is created between the brackets that open at an offset: (new T()).
func (r *Reader) bracketedValue(open int) typed {
	t := r.readValue(open + 1)
	if t.name == "" {
		return typed{}
	}
	end := pastValue(r, r.pathEnd, true)
	if byteAt(r.code, end) == '{' {
		end = pastBlock(r, end+1, min(len(r.code), end+maxValue)) + 1
	}
	if r.skipOn(end) != pastBlock(r, open+1, min(len(r.code), open+maxValue)) {
		return typed{}
	}
	return t
}

// receiverExprType reads the type of the value that the expression before a name creates: T::new().
func (r *Reader) receiverExprType(at int) typed {
	i := r.skipBack(at)
	isUnwrapped := false
	for _, sep := range []string{"?.", "!!.", "->", "."} {
		if bytes.HasSuffix(r.code[:i], []byte(sep)) {
			isUnwrapped = sep == "?." && r.src.Lang == symbols.Rust
			i = r.skipBack(i - len(sep))
			break
		}
	}
	if r.src.Lang == symbols.Dart && byteAt(r.code, i-1) == '.' {
		if i = r.skipBack(i - 1); r.isLaterCascade(i) {
			return typed{}
		}
	}
	open := openOf(r.code, i)
	if open < 0 {
		return typed{}
	}
	inner := bytes.Trim(r.code[open+1:i-1], "&* ")
	for i = open; i > 0 && (wordByte(r.code[i-1]) || r.code[i-1] == ':' || r.code[i-1] == '.'); {
		i--
	}
	if i == open && len(inner) > 0 && len(inner) == len(leadingWord(inner)) { // (&x).name()
		return r.typeOf(string(inner), at)
	}
	if i == open {
		return r.bracketedValue(open)
	}
	if !wordByte(r.code[i]) {
		return callEndingAt(r, open)
	}
	if r.wordBefore(i) == "new" {
		i = bytes.LastIndex(r.code[:i], []byte("new"))
	}
	if t := r.readValue(i); t.name != "" || isUnwrapped {
		return t
	}
	return callEndingAt(r, open)
}
