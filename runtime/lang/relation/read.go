package relation

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Resolve returns what the name at an offset refers to, or false if the name is not used there: in a comment, a string, an
// import, or its own declaration.
func (r *Reader) Resolve(name string, line, at int) (Usage, bool) {
	if at < 0 || at+len(name) > len(r.code) || string(r.code[at:at+len(name)]) != name {
		return Usage{}, false // not code
	}
	m := Usage{Path: r.src.Path, Line: line, Lang: r.src.Lang}
	if r.isDeclaration(name, line, at) || r.inImport(at) || r.isExportOnly(at, at+len(name)) {
		return m, false
	}
	r.readImports()
	end := at + len(name)
	if goesOn(r.profile, r.code, name, end) {
		return m, false
	}
	if r.profile.quotesNames && byteAt(r.code, at-1) == '`' && byteAt(r.code, end) == '`' {
		at, end = at-1, end+1
	}
	quals, open, form, ok := r.readAround(at, end)
	if !ok {
		return m, false
	}
	m.Form = form
	m.Element = opensElement(r, at)
	readArgs(r, &m, end)
	m.Arg = form == Value && r.isArgument(at, end)
	m.Field = form != Call && r.fieldAlone(at)
	if !r.resolveReceiver(&m, name, quals, open, at) {
		return m, false
	}
	if m.Base == Unknown && len(quals) > 0 {
		m.Recv = quals[len(quals)-1]
	}
	if shared, top := r.sharesLine(line, at); shared {
		m.Crowded = !top
		return m, true
	}
	m.Around = r.typesAround(line)
	if d, ok := r.enclosingDef(line); ok {
		m.In, m.InLine = d.Name, d.Line
		if d.Container != "" {
			m.In = d.Container + r.src.Lang.Separator() + d.Name
		}
	}
	return m, true
}

// sharesLine reports whether lines of a notebook cell share a line of the file, so that the definition around a name is
// unknown, and whether the name's own line is at the top level, that is, not indented.
func (r *Reader) sharesLine(line, at int) (shared, top bool) {
	if !r.joined {
		return false, false
	}
	from := r.lineStart(line)
	whole := bytes.TrimSuffix(r.code[from:r.lineStart(line+1)], []byte("\n"))
	own := bytes.LastIndexByte(r.code[from:at], '\n') + 1
	return bytes.IndexByte(whole, '\n') >= 0, byteAt(r.code, from+own) > ' '
}

// readAround returns the qualifiers of the name from at to end and how it is used; ok is false if it is not used.
func (r *Reader) readAround(at, end int) (quals []string, open bool, form Form, ok bool) {
	if r.profile.readCommand != nil {
		form, ok = r.profile.readCommand(r, at, end)
		return nil, false, form, ok
	}
	quals, open = r.qualifiers(at)
	if r.profile.readName != nil {
		if form, ok, found := r.profile.readName(wordReader{r}, newWord(r, at, end, len(quals) > 0 || open)); found {
			return quals, open, form, ok
		}
	}
	if form, ok, found := readAttribute(r, at, end); found {
		return quals, open, form, ok
	}
	form, ok = r.usageKind(at, end, len(quals) > 0 || open)
	if element, opens := r.readElement(at); element {
		return quals, open, Call, opens
	}
	return quals, open, form, ok
}

// goesOn reports whether a mark after the name that ends at an offset makes it another name: put! is not put.
func goesOn(p *profile, code []byte, name string, end int) bool {
	c := byteAt(code, end)
	return p.markedNames && (c == '!' || c == '?') && byteAt(code, end+1) != '=' && !strings.ContainsAny(name[len(name)-1:], "!?")
}

// isArgument reports whether the expression that ends with a name is a whole argument of a call.
func (r *Reader) isArgument(at, end int) bool {
	i := at
	for i > 0 && (wordByte(r.code[i-1]) || r.code[i-1] == '.') {
		i--
	}
	before, after := r.skipBack(i), r.skipOn(end)
	return before > 0 && (r.code[before-1] == '(' || r.code[before-1] == ',') &&
		after < len(r.code) && (r.code[after] == ')' || r.code[after] == ',')
}

// fieldAlone reports whether a name that is not called can only be a field here: x.name in a language that passes
// methods as T::name.
func (r *Reader) fieldAlone(at int) bool {
	before := r.code[:r.skipBack(at)]
	return slices.ContainsFunc(r.profile.fieldMarks, func(mark string) bool { return bytes.HasSuffix(before, []byte(mark)) })
}

// isDeclaration reports whether the name is at its declaration.
func (r *Reader) isDeclaration(name string, line, at int) bool {
	for i := range r.src.Defs {
		if d := &r.src.Defs[i]; !r.joined && d.Line == line && d.Name == name && d.Kind != symbols.KindKey {
			// The first occurrence on its line is the definition; `x = x()` also uses it.
			first := indexWord(r.code[r.lineStart(line):], name)
			return first+r.lineStart(line) == at
		}
	}
	switch before := r.wordBefore(at); before {
	case "func", "def", "fn", "fun", "function", "class", "struct", "interface", "enum", "trait", "macro_rules", "define",
		"record", "protocol", "object", "module", "sub", "defmodule", "defp", "defmacro", "defmacrop", "mixin", "local", "let", "var", "val", "const", "namespace", "goto", "mod", "undef", "ifdef", "ifndef":
		// Only in C is the T of `struct T` a use, in the declaration of a variable.
		return r.src.Lang != symbols.C || before != "struct" && before != "enum"
	}
	return false
}

// wordBefore returns the word before an offset, on the same line.
func (r *Reader) wordBefore(at int) string {
	i := at
	for i > 0 && (r.code[i-1] == ' ' || r.code[i-1] == '\t' || r.code[i-1] == '*' && r.src.Lang != symbols.C && r.src.Lang != symbols.CPP) {
		i--
	}
	j := i
	for j > 0 && wordByte(r.code[j-1]) {
		j--
	}
	return string(r.code[j:i])
}

// headOf returns the line of to up to it, or nil if the line begins before from: a line of megabytes must not be
// searched for each name in it.
func (r *Reader) headOf(from, to int) []byte {
	i := bytes.LastIndexByte(r.code[from:to], '\n')
	if i < 0 && from > 0 {
		return nil
	}
	return bytes.TrimLeft(r.code[from+i+1:to], " \t")
}

// inImport reports whether an offset is in an import that begins on its line, or in the braces of one that begins on an
// earlier line.
func (r *Reader) inImport(at int) bool {
	const farBack = 2000 // maximum length of an import over several lines, in bytes
	from := max(0, at-farBack)
	if r.beginsImport(r.headOf(from, at)) {
		return true
	}
	if r.src.Lang == symbols.Rust {
		return r.inUse(from, at)
	}
	open := bytes.LastIndexAny(r.code[from:at], "{(;})")
	if open < 0 || r.code[from+open] != '{' && r.code[from+open] != '(' {
		return false
	}
	open += from
	line := r.headOf(max(0, open-farBack), open+1)
	if r.beginsImport(line) {
		return true
	}
	if r.family == symbols.JavaScript && r.code[open] == '{' { // const { a } = require('x')
		head := strings.TrimSpace(strings.TrimSuffix(string(line), "{"))
		if head == "const" || head == "let" || head == "var" {
			return true // destructured: the names are declared here
		}
	}
	return false
}

// isExportOnly reports whether a line of a script only exports a name: its users are those who import it.
func (r *Reader) isExportOnly(at, end int) bool {
	if r.family != symbols.JavaScript {
		return false
	}
	switch string(bytes.TrimRight(r.headOf(max(0, at-100), at), " ")) {
	case "export default", "module.exports =", "export =":
		rest, _, _ := bytes.Cut(r.code[end:min(end+100, len(r.code))], []byte("\n"))
		return len(bytes.Trim(rest, " \t\r;")) == 0
	}
	return false
}

// inUse reports whether an offset is in a Rust use declaration, whose braces may be nested.
func (r *Reader) inUse(from, at int) bool {
	from += bytes.LastIndexByte(r.code[from:at], ';') + 1
	for line := range bytes.Lines(r.code[from:at]) {
		if r.beginsImport(bytes.TrimLeft(line, " \t")) {
			return true
		}
	}
	return false
}

// qualifiers returns the names before an offset, outermost first. open reports whether something other than a name
// precedes them: a call, an index, a literal.
func (r *Reader) qualifiers(at int) (names []string, open bool) {
	i := at
	for n := 0; n < 8; n++ {
		j := r.skipBack(i)
		path := r.pathSep(i)
		width := r.separatorBefore(j)
		if width == 0 {
			return names, false
		}
		if j -= width; string(r.code[j:j+width]) == ".." && r.isLaterCascade(j) {
			return nil, true
		}
		for j > 0 && (r.code[j-1] == '?' || r.code[j-1] == '!') {
			j--
		}
		isApart := byteAt(r.code, j-1) <= ' '
		j = r.skipBack(j)
		if path && isApart && beforeGlobal[r.wordBefore(j)] {
			return names, false // return ::name
		}
		k := j
		for k > 0 && wordByte(r.code[k-1]) {
			k--
		}
		for r.src.Lang == symbols.Ruby && byteAt(r.code, k-1) == '@' {
			k--
		}
		if k == j {
			// ::name is global, or a reference to a function in scope.
			return names, !path || j > 0 && strings.IndexByte(")]>", r.code[j-1]) >= 0
		}
		names = append([]string{string(r.code[k:j])}, names...)
		i = k
	}
	return names, true
}

// beforeGlobal lists words that may stand before the :: of a global name, and are not its qualifier.
var beforeGlobal = map[string]bool{"": true, "return": true, "co_return": true, "throw": true, "new": true, "delete": true, "else": true, "case": true, "or": true, "and": true, "not": true}

// isLaterCascade reports whether the .. at an offset continues a cascade of Dart, as the second one of a..b = 1..c() does.
func (r *Reader) isLaterCascade(at int) bool {
	depth := 0
	for i := at - 1; i > max(0, at-maxStatement); i-- {
		switch c := r.code[i]; {
		case c == ')' || c == ']' || c == '}':
			depth++
		case c == '(' || c == '[' || c == '{':
			if depth--; depth < 0 {
				return false
			}
		case depth > 0:
		case c == ';':
			return false
		case c == '.' && r.code[i-1] == '.':
			return true
		}
	}
	return at > maxStatement // or too far away to be seen
}

// pathStart returns the start of the qualified name whose last part is at an offset.
func (r *Reader) pathStart(at int) int {
	least := max(0, at-maxQualified)
	for at > least && (wordByte(r.code[at-1]) || r.code[at-1] == '.' || r.code[at-1] == ':') {
		at--
	}
	return at
}

// maxQualified limits a qualified name, in bytes.
const maxQualified = 200

// separatorBefore returns the width of the separator between a name at an offset and its qualifier, in bytes, or 0.
func (r *Reader) separatorBefore(j int) int {
	if j > 1 {
		switch string(r.code[j-2 : j]) {
		case "::":
			if r.src.Lang == symbols.Elixir || r.src.Lang == symbols.Haskell {
				return 0 // name :: Type
			}
			return 2
		case "?.":
			return 2
		case "->":
			if r.profile.arrowMembers {
				return 2
			}
			return 0
		case "..":
			if r.src.Lang == symbols.Dart && byteAt(r.code, j-3) != '.' {
				return 2
			}
			return 0
		}
	}
	if c := byteAt(r.code, j-1); c == '.' || c != 0 && strings.IndexByte(r.profile.separators, c) >= 0 {
		return 1
	}
	return 0
}

// skipBack skips blanks before an offset, including line breaks: chained calls are written one per line.
func (r *Reader) skipBack(i int) int {
	for n := 0; i > 0 && n < 200 && (r.code[i-1] == ' ' || r.code[i-1] == '\t' || r.code[i-1] == '\n' || r.code[i-1] == '\r'); n++ {
		i--
	}
	return i
}

func (r *Reader) skipOn(i int) int {
	for n := 0; i < len(r.code) && n < 200 && (r.code[i] == ' ' || r.code[i] == '\t' || r.code[i] == '\n' || r.code[i] == '\r'); n++ {
		i++
	}
	return i
}

// usageKind reads from the surroundings of a name how it is used; it returns false for a key or the name of something else.
func (r *Reader) usageKind(at, end int, qualified bool) (Form, bool) {
	lang := r.family
	next := end
	for next < len(r.code) && (r.code[next] == ' ' || r.code[next] == '\t') {
		next++
	}
	var c byte
	if next < len(r.code) {
		c = r.code[next]
	}
	prev := at
	for prev > 0 && (r.code[prev-1] == ' ' || r.code[prev-1] == '\t') {
		prev--
	}
	var p byte
	if prev > 0 {
		p = r.code[prev-1]
	}
	rest := r.code[next:min(next+300, len(r.code))]
	switch {
	case c == '(':
		return Call, true
	case c == '!' && lang == symbols.Rust && len(rest) > 1 && rest[1] != '=':
		return Call, true
	case bytes.HasPrefix(rest, []byte("?.(")), bytes.HasPrefix(rest, []byte("!(")) && lang == symbols.JavaScript:
		return Call, true
	case bytes.HasPrefix(rest, []byte("::<")) && lang == symbols.Rust, c == '<' && next == end && genericCall(rest), c == '[' && next == end && lang == symbols.Go && genericCall(rest), c == '[' && r.src.Lang == symbols.Scala:
		return Call, true
	case c == '{' && r.profile.trailingBlocks && next > end:
		return Call, true
	case p == '@' && r.profile.decorators:
		return Call, true
	case r.profile.callsBare && qualified && (c != '=' || bytes.HasPrefix(rest, []byte("=="))):
		return Call, true
	case r.src.Lang == symbols.Ruby && p == ':' && (prev < 2 || r.code[prev-2] != ':'):
		return Value, true // a symbol
	case r.src.Lang == symbols.Ruby && next > end && (wordByte(c) || c == '"' || c == ':' || c == '@' || c == '\''):
		return Call, true
	case p == ':' && prev > 1 && r.code[prev-2] == ':' && r.family == symbols.Java:
		return Value, true // Type::method
	}
	if c == ':' && (len(rest) < 2 || rest[1] != ':' && rest[1] != '=') && !qualified && (p == '{' || p == ',' || p == '(' || p == 0 || p == '\n') {
		return Other, false // a key
	}
	if c == '=' && len(rest) > 1 && rest[1] != '=' && rest[1] != '>' && !qualified && lang != symbols.C {
		return Other, false // an assignment or a named argument
	}
	if c == ':' && len(rest) > 1 && rest[1] == '=' && !qualified {
		return Other, false
	}
	switch {
	case lang == symbols.Java: // a method is only passed as Type::method
	case strings.IndexByte(",);]}", c) >= 0 && c != 0, c == '\n', c == '\r', c == 0, c == '|', c == '?', bytes.HasPrefix(rest, []byte("||")):
		if qualified || p == '(' || p == ',' || p == '=' || p == '[' || p == ':' || p == '&' || p == '{' || p == '?' || p == '|' || p == '>' || p == '\n' || r.wordBefore(at) == "return" {
			return Value, true
		}
	case bytes.HasPrefix(rest, []byte(".bind(")), bytes.HasPrefix(rest, []byte(".call(")), bytes.HasPrefix(rest, []byte(".apply(")), bytes.HasPrefix(rest, []byte(".delay(")), bytes.HasPrefix(rest, []byte(".apply_async(")):
		return Value, true
	}
	return Other, true
}

// Attributes of templates: what precedes the value of a computed attribute (@click=", v-on:click.once=", :items=",
// on:click={, onclick={), and what follows the name of an event (@close.once=).
var (
	computes = regexp.MustCompile(`(?:[@:#]|\bv-[a-z]+:?|\bon:?|\bbind:|\buse:)[\w.:-]*\s*=\s*(?:["']\s*|["']?\{\s*)$`)
	listens  = regexp.MustCompile(`^[\w.:-]*\s*=\s*["'{]`)
)

// readAttribute reads a name in an attribute of a template: a name that is the whole value is passed on, and the name
// of an event is not a use. found is false for other names.
func readAttribute(r *Reader, at, end int) (form Form, ok, found bool) {
	if r.src.Lang != symbols.Component {
		return Other, false, false
	}
	if byteAt(r.code, at-1) == '@' && listens.Match(r.code[end:min(len(r.code), end+maxBehind)]) {
		return Other, false, true
	}
	if strings.IndexByte(`"'}`, byteAt(r.code, r.skipOn(end))) >= 0 && computes.Match(r.headOf(max(0, at-maxCommandBytes), at)) {
		return Value, true, true
	}
	return Other, false, false
}

// opensElement reports whether a name opens an element of markup.
func opensElement(r *Reader, at int) bool {
	is, opens := r.readElement(at)
	return is && opens
}

// readElement reports whether a name belongs to the tag of a markup element, which calls its component, and whether the tag
// opens it: an end tag adds nothing.
func (r *Reader) readElement(at int) (is, opens bool) {
	if !r.profile.elements {
		return false, false
	}
	i := at
	for i > 0 && (wordByte(r.code[i-1]) || r.code[i-1] == '.') {
		i--
	}
	if i > 1 && string(r.code[i-2:i]) == "</" {
		return true, false
	}
	if i == 0 || r.code[i-1] != '<' {
		return false, false
	}
	// After a value, < compares, or begins the type arguments of a call.
	before := r.skipBack(i - 1)
	if before == 0 || !wordByte(r.code[before-1]) && strings.IndexByte(")]\"'`", r.code[before-1]) < 0 {
		return true, true
	}
	return r.wordBefore(before) == "return" || r.src.Lang == symbols.Component && before < i-1, true
}

// genericCall reports whether type arguments and then a call follow.
func genericCall(rest []byte) bool {
	depth := 0
	for i, c := range rest {
		switch c {
		case '<', '[':
			depth++
		case '>', ']':
			if depth--; depth == 0 {
				return i+1 < len(rest) && (rest[i+1] == '(' || rest[i+1] == '{')
			}
		case ';', '{', '}', '\n', '|', '=', '"':
			return false
		}
	}
	return false
}

// indexWord returns the index of name as a whole word, or -1.
func indexWord(text []byte, name string) int {
	for from := 0; from < len(text); {
		i := bytes.Index(text[from:], []byte(name))
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(name)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return i
		}
		from = i + 1
	}
	return -1
}
