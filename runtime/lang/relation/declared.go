package relation

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Forms of a name that is declared without its type.
var (
	pipeBefore   = regexp.MustCompile(`(^|[^|])\|[\w\s,&()]*$`)
	pipeBehind   = regexp.MustCompile(`^[\w\s,&():<>]*\|([^|]|$)`)
	braceBefore  = regexp.MustCompile(`\{\s*(\[[^\]]*\]\s*)?\(?(\w+\s*,\s*)*$`)
	lambdaBehind = regexp.MustCompile(`^\s*(,\s*\w+\s*)*\)?\s*->`)
	inBehind     = regexp.MustCompile(`^\s*(,\s*\w+\s*)*\)?\s*in\b`)
	lambdaOfPy   = regexp.MustCompile(`\blambda\s+(\w+\s*,\s*)*$`)

	loopBefore = regexp.MustCompile(`\bfor(each)?\b(\s+await)?\s*\(?\s*((const|let|var|val|mut|final|auto)\s+)?[\[({]?\s*([&$\w]+\s*,\s*)*[&$]?$`)
	loopBehind = regexp.MustCompile(`^(\s*,[\w\s,]*)?[\s)\]}]*(\b(in|of)\b|<-)`)
	loopOfPHP  = regexp.MustCompile(`\bas\s+(\$\w+\s*=>\s*)?&?\$?$`)
	ifLet      = regexp.MustCompile(`\blet\s+(mut\s+)?[\w:]+\s*[({][^=]*$`)
	targets    = regexp.MustCompile(`^\s*((?:(?:const|let|var|val|mut|final|auto|export)\s+)*)(?:list)?[\[({]?[\w$\s,*&.:]*$`)
	setBehind  = regexp.MustCompile(`^([\w$\s,*&:][\w$\s,*&.:]*)?[\])}]*\s*(:[^=]*)?=(?:[^=>~]|$)`)
)

// javaLambda matches what follows a parameter of a lambda; maxLambda limits its length in bytes.
var javaLambda = regexp.MustCompile(`^(\s*,\s*\w+)*\s*\)?\s*->`)

const maxLambda = 200

// readDeclaration reads the type of the name from at to end, if that is its declaration. ok with an empty type means a
// declaration of unknown type.
func (r *Reader) readDeclaration(at, end int) (typed, bool) {
	next := end
	for next < len(r.code) && (r.code[next] == ' ' || r.code[next] == '\t') {
		next++
	}
	if r.profile.readDeclaration != nil {
		return r.profile.readDeclaration(r, at, end, next)
	}
	return declaredBehind(r, at, end, next)
}

// declaredInJava reads a declaration of Java, or a lambda's parameter.
func declaredInJava(r *Reader, at, end, next int) (typed, bool) {
	if javaLambda.Match(r.code[end:min(end+maxLambda, len(r.code))]) {
		return undeclared, true
	}
	return declaredBefore(r, at, end, next)
}

// declaredInDart reads a declaration of Dart, which may begin with final or late in place of a type.
func declaredInDart(r *Reader, at, end, next int) (typed, bool) {
	if byteAt(r.code, next) == '=' && isInferred(r.wordBefore(at)) {
		return readInitializer(r, next+1), true
	}
	return declaredBefore(r, at, end, next)
}

// declaredBefore reads a declaration whose type precedes the name.
func declaredBefore(r *Reader, at, _, next int) (typed, bool) {
	c := byteAt(r.code, next)
	t, ok := r.typeBefore(at)
	switch {
	case !ok || strings.IndexByte("=;,):({[", c) < 0:
		return typed{}, false
	case !isInferred(t.name):
		return markStated(t), true
	case c == '=':
		return readInitializer(r, next+1), true
	}
	return typed{}, true
}

// declaredInPHP reads T $name or $name = value.
func declaredInPHP(r *Reader, at, _, next int) (typed, bool) {
	if t, ok := r.typeBefore(at); ok && isCapitalized(t.name) {
		return markStated(t), true
	}
	if byteAt(r.code, next) == '=' && byteAt(r.code, next+1) != '=' {
		return readInitializer(r, next+1), true
	}
	return typed{}, false
}

// declaredInPython reads name: T, name = value or with value as name.
func declaredInPython(r *Reader, at, end, next int) (typed, bool) {
	if r.wordBefore(at) == "as" {
		return madeByContext(r, at)
	}
	return declaredBehind(r, at, end, next)
}

// fieldTargets matches what follows the first of several fields of Ruby that are set at once.
var fieldTargets = regexp.MustCompile(`^(,\s*[@*]*\w+\s*)+=[^=~]`)

// declaredInRuby reads name = value, name ||= value or, of fields, name, other = values.
func declaredInRuby(r *Reader, at, _, next int) (typed, bool) {
	rest := r.code[next:]
	switch c := byteAt(rest, 1); byteAt(rest, 0) {
	case '=':
		if c != '=' && c != '~' {
			return readInitializer(r, next+1), true
		}
	case '|':
		if bytes.HasPrefix(rest, []byte("||=")) {
			return readInitializer(r, next+3), true
		}
	case ',':
		return typed{}, r.code[at] == '@' && fieldTargets.Match(rest[:min(len(rest), maxBlockLine)])
	}
	return typed{}, false
}

// madeByContext reads the type in with T(…) as name. Usually, but not always, the context manager returns itself.
func madeByContext(r *Reader, at int) (typed, bool) {
	made := r.skipBack(bytes.LastIndex(r.code[:at], []byte("as")))
	open := openOf(r.code, made)
	if open < 1 || !wordByte(r.code[open-1]) {
		return typed{}, false // an import, or a value in brackets
	}
	for open > 0 && (wordByte(r.code[open-1]) || r.code[open-1] == '.') {
		open--
	}
	t := r.readValue(open)
	t.mixed = t.name != ""
	return t, true
}

// declaredInGo reads a declaration of Go whose name ends at end and is followed by the text at i: x := New(),
// x, err := New(), x T.
func declaredInGo(r *Reader, at, end, i int) (typed, bool) {
	if bytes.HasPrefix(r.code[i:], []byte(":=")) {
		if isLaterTarget(r, at) {
			return typed{}, true
		}
		return readInitializer(r, i+2), true
	}
	c := byteAt(r.code, i)
	if c == ',' {
		j := i
		for n := 0; n < 80 && j < len(r.code) && (wordByte(r.code[j]) || r.code[j] == ',' || r.code[j] == ' '); n++ {
			j++
		}
		switch {
		case !bytes.HasPrefix(r.code[j:], []byte(":=")):
			return typed{}, false
		case isLaterTarget(r, at):
			return typed{}, true
		}
		return readInitializer(r, j+2), true
	}
	if i > end && (wordByte(c) || c == '*' || c == '[') && !goKeyword(r.wordAt(i)) {
		return markStated(r.readType(i)), true
	}
	return typed{}, false
}

// declaredBehind reads a declaration whose type or value follows the name: name: Type, name = Type(…).
func declaredBehind(r *Reader, at, _, i int) (typed, bool) {
	lang := r.family
	c, c2 := byteAt(r.code, i), byteAt(r.code, i+1)
	if c == '?' && c2 == ':' {
		i, c, c2 = i+1, ':', byteAt(r.code, i+2)
	}
	if c == ':' && c2 != ':' && c2 != '=' && lang != symbols.Lua {
		t := markStated(r.readType(i + 1))
		return t, isCapitalized(t.name) || lang != symbols.Python && lang != symbols.JavaScript
	}
	switch {
	case c == '=' && c2 != '=' && c2 != '>':
		if isLaterTarget(r, at) {
			return typed{}, true
		}
		return readInitializer(r, i+1), true
	case c == ':' && c2 == '=' && lang == symbols.Python:
		return readInitializer(r, i+2), true
	}
	return typed{}, false
}

func goKeyword(s string) bool {
	switch s {
	case "", "in", "range", "if", "for", "switch", "return", "case", "else", "struct", "interface", "map", "func", "chan", "error", "string", "int", "bool", "any", "byte":
		return true
	}
	return false
}

// declaredSilently reads a declaration without a type: a parameter, a loop variable, one of several variables that are
// set at once. past is the offset after the declaration, 0 if there is none.
func declaredSilently(r *Reader, at, end int) (t typed, declares bool, past int) {
	from := r.lineStart(r.lineOf(at))
	text := lineText(r, r.lineOf(at))
	r.steps -= len(text)
	if len(text) > maxBlockLine || end > from+len(text) {
		return typed{}, false, 0
	}
	before, behind := text[:at-from], text[end-from:]
	if c := byteAt(bytes.TrimLeft(behind, " "), 0); c == '.' || c == '(' {
		return typed{}, false, 0 // a use, and the most frequent one
	}
	switch {
	case isPiped(r.src.Lang, before, behind):
		return undeclared, true, end
	case r.profile.isClosureParameter != nil && r.profile.isClosureParameter(before, behind):
		return undeclared, true, end + max(0, bytes.Index(behind, []byte(arrowOf(r.src.Lang))))
	case isUntypedParameter(r, at, before, behind):
		return typed{}, true, end
	case r.src.Lang == symbols.PHP && loopOfPHP.Match(before):
		return typed{}, true, end
	}
	if n := loopBehind.FindIndex(behind); n != nil && bytes.Contains(before, []byte("for")) && loopBefore.Match(before) {
		if t, ok := r.typeBefore(at); ok && r.profile.typesFirst && !isInferred(t.name) {
			return markStated(t), true, end + n[1]
		}
		return typed{}, true, end + n[1]
	}
	declares, past = setsSeveral(r, at, end, before, behind)
	return typed{}, declares, past
}

// setsSeveral reports whether the name from at to end is one of several that are set at once, or part of a
// destructuring; before and behind are the parts of its line around it.
func setsSeveral(r *Reader, at, end int, before, behind []byte) (declares bool, past int) {
	if bytes.IndexByte(behind, '=') < 0 {
		return false, 0
	}
	n := setBehind.FindIndex(behind)
	if n == nil {
		return false, 0
	}
	if r.src.Lang == symbols.Rust && ifLet.Match(before) {
		return true, end + n[1]
	}
	m := targets.FindSubmatch(before)
	if m == nil || len(m[1]) == 0 && (!r.profile.setsAnyType || isArgument(r, at)) {
		return false, 0
	}
	return len(m[1]) > 0, end + n[1]
}

// arrowOf returns the arrow between the parameters of a closure and its value.
func arrowOf(lang symbols.Lang) string {
	if lang == symbols.Kotlin {
		return "->"
	}
	return "=>"
}

// isPiped reports whether a name between two parts of a line is a parameter of a Rust closure.
func isPiped(lang symbols.Lang, before, behind []byte) bool {
	return lang == symbols.Rust && bytes.IndexByte(behind, '|') >= 0 && pipeBefore.Match(before) && pipeBehind.Match(behind)
}

// isInBraces reports whether a name between two parts of a line is a parameter of a closure in braces; end matches what
// follows its parameters.
func isInBraces(end *regexp.Regexp) func(before, behind []byte) bool {
	return func(before, behind []byte) bool { return braceBefore.Match(before) && end.Match(behind) }
}

// isBeforeArrow reports whether an arrow follows a name between two parts of a line, which is then a parameter or in a
// pattern.
func isBeforeArrow(_, behind []byte) bool { return bytes.Contains(behind, []byte("=>")) }

// isInHead reports whether a name between two parts of a line is among the parameters of the arrow that follows.
func isInHead(before, behind []byte) bool {
	behind, _, ok := bytes.Cut(behind, []byte("=>"))
	if !ok {
		return false
	}
	if len(bytes.TrimSpace(behind)) == 0 { // name =>
		return !bytes.HasSuffix(before, []byte("."))
	}
	end := bytes.LastIndexByte(behind, ')')
	if end < 0 || !resultOfArrow.Match(behind[end+1:]) || bytes.IndexByte(behind, ';') >= 0 {
		return false
	}
	depth := 0 // of the brackets, backwards from the last one
	for n, text := range [][]byte{behind[:end+1], before} {
		for i := len(text) - 1; i >= 0; i-- {
			switch text[i] {
			case ')', ']', '}':
				depth++
			case '(', '[', '{':
				if depth--; depth == 0 {
					return n == 1 // the name is inside them
				}
			}
		}
	}
	return false
}

// resultOfArrow matches what may separate the parameters of an arrow from the arrow.
var resultOfArrow = regexp.MustCompile(`^\s*(:.*)?$`)

// isUntypedParameter reports whether the name at an offset, between two parts of its line, is a function parameter in a
// language with optional types.
func isUntypedParameter(r *Reader, at int, before, behind []byte) bool {
	if !r.profile.setsAnyType {
		return false
	}
	switch c := byteAt(bytes.TrimLeft(behind, " "), 0); {
	case r.src.Lang == symbols.Python && lambdaOfPy.Match(before):
		return true
	case r.src.Lang == symbols.Ruby && pipeBefore.Match(before) && pipeBehind.Match(behind):
		return true
	case c != ',' && c != ')' && c != '=' && c != ':' && c != '?' && c != 0:
		return false
	}
	open := openAt(r, at)
	return byteAt(r.code, open) == '(' && headsFunction(r, open)
}

// headsFunction reports whether the bracket at an offset opens the parameters of a function.
func headsFunction(r *Reader, open int) bool {
	i := r.skipBack(open)
	if byteAt(r.code, i-1) == '>' { // type parameters
		i = max(0, bytes.LastIndexByte(r.code[max(0, i-maxTypeArguments):i], '<')+max(0, i-maxTypeArguments))
	}
	word := i
	for i > 0 && (wordByte(r.code[i-1]) || r.code[i-1] == '?' || r.code[i-1] == '!') {
		i--
	}
	switch name := string(r.code[i:word]); name {
	case "function", "fn", "init", "constructor", "subscript", "catch", "func", "fun", "def":
		return true
	case "if", "for", "while", "switch", "with", "return", "await", "":
		return false
	}
	switch r.wordBefore(i) {
	case "function", "def", "func", "fun", "fn":
		return true
	case "class":
		return r.src.Lang != symbols.Python // its parameters are base classes
	}
	if r.family != symbols.JavaScript {
		return false
	}
	past := r.skipOn(pastBlock(r, open+1, min(len(r.code), open+maxStatement)) + 1)
	return byteAt(r.code, past) == '{' // a method
}

// isArgument reports whether the name at an offset is among the arguments of a call, where name = value passes a value.
func isArgument(r *Reader, at int) bool {
	if !r.profile.namedArguments {
		return false
	}
	open := openAt(r, at)
	if byteAt(r.code, open) != '(' || open == 0 {
		return false
	}
	switch r.wordBefore(open) {
	case "if", "elif", "elseif", "while", "for", "foreach", "switch", "return", "and", "or", "not", "in", "assert", "list":
		return false
	}
	c := r.code[open-1]
	return (wordByte(c) || c == ')' || c == ']' || c == '>') && !headsFunction(r, open)
}

// maxStatement limits how far a statement is read before a name, in bytes.
const maxStatement = 400

// openBefore returns the bracket that is open at an offset in its statement, or 0.
func openBefore(r *Reader, at int) byte { return byteAt(r.code, openAt(r, at)) }

// openAt returns the offset of the bracket that is open at an offset in its statement, or -1.
func openAt(r *Reader, at int) int {
	depth := 0
	for i := at - 1; i >= max(0, at-maxStatement); i-- {
		switch r.code[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth < 0 {
				return i
			}
		case ';':
			if depth == 0 {
				return -1
			}
		}
	}
	return -1
}

// isLaterTarget reports whether other names are assigned before the one at an offset, so that the value is not its own.
func isLaterTarget(r *Reader, at int) bool {
	if !r.profile.severalTargets {
		return false
	}
	before := bytes.TrimRight(r.code[:at], " \t*")
	return byteAt(before, len(before)-1) == ',' && openBefore(r, at) != '('
}
