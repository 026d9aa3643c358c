package relation

import (
	"bytes"
	"regexp"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
)

// local is a place in a function that declares a variable or sets it.
type local struct {
	typed
	at        int
	from, end int  // where it is in sight
	declares  bool // it declares a variable, which hides others of the name
	untold    bool // it sets it to a value whose type is not told
	of        int  // index of the declaration whose variable this sets, -1 if there is none; not used for a declaration
}

// maxLocals bounds the places of one name in a function.
const maxLocals = 200

// localsOf lists what declares or sets a name in the function that begins on a line, in order.
func localsOf(r *Reader, name string, line, from, to int) []local {
	key := scoped{name, line}
	if list, ok := r.locals[key]; ok {
		return list
	}
	var list []local
	whole := eachPlace(r, name, from, to, func(at, end int) bool {
		if l, ok := readLocal(r, at, end, to); ok {
			list = append(list, l)
		}
		return len(list) <= maxLocals
	})
	if !whole || len(list) > maxLocals {
		list = []local{{from: from, end: to, declares: true}} // declared as something that does not tell
	}
	for i := range list {
		list[i].of = -1
		for k := range list[:i] {
			if list[k].declares && list[i].at < list[k].end {
				list[i].of = k
			}
		}
	}
	if r.locals == nil {
		r.locals = map[scoped][]local{}
	}
	r.locals[key] = list
	return list
}

// typeInSight finds the type of a variable at an offset: that of the last declaration in sight, and of all that sets it.
// found says that there is one.
func typeInSight(list []local, at int, lang symbols.Lang) (t typed, found bool) {
	in := -1
	for i := range list {
		if l := &list[i]; l.declares && l.from <= at && at < l.end {
			in = i
		}
	}
	var all agreement
	for i := range list {
		if l := &list[i]; i == in || !l.declares && l.of == in {
			all.add(l.typed, l.untold, l.declares)
			found = true
		}
	}
	return all.result(lang), found
}

// readLocal reads whether a name from at to end is declared or set there. Variables of languages without blocks are in
// sight in the whole function.
func readLocal(r *Reader, at, end, to int) (l local, ok bool) {
	if c := byteAt(r.code, at-1); c == '.' || c == '@' || c == '>' && byteAt(r.code, at-2) == '-' {
		return local{}, false // of something else
	}
	l = local{at: at, from: at, end: to}
	d, ok := r.declaration(at, end)
	switch {
	case ok && (!d.stated || r.src.Lang == symbols.Swift) && isArgument(r, at):
		return local{}, false
	case ok:
		l.typed, l.untold = d, d != undeclared && setsUntold(r, at, end)
		l.declares = !isMemberType(r, at, d) && (d.stated || hasTypesFirst(r.src.Lang) || declaresVariable(r, at))
	default:
		l.typed, l.declares, end = declaredSilently(r, at, end)
		l.untold = l.typed == typed{}
	}
	l.declares = l.declares && hasBlocks(r.src.Lang)
	if end > 0 && l.declares {
		l.from, l.end = sightOf(r, at, end, to, l.typed == undeclared)
	}
	return l, end > 0
}

// hasBlocks reports whether a variable is in sight only in the block that declares it.
func hasBlocks(lang symbols.Lang) bool {
	switch family(lang) {
	case symbols.Go, symbols.JavaScript, symbols.Java, symbols.Rust, symbols.C:
		return true
	}
	return lang == symbols.CSharp || lang == symbols.Swift || lang == symbols.Dart
}

// isMemberType reports whether a type behind a name of TypeScript may be that of a member: { name: T }.
func isMemberType(r *Reader, at int, d typed) bool {
	if family(r.src.Lang) != symbols.JavaScript || !d.stated {
		return false
	}
	before := bytes.TrimRight(r.code[:at], " \t\r\n")
	c := byteAt(before, len(before)-1)
	return c == '{' || c == ';' || c == ',' && openBefore(r, at) != '('
}

// Forms of a name that is declared without a word about its type.
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

// declaredSilently reads a declaration that does not tell a type: a parameter, the variable of a loop, one of several that
// are set at once. past is what follows the declaration, 0 where there is none.
func declaredSilently(r *Reader, at, end int) (t typed, declares bool, past int) {
	from := r.start(r.lineOf(at))
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
	case isClosureParameter(r.src.Lang, before, behind):
		return undeclared, true, end + max(0, bytes.Index(behind, []byte(arrowOf(r.src.Lang))))
	case isUntypedParameter(r, at, before, behind):
		return typed{}, true, end
	case r.src.Lang == symbols.PHP && loopOfPHP.Match(before):
		return typed{}, true, end
	}
	if n := loopBehind.FindIndex(behind); n != nil && bytes.Contains(before, []byte("for")) && loopBefore.Match(before) {
		if t, ok := r.typeBefore(at); ok && hasTypesFirst(r.src.Lang) && !isInferred(t.name) {
			return state(t), true, end + n[1]
		}
		return typed{}, true, end + n[1]
	}
	declares, past = setsSeveral(r, at, end, before, behind)
	return typed{}, declares, past
}

// setsSeveral reports whether a name from at to end, between two parts of its line, is one of several that are set at once,
// or a part of what is taken apart.
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
	if m == nil || len(m[1]) == 0 && (!setsAnyType(r.src.Lang) || isArgument(r, at)) {
		return false, 0
	}
	return len(m[1]) > 0, end + n[1]
}

// setsAnyType reports whether a variable of a language may be set to a value of another type.
func setsAnyType(lang symbols.Lang) bool {
	switch family(lang) {
	case symbols.Python, symbols.Ruby, symbols.JavaScript, symbols.PHP, symbols.Lua:
		return true
	}
	return false
}

// arrowOf returns what stands between the parameters of a closure and its value.
func arrowOf(lang symbols.Lang) string {
	if lang == symbols.Kotlin {
		return "->"
	}
	return "=>"
}

// isPiped reports whether a name between two parts of a line is a parameter of a closure of Rust.
func isPiped(lang symbols.Lang, before, behind []byte) bool {
	return lang == symbols.Rust && bytes.IndexByte(behind, '|') >= 0 && pipeBefore.Match(before) && pipeBehind.Match(behind)
}

// isClosureParameter reports whether a name between two parts of a line is a parameter of a closure, or a name in a pattern,
// that has no type.
func isClosureParameter(lang symbols.Lang, before, behind []byte) bool {
	arrow := bytes.Index(behind, []byte("=>"))
	switch {
	case lang == symbols.Kotlin:
		return braceBefore.Match(before) && lambdaBehind.Match(behind)
	case lang == symbols.Swift:
		return braceBefore.Match(before) && inBehind.Match(behind)
	case arrow < 0:
		return false
	case lang == symbols.Rust, lang == symbols.Scala:
		return true
	case family(lang) == symbols.JavaScript, lang == symbols.CSharp, lang == symbols.Dart:
		return isInHead(before, behind[:arrow])
	}
	return false
}

// isInHead reports whether a name between two parts of a line is in the parameters of an arrow, which follows them.
func isInHead(before, behind []byte) bool {
	if len(bytes.TrimSpace(behind)) == 0 { // name =>
		return !bytes.HasSuffix(before, []byte("."))
	}
	end := bytes.LastIndexByte(behind, ')')
	if end < 0 || !resultOfArrow.Match(behind[end+1:]) || bytes.IndexByte(behind, ';') >= 0 {
		return false
	}
	depth := 0 // of the brackets from the last one on, backwards
	for n, text := range [][]byte{behind[:end+1], before} {
		for i := len(text) - 1; i >= 0; i-- {
			switch text[i] {
			case ')', ']', '}':
				depth++
			case '(', '[', '{':
				if depth--; depth == 0 {
					return n == 1 // the name stands in them
				}
			}
		}
	}
	return false
}

// resultOfArrow matches what may stand between the parameters of an arrow and the arrow.
var resultOfArrow = regexp.MustCompile(`^\s*(:.*)?$`)

// isUntypedParameter reports whether a name at an offset, between two parts of its line, is a parameter of a function in a
// language that need not say its type.
func isUntypedParameter(r *Reader, at int, before, behind []byte) bool {
	if !setsAnyType(r.src.Lang) {
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
		return r.src.Lang != symbols.Python // its parameters are types above
	}
	if family(r.src.Lang) != symbols.JavaScript {
		return false
	}
	past := r.skipOn(pastBlock(r, open+1, min(len(r.code), open+maxStatement)) + 1)
	return byteAt(r.code, past) == '{' // a method
}

// isArgument reports whether a name at an offset stands in the brackets of a call, where name = value hands over a value.
func isArgument(r *Reader, at int) bool {
	switch r.src.Lang {
	case symbols.Python, symbols.Kotlin, symbols.Scala, symbols.R, symbols.CSharp, symbols.PHP, symbols.Swift, symbols.Dart:
	default:
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

// maxStatement bounds the bytes of a statement before a name.
const maxStatement = 400

// openBefore returns the bracket that stands open before an offset in its statement, 0 if none does.
func openBefore(r *Reader, at int) byte { return byteAt(r.code, openAt(r, at)) }

// openAt returns where the bracket stands that is open before an offset in its statement, -1 if none is.
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

// isLaterTarget reports whether a name at an offset is set with others before it, so that what follows is not its value.
func isLaterTarget(r *Reader, at int) bool {
	switch r.src.Lang {
	case symbols.Python, symbols.Ruby, symbols.Go, symbols.Lua:
		before := bytes.TrimRight(r.code[:at], " \t*")
		return byteAt(before, len(before)-1) == ',' && openBefore(r, at) != '('
	}
	return false
}

var blockHead = regexp.MustCompile(`^\s*(\}\s*else\s+)?(if|for|while|switch|match)\b`)

// Heads of a pattern that declares a variable.
var (
	matched  = regexp.MustCompile(`\b(is(\s+not)?|instanceof|out)\s+(final\s+)?[\w.<>\[\]?]+\s+$`)
	caseHead = regexp.MustCompile(`^\s*case\b`)
	nextCase = regexp.MustCompile(`\n\s*(case|default)\b`)
)

// isParameterOf reports whether a name at an offset is a parameter of the outermost function around it.
func isParameterOf(r *Reader, at int) bool {
	d, ok := r.function(r.lineOf(at))
	open := openAt(r, at)
	if !ok || byteAt(r.code, open) != '(' || open < r.start(d.Line) || isClosureHead(r, open) {
		return false
	}
	head := r.code[r.start(d.Line):open]
	return bytes.IndexByte(head, '{') < 0 && bytes.Contains(head, []byte(d.Name))
}

// isClosureHead reports whether a bracket at an offset opens the parameters of a closure: it is an argument, or a value.
func isClosureHead(r *Reader, open int) bool {
	i := r.skipBack(open)
	switch byteAt(r.code, i-1) {
	case '(', ',', '=', ':', '{':
		return true
	}
	return false
}

// sightOf returns where a variable is in sight that is declared from at to end: behind the value that it is set to, up to
// the end of its block, or in the body whose head it stands in.
func sightOf(r *Reader, at, end, to int, isClosure bool) (from, until int) {
	if isParameterOf(r, at) {
		return at, to
	}
	before := r.code[r.start(r.lineOf(at)):at]
	until = pastBlock(r, end, to)
	var bare []int
	if isClosure {
		bare = bareArrow.FindIndex(r.code[end:min(len(r.code), end+maxBlockLine)])
	}
	switch {
	case bare != nil:
		if c := byteAt(bytes.TrimLeft(r.code[end+bare[1]:], " \t\r"), 0); c == '\n' || r.src.Lang == symbols.Kotlin {
			return at, until
		}
		return at, endOfBody(r, end+bare[1], to, true)
	case matched.Match(before): // if (x is T name): as far as the block around
		for until < to && r.code[until] != '}' {
			until = pastBlock(r, until+1, to)
		}
		return end, until
	case caseHead.Match(before):
		if next := nextCase.FindIndex(r.code[end:until]); next != nil {
			until = end + next[0]
		}
		return end, until
	case byteAt(r.code, until) == ')':
		return at, endOfBody(r, until+1, to, false)
	case blockHead.Match(before) && (bytes.IndexByte(bytes.TrimLeft(before, " \t}"), '{') < 0 || r.src.Lang == symbols.Rust && ifLet.Match(before)):
		body := bodyBehind(r, end, to)
		if semicolon := bytes.IndexByte(r.code[end:max(end, body)], ';'); semicolon >= 0 {
			return end + semicolon, endOfChain(r, body, to)
		}
		return body, endOfChain(r, body, to)
	}
	return endOfValue(r, end, until), until
}

// bareArrow matches what follows a parameter that has no brackets of its own: name => value, |name| value.
var bareArrow = regexp.MustCompile(`^(\s*(=>|->)|[\w\s,&():<>]*\|)`)

// pastBlock returns where the first bracket closes that is open at an offset, or the end of a stretch.
func pastBlock(r *Reader, i, to int) int {
	depth, from := 0, i
	for ; i < to; i++ {
		switch r.code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				r.steps -= i - from
				return i
			}
		}
	}
	r.steps -= max(0, i-from)
	return to
}

// endOfValue returns where the value ends that a variable is set to behind an offset, if it is.
func endOfValue(r *Reader, i, to int) int {
	for j := i; j < to; j++ {
		switch r.code[j] {
		case '(', '[', '{':
			j = pastBlock(r, j+1, to)
		case ')', ']', '}', ';':
			return j
		case '\n':
			next := pastBlanks(r, j, to)
			if !goesOnBehind(r, j, next) {
				return j
			}
			j = next - 1
		}
	}
	return to
}

// pastBlanks returns where the next text begins behind an offset.
func pastBlanks(r *Reader, i, to int) int {
	from := i
	for i < to && (r.code[i] == ' ' || r.code[i] == '\t' || r.code[i] == '\r' || r.code[i] == '\n') {
		i++
	}
	r.steps -= i - from
	return max(i, from+1)
}

// goesOnBehind reports whether a statement goes on behind the end of a line, with the text at next.
func goesOnBehind(r *Reader, newline, next int) bool {
	before, behind := bytes.TrimRight(r.code[:newline], " \t\r"), r.code[min(next, len(r.code)):]
	switch byteAt(before, len(before)-1) {
	case ',', '(', '[', '=', '>', '+', '-', '&', '|', '?', ':', '.':
		return true
	}
	switch byteAt(behind, 0) {
	case '.', '{', ')', ']', '?', ':', '&', '|', '=', ',':
		return true
	}
	word := string(leadingWord(behind))
	return word == "throws" || word == "where"
}

// endOfBody returns where the body ends that follows the brackets of its head, or the arrow of a closure.
func endOfBody(r *Reader, i, to int, isClosure bool) int {
	isText := false
	for ; i < to; i++ {
		switch c := r.code[i]; {
		case c == '{' && !opensType(r, i):
			return pastBlock(r, i+1, to)
		case c == '(', c == '[', c == '{':
			i = pastBlock(r, i+1, to)
		case c == ')', c == ']', c == '}', c == ';', c == ',' && isClosure:
			return i
		case c == '\n':
			next := pastBlanks(r, i, to)
			if isText && !goesOnBehind(r, i, next) {
				return i
			}
			i = next - 1
		default:
			isText = isText || c > ' '
		}
	}
	return to
}

// opensType reports whether the brace at an offset is that of a type in a head, or of a value: struct{}, ): { a: T }, x{a}.
func opensType(r *Reader, i int) bool {
	switch r.wordBefore(i) {
	case "struct", "interface":
		return true
	}
	c := byteAt(r.code, r.skipBack(i)-1)
	return c == ':' || c == '<' || c == '|' && r.src.Lang != symbols.Rust || c == '&' || r.src.Lang == symbols.CPP && wordByte(byteAt(r.code, i-1))
}

// bodyBehind returns where the body of a head without brackets opens.
func bodyBehind(r *Reader, i, to int) int {
	for ; i < to; i++ {
		switch c := r.code[i]; {
		case c == '{' && byteAt(r.code, i-1) == ' ' && !opensType(r, i):
			return i
		case c == '(', c == '[', c == '{': // of a value
			i = pastBlock(r, i+1, to)
		}
	}
	return to
}

// endOfChain returns where the last block ends of one that opens at an offset, and of all that else puts behind it.
func endOfChain(r *Reader, i, to int) int {
	for {
		end := pastBlock(r, min(i+1, to), to)
		rest := bytes.TrimLeft(r.code[min(end+1, to):to], " \t")
		if !bytes.HasPrefix(rest, []byte("else")) || r.src.Lang != symbols.Go {
			return end
		}
		i = bodyBehind(r, end+1, to)
	}
}
