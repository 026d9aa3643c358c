package symbols

import "bytes"

// maxCalls bounds what one file can yield.
const maxCalls = 100_000

// Calls lists the places in a file where name is called: the identifier
// outside comments and strings with an opening parenthesis behind it (type
// arguments and Rust's "!" may stand between), and in a shell script the
// command. With an empty name it lists every call. Definitions are no calls.
// defs are the file's definitions as Scan returns them, to tell the callers.
func Calls(path string, src []byte, defs []Def, name string) []Call {
	return new(Scanner).Calls(path, src, defs, name)
}

// Calls is the package's Calls on buffers that are used again.
func (s *Scanner) Calls(path string, src []byte, defs []Def, name string) []Call {
	lang := Detect(path, src)
	var lines []int32
	switch lang {
	case "", Markdown, AsciiDoc, RST, YAML, TOML, JSON, CUE:
		return nil
	case Component:
		lang, src = TypeScript, scriptParts(src)
	case Notebook:
		text, at := cellText(src, notebookCells(src), true)
		lang, src, lines = Python, text, at
	}
	if name != "" && !bytes.Contains(src, []byte(name)) {
		return nil
	}
	s.tokenize(lang, src)
	var out []Call
	within := around{defs: defs}
	for i := 0; i < s.limit && len(out) < maxCalls; i++ {
		if !s.ident(i) || name != "" && string(s.text(i)) != name || !s.called(i) {
			continue
		}
		t := s.tok(i)
		c := Call{Name: validName(s.text(i)), Line: int(t.line), Col: s.column(t.off)}
		if lines != nil {
			c.Line = int(lines[c.Line-1])
		}
		if within.definition(c.Name, c.Line) && s.defines(i) {
			continue
		}
		c.Caller, c.HasCaller = within.innermost(c.Line)
		out = append(out, c)
	}
	return out
}

func validName(text []byte) string {
	return string(bytes.ToValidUTF8(clipped(text, maxName), []byte("\uFFFD")))
}

// column is the 1-based byte column of an offset, counted no further back than
// a line that is worth showing is long.
func (s *Scanner) column(off uint32) int {
	lo := max(0, int(off)-maxLine)
	n := bytes.LastIndexByte(s.src[lo:off], '\n')
	return int(off) - lo - n
}

// called says that the identifier at i is called there.
func (s *Scanner) called(i int) bool {
	if s.lang == Shell {
		return s.shellCommand(i)
	}
	if notCallable(s.text(i)) {
		return false
	}
	switch s.ch(i + 1) {
	case '(':
		return s.lang != Ruby || s.tok(i+1).off == s.tok(i).end
	case '<':
		j := s.pastAngle(i + 1)
		return j > i+1 && s.ch(j) == '('
	case '!':
		return s.lang == Rust && (s.ch(i+2) == '(' || s.ch(i+2) == '[' || s.ch(i+2) == '{')
	case '[': // Go and Scala: type arguments
		return (s.lang == Go || s.lang == Scala) && s.ch(s.past(i+1)) == '('
	case opScope: // Rust: name::<T>()
		j := i + 2
		if s.lang != Rust || s.ch(j) != '<' {
			return false
		}
		k := s.pastAngle(j)
		return k > j && s.ch(k) == '('
	case '{': // trailing lambda
		return (s.lang == Kotlin || s.lang == Swift || s.lang == Scala) && s.ch(i-1) == '.' && !s.nl(i+1)
	}
	return s.lang == Ruby && s.ch(i-1) == '.'
}

// shellCommand says that the word at i stands where a command does.
func (s *Scanner) shellCommand(i int) bool {
	if c := s.ch(i + 1); c == '(' && s.ch(i+2) == ')' || c == '=' {
		return false
	}
	if s.nl(i) {
		return !notCallable(s.text(i))
	}
	switch s.ch(i - 1) {
	case ';', '|', '&', '(', '{', '!', opLogic:
		return !notCallable(s.text(i))
	}
	return s.oneOf(i-1, "then", "do", "else", "if", "while", "until", "exec", "time") && !notCallable(s.text(i))
}

// notCallable are keywords that parentheses may follow.
func notCallable(word []byte) bool {
	switch string(word) {
	case "if", "for", "while", "switch", "catch", "return", "func", "function", "fn", "def", "fun", "foreach", "elseif",
		"elif", "else", "match", "when", "with", "in", "and", "or", "not", "is", "as", "case", "do", "done", "fi", "esac",
		"then", "yield", "await", "throw", "typeof", "sizeof", "using", "lock", "until", "unless", "assert", "del", "lambda",
		"import", "var", "let", "const", "class", "interface", "struct", "enum", "new", "end", "echo", "export", "local":
		return true
	}
	return false
}

// defines says that the name at i is being defined there, not called: a
// keyword or a type stands before it, or a body behind its parameters.
func (s *Scanner) defines(i int) bool {
	switch s.ch(i - 1) {
	case '.', '=', '(', ',', opLogic, opThinArrow, '!', opSpread, '[':
		return false
	}
	if s.oneOf(i-1, "return", "await", "yield", "throw", "new", "in", "else", "case", "and", "or", "not", "if") {
		return false
	}
	if s.oneOf(i-1, "func", "function", "def", "fn", "fun", "self") || s.ch(i-1) == ')' && s.lang == Go {
		return true
	}
	if s.ch(i+1) != '(' {
		return false
	}
	switch s.ch(s.past(i + 1)) {
	case '{', ':', opThinArrow:
		return true
	}
	return s.ident(i-1) || s.ch(i-1) == '*' || s.ch(i-1) == '&' || s.ch(i-1) == '>'
}

// around finds the definitions round lines that come in ascending order.
type around struct {
	defs []Def
	next int   // first definition that starts below the last line asked for
	open []int // those round it, outermost first
}

// innermost is Enclosing for lines in ascending order, in linear time.
func (a *around) innermost(line int) (Def, bool) {
	for ; a.next < len(a.defs) && a.defs[a.next].Line <= line; a.next++ {
		a.shut(a.defs[a.next].Line)
		switch d := a.defs[a.next]; {
		case d.EndLine >= line && callable(d.Kind):
			a.open = append(a.open, a.next)
		}
	}
	a.shut(line)
	if n := len(a.open); n > 0 {
		return a.defs[a.open[n-1]], true
	}
	return Def{}, false
}

func (a *around) shut(line int) {
	for n := len(a.open); n > 0 && a.defs[a.open[n-1]].EndLine < line; n-- {
		a.open = a.open[:n-1]
	}
}

// callable leaves out the fields and variables that share a line with what
// they are set to.
func callable(k Kind) bool {
	switch k {
	case KindField, KindMember, KindPrototype, KindKey, KindHeading:
		return false
	}
	return true
}

// definition says that a name is defined on a line.
func (a *around) definition(name string, line int) bool {
	lo, hi := 0, len(a.defs)
	for lo < hi {
		if mid := (lo + hi) / 2; a.defs[mid].Line < line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for ; lo < len(a.defs) && a.defs[lo].Line == line; lo++ {
		if a.defs[lo].Name == name {
			return true
		}
	}
	return false
}
