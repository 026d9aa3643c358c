package relation

import (
	"bytes"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// wordReader reads languages in which a call needs no parentheses.
type wordReader struct{ *Reader }

// word is a name in the code with its surroundings.
type word struct {
	at, end    int
	qualified  bool
	prev, next byte   // the neighboring bytes, 0 for none
	behind     []byte // the rest of the line, without leading blanks
	first      byte   // byte of behind
}

// maxBehind limits how far the text after a name is read, in bytes.
const maxBehind = 80

func newWord(r *Reader, at, end int, qualified bool) word {
	w := word{at: at, end: end, qualified: qualified, prev: byteAt(r.code, at-1), next: byteAt(r.code, end)}
	w.behind = bytes.TrimLeft(r.code[end:min(len(r.code), end+maxBehind)], " \t")
	w.first = byteAt(w.behind, 0)
	return w
}

// readLua recognizes calls with only a table or a string: f{…}, f "…".
func (r wordReader) readLua(w word) (form Form, ok, found bool) {
	data := r.src.Data[w.end:min(len(r.src.Data), w.end+maxBehind)]
	switch byteAt(bytes.TrimLeft(data, " \t"), 0) {
	case '{', '"', '\'':
		return Call, true, true
	}
	return Other, false, false
}

func (r wordReader) readElixir(w word) (form Form, ok, found bool) {
	switch {
	case w.next == ':' && byteAt(r.code, w.end+1) != ':': // a key
		return Other, false, true
	case w.prev == ':' && !w.qualified, w.first == '/' && byteAt(r.code, r.pathStart(w.at)-1) == '&': // an atom, as apply takes; &A.name/1
		return Value, true, true
	case w.next == '(':
		return Other, false, false
	case w.qualified:
		quals, _ := r.qualifiers(w.at)
		// Without parentheses only modules have functions; a map has fields.
		return Other, false, len(quals) == 0 || !isCapitalized(quals[len(quals)-1])
	case bytes.HasSuffix(bytes.TrimRight(r.code[max(0, w.at-maxBehind):w.at], " \t\r\n"), []byte("|>")):
		return Call, true, true
	case isCapitalized(string(r.code[w.at:w.end])):
		return Other, true, true // a module
	case w.next == ' ' && (wordByte(w.first) || bytes.IndexByte([]byte("%:@"), w.first) >= 0) && !infix[string(leadingWord(w.behind))]:
		return Call, true, true
	}
	return Other, false, true // a variable
}

// infix lists the words of Elixir that may follow a value.
var infix = map[string]bool{"and": true, "or": true, "in": true, "when": true, "do": true, "end": true, "not": true, "else": true, "after": true, "rescue": true, "catch": true}

func leadingWord(text []byte) []byte {
	n := 0
	for n < len(text) && wordByte(text[n]) {
		n++
	}
	return text[:n]
}

func (r wordReader) readPerl(w word) (form Form, ok, found bool) {
	switch {
	case bytes.HasPrefix(w.behind, []byte("=>")), w.prev == '{' && w.next == '}': // a key
		return Other, false, true
	case w.prev == '@', w.prev == '%', w.prev == '#': // a variable
		return Other, true, true
	case bytes.HasSuffix(r.code[:r.pathStart(w.at)], []byte(`\&`)):
		return Value, true, true
	case w.prev == '&':
		return Call, true, true
	case w.qualified:
		return Other, false, false
	case w.first == ';', w.next == ' ' && (wordByte(w.first) || bytes.IndexByte([]byte(`@%\`), w.first) >= 0):
		return Call, true, true
	}
	return Other, false, false
}

// readRuby treats a bare name as a call, unless it is a variable: a name with a mark cannot be one.
func (r wordReader) readRuby(w word) (form Form, ok, found bool) {
	name := r.code[w.at:w.end]
	switch last := name[len(name)-1]; {
	case last == '?' || last == '!':
		return Call, true, true
	case w.prev == ':' && byteAt(r.code, w.at-2) != ':':
		return r.readSymbol(r.headOf(max(0, w.at-maxCommandBytes), w.at))
	case w.qualified, w.prev == ':', w.prev == '@', w.next == ':', !isLower(name[0]), w.first == '=' && byteAt(w.behind, 1) != '=':
		return Other, false, false
	case w.first == '(':
		return Other, false, false
	case r.isLocal(string(name), w.at):
		return Other, false, r.steps >= 0
	}
	return Call, true, true
}

// readSymbol recognizes a symbol that names a callback of Rails: before_save :name, if: :ready. The symbols of only:
// and similar options name something else.
func (r wordReader) readSymbol(head []byte) (form Form, ok, found bool) {
	if !marksCallback.Match(head) || limitsCallback.Match(head) {
		return Other, false, false
	}
	return Call, true, true
}

var limitsCallback = lazyregexp.New(`\b(?:only|except|on|format):\s*(?:\[[^\]]*|:?)$`)

// isLower reports whether c begins the name of a Ruby method or variable.
func isLower(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 0x80 }

// isLocal reports whether the method around an offset, or the file outside of methods, has a variable of the given
// name: a parameter, an assigned variable, or a block parameter.
func (r wordReader) isLocal(name string, at int) bool {
	from, to := 0, len(r.code)
	if d, ok := r.outermostFunction(r.lineOf(at)); ok {
		from, to = r.lineStart(d.Line), r.lineStart(d.EndLine+1)
		if d.Name != name && indexWord(parametersOf(r.code[from:to], d.Name), name) >= 0 {
			return true
		}
	}
	for i := from; i < to; {
		if r.steps -= 64; r.steps < 0 {
			return true
		}
		k := indexWord(r.code[i:to], name)
		if k < 0 {
			r.steps -= to - i
			return false
		}
		begin := i + k
		i = begin + len(name)
		line := r.headWhole(begin)
		r.steps -= k + len(line)
		rest := bytes.TrimLeft(r.code[i:min(to, i+maxBehind)], " \t")
		switch {
		case bytes.IndexByte([]byte("@.:$"), byteAt(r.code, begin-1)) >= 0: // a field, a method or a symbol
		case setsVariable(rest), bytes.Count(line, []byte("|"))%2 == 1 && bytes.Contains(firstLine(rest), []byte("|")), takesVariable.Match(line):
			return true
		}
	}
	return false
}

// takesVariable matches what precedes a parameter of a lambda, a loop variable or the variable of a rescued error.
var takesVariable = lazyregexp.New(`->\s*\(?[\w\s,]*$|\bfor\s+[\w\s,]*$|\b(?:rescue|in)\b.*=>\s*$`)

// maxParameters limits the parameters of a method, in bytes.
const maxParameters = 1 << 10

// parametersOf returns the parameters of the method name, whose definition text begins with: the rest of the line, or
// up to the closing parenthesis.
func parametersOf(text []byte, name string) []byte {
	text = text[:min(len(text), maxParameters)]
	_, text, _ = bytes.Cut(text, []byte(name))
	head := firstLine(text)
	if bytes.HasPrefix(head, []byte("(")) && !bytes.Contains(head, []byte(")")) {
		head, _, _ = bytes.Cut(text, []byte(")"))
	}
	return head
}

// headWhole returns the line of an offset up to it.
func (r wordReader) headWhole(at int) []byte { return r.code[r.lineStart(r.lineOf(at)):at] }

// setsVariable reports whether the text after a name assigns it: = 1, ||= 1, , b = 1.
func setsVariable(rest []byte) bool {
	line := firstLine(rest)
	i := bytes.IndexByte(line, '=')
	if i < 0 || bytes.IndexByte([]byte("=~>"), byteAt(line, i+1)) >= 0 || i > 0 && bytes.IndexByte([]byte("=!<>"), line[i-1]) >= 0 {
		return false
	}
	return len(bytes.Trim(line[:i], "+-*/|&% ")) == 0 || line[0] == ',' && !bytes.ContainsAny(line[:i], "(){}[]:'\"")
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// readScala skips end markers of definitions: end name.
func (r wordReader) readScala(w word) (form Form, ok, found bool) {
	return Other, false, !w.qualified && r.wordBefore(w.at) == "end"
}

var runsProcedure = lazyregexp.New(`(?i)\b(?:exec|execute|call)\s+(?:@\w+\s*=\s*)?(?:\[?\w+\]?\.)*\[?$`)

// readSQL recognizes procedures that are run without parentheses: exec dbo.name, call name.
func (r wordReader) readSQL(w word) (form Form, ok, found bool) {
	if runsProcedure.Match(r.headOf(max(0, w.at-maxCommandBytes), w.at)) {
		return Call, true, true
	}
	return Other, false, false
}

var marksCallback = lazyregexp.New(`^\s*(?:(?:before|after|around|skip_before|prepend_before|append_before)_\w+|validates?|rescue_from|helper_method)\b`)

// readHaskell treats a name after another word as an argument of it. In the first column a name is defined.
func (r wordReader) readHaskell(w word) (form Form, ok, found bool) {
	switch {
	case w.prev == '\'', w.next == '\'', r.lineStart(r.lineOf(w.at)) == w.at, r.inHeader(w.at), r.definesLocally(w), r.inImportList(w.at):
		return Other, false, true
	case r.isApplied(w.at):
		return Value, true, true
	}
	return Call, true, true
}

// readR skips parts of longer names, which may contain dots.
func (r wordReader) readR(w word) (form Form, ok, found bool) {
	return Other, false, w.prev == '.' || w.next == '.'
}

// definesLocally reports whether an indented line begins with the name and gives it a type or a value.
func (r wordReader) definesLocally(w word) bool {
	if len(r.headOf(max(0, w.at-maxCommandBytes), w.at)) > 0 {
		return false
	}
	line := firstLine(w.behind)
	if bytes.HasPrefix(line, []byte("::")) {
		return true
	}
	i := bytes.IndexByte(line, '=')
	return i >= 0 && byteAt(line, i+1) != '=' && byteAt(line, i+1) != '>' && bytes.IndexByte([]byte("=/<>:$."), byteAt(line, i-1)) < 0 &&
		!bytes.Contains(line[:i], []byte("$")) && !bytes.Contains(line[:i], []byte("<-"))
}

// maxImportLines limits the lines of a Haskell import.
const maxImportLines = 100

// inImportList reports whether the last line in the first column before an offset begins an import.
func (r wordReader) inImportList(at int) bool {
	for line := r.lineOf(at); line > max(0, r.lineOf(at)-maxImportLines); line-- {
		from := r.lineStart(line)
		if c := byteAt(r.code, from); c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ')' {
			continue
		}
		return bytes.HasPrefix(r.code[from:], []byte("import "))
	}
	return false
}

// maxModuleHead limits how far the header of a Haskell module is searched.
const maxModuleHead = 8 << 10

// inHeader reports whether an offset is in the export list of a module.
func (r wordReader) inHeader(at int) bool {
	if at >= maxModuleHead {
		return false
	}
	head := r.code[:min(len(r.code), maxModuleHead)]
	from := indexWord(head, "module")
	if from < 0 || from > at {
		return false
	}
	n := indexWord(head[from:], "where")
	return n < 0 || from+n > at
}

// isApplied reports whether a word precedes an offset on its line that takes the name there as an argument.
func (r wordReader) isApplied(at int) bool {
	switch r.wordBefore(at) {
	case "", "then", "else", "in", "of", "do", "if", "case", "let", "where", "return", "pure":
		return false
	}
	return true
}

// readMake reads how a makefile or a Dockerfile uses the word from at to end. The names that they define are also
// ordinary words of many commands.
func readMake(reader *Reader, at, end int) (Form, bool) {
	r := wordReader{reader}
	w := newWord(reader, at, end, false)
	before := byteAt(r.code, at-2)
	head := r.headOf(max(0, at-maxCommandBytes), at)
	switch {
	case w.prev == '-', w.next == '-', w.prev == '/', w.next == '/', w.prev == '.': // part of a longer word
		return Other, false
	case w.prev == '$', before == '$' && (w.prev == '(' || w.prev == '{'): // a variable
		return Other, true
	case r.src.Lang == symbols.Dockerfile:
		words := bytes.Fields(bytes.ToUpper(head))
		return Other, len(words) == 1 && string(words[0]) == "FROM" || bytes.HasSuffix(head, []byte("--from="))
	case runsTarget.Match(head), bytes.HasSuffix(head, []byte("$(call ")), bytes.HasSuffix(head, []byte("${call ")):
		return Call, true
	}
	return r.readRule(head, at)
}

// runsTarget matches what precedes a target that make is called with, in the same directory and the same command.
var runsTarget = lazyregexp.New(`(?:^|[\s;&|@(])(?:make|\$[({]MAKE[)}])(?:\s+(?:-[a-zB-Z]\w*|\w+=\S*|[\w.]+))*\s+$`)

// readRule reads a word of a rule or of a variable: a target that depends on others needs them.
func (r wordReader) readRule(head []byte, at int) (Form, bool) {
	for line := r.lineOf(at) - 1; line > 0 && r.lineStart(line+1)-2 >= 0 && byteAt(r.code, r.lineStart(line+1)-2) == '\\' && len(head) < maxCommandBytes; line-- {
		head = append(bytes.Clone(r.code[r.lineStart(line):r.lineStart(line+1)]), head...)
	}
	switch {
	case len(head) == 0, head[0] == '\t', head[0] == '.':
		return Other, false
	case bytes.IndexByte(head, '=') > 0: // kept in a variable
		return Value, true
	case bytes.IndexByte(head, ':') > 0:
		return Call, true
	}
	return Other, false
}

// readPowerShell treats the first word of a command as a call. An argument is a value if its name has a dash, which
// other words do not have.
func (r wordReader) readPowerShell(w word) (form Form, ok, found bool) {
	if w.prev == '.' || w.prev == ':' {
		return Other, false, false // of a value or a class
	}
	i := w.at
	for i > 0 && (r.code[i-1] == ' ' || r.code[i-1] == '\t') {
		i--
	}
	before := byteAt(r.code, i-1)
	switch {
	case w.prev == '-', w.next == '-', w.prev == '/', w.next == '/', w.first == '=' && byteAt(w.behind, 1) != '=': // part of a longer word; a key
		return Other, false, true
	case before == 0, bytes.IndexByte([]byte("\n\r|;{(=&.!"), before) >= 0, startsCommand[r.wordBefore(w.at)]:
		return Call, true, true
	case bytes.IndexByte(r.code[w.at:w.end], '-') > 0:
		return Value, true, true
	}
	return Other, true, true
}

// startsCommand lists the words of PowerShell after which a command begins.
var startsCommand = map[string]bool{"return": true, "throw": true, "and": true, "or": true, "not": true, "in": true}

// byteAt returns the byte at an offset, 0 outside of the text.
func byteAt(text []byte, i int) byte {
	if i < 0 || i >= len(text) {
		return 0
	}
	return text[i]
}
