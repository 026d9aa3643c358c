package symbols

import "bytes"

// How many tokens a name may have, and how many tokens of a variable's value are shown.
const (
	maxShellName  = 32
	maxShellValue = 40
)

// shellScan reads shell scripts.
type shellScan struct{ *file }

func (s shellScan) scan() { s.walk(s.readItem) }

// readItem reads one token: functions at the start of any command, and upper-case variables and aliases outside of
// functions.
func (s shellScan) readItem(i int) int {
	if !s.isIdent(i) || !s.startsLine(i) && s.punct(i-1) != ';' && s.punct(i-1) != opLogic {
		return i + 1
	}
	switch string(s.text(i)) {
	case "function":
		if s.isIdent(i + 1) {
			return s.readFunction(i, i+1)
		}
	case "export", "readonly", "declare", "typeset", "local":
		return s.readVariable(i, i+1)
	case "alias":
		if s.isIdent(i+1) && !s.is(i, "local") {
			end := s.findWordEnd(i + 1)
			if s.punct(end+1) == '=' {
				s.addNamed(KindFunction, i, i+1, end, s.lineOf(i))
			}
		}
		return i + 1
	}
	if end := s.findWordEnd(i); s.punct(end+1) == '(' && s.punct(end+2) == ')' {
		return s.readFunction(i, i)
	}
	return s.readVariable(i, i)
}

// findWordEnd returns the last token of the name at i, which may contain dashes, dots and colons.
func (s shellScan) findWordEnd(i int) int {
	for n := 0; n < maxShellName && s.token(i+1).off == s.token(i).end && s.token(i+1).end > 0; n++ {
		if c := s.punct(i + 1); !s.isIdent(i+1) && s.token(i+1).kind != tokNumber && c != '-' && c != '.' && c != ':' && c != opScope && c != '/' && c != '+' && c != '@' {
			break
		}
		i++
	}
	return i
}

// readFunction reads name() { … } and function name { … }. Functions may be nested, so the walk continues in the body.
func (s shellScan) readFunction(i, name int) int {
	last := s.findWordEnd(name)
	body := last + 1
	if s.punct(body) == '(' && s.punct(body+1) == ')' {
		body += 2
	}
	if c := s.punct(body); c != '{' && c != '(' {
		return s.readBareFunction(i, name, last, body)
	}
	s.addNamed(KindFunction, i, name, last, s.lineOf(s.partner(body)))
	return s.push(body, scope{kind: scopeFunc, cont: s.scope().cont})
}

// readBareFunction reads a function whose body is a compound command without braces: name() if …; fi.
func (s shellScan) readBareFunction(i, name, last, body int) int {
	end := s.findCompoundEnd(body)
	if body == last+1 || end < 0 {
		return name + 1
	}
	s.addNamed(KindFunction, i, name, last, s.lineOf(end))
	return end + 1
}

// findCompoundEnd returns the word that ends the compound command at token i, or -1 if none begins there or it does not
// end.
func (s shellScan) findCompoundEnd(i int) int {
	first, closing := s.text(i), ""
	switch string(first) {
	case "if":
		closing = "fi"
	case "case":
		closing = "esac"
	case "for", "while", "until", "select":
		closing = "done"
	default:
		return -1
	}
	depth := 0
	for j := i; j < s.limit && s.spend(); j++ {
		opens := s.isOneOf(j, "for", "while", "until", "select")
		if closing != "done" {
			opens = s.is(j, string(first))
		}
		switch {
		case opens && s.startsCommand(j):
			depth++
		case s.is(j, closing) && s.startsCommand(j):
			if depth--; depth <= 0 {
				return j
			}
		}
	}
	return -1
}

// startsCommand reports whether a command may begin at token i.
func (s shellScan) startsCommand(i int) bool {
	switch s.punct(i - 1) {
	case ';', ')', '(', '{', '|', '&', opLogic:
		return true
	}
	return s.startsLine(i) || s.isOneOf(i-1, "then", "else", "do", "if", "elif", "while", "until")
}

// addNamed adds the definition whose name spans the tokens name to last.
func (s shellScan) addNamed(kind Kind, i, name, last int, end int32) {
	text := s.src[s.token(name).off:s.token(last).end]
	s.add(head{kind: kind, name: name, as: text, doc: i, from: i, to: s.findSignatureEnd(last), end: end, cont: s.scope().cont, exported: text[0] != '_'})
}

// findSignatureEnd returns the last token of a header, including "()".
func (s shellScan) findSignatureEnd(last int) int {
	if s.punct(last+1) == '(' && s.punct(last+2) == ')' {
		return last + 2
	}
	return last
}

// readVariable reads [export] NAME=value, outside of functions.
func (s shellScan) readVariable(i, name int) int {
	for s.punct(name) == '-' && s.isIdent(name+1) { // declare -r NAME
		name += 2
	}
	if len(s.scopes) > 1 || !s.isIdent(name) || s.punct(name+1) != '=' || s.token(name+1).off != s.token(name).end || !isConstantCase(s.text(name)) {
		return i + 1
	}
	if v := s.token(name + 2); s.isIdent(name+3) && !s.startsLine(name+3) && v.kind != tokPunct && s.token(name+3).off > v.end {
		return i + 1 // NAME=value command
	}
	end := name + 1
	for !s.startsLine(end+1) && s.punct(end+1) != ';' && end < name+maxShellValue {
		end++
	}
	kind := KindVariable
	if s.is(i, "readonly") {
		kind = KindConstant
	}
	s.add(head{kind: kind, name: name, doc: i, from: i, to: end, end: s.lastLine(end), exported: !bytes.HasPrefix(s.text(name), []byte("_"))})
	return end + 1
}
