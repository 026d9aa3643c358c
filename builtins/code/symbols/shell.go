package symbols

import "bytes"

// shellItem looks at one token: functions anywhere at the start of a command,
// upper-case variables and aliases outside of functions.
func (s *Scanner) shellItem(i int) int {
	if !s.ident(i) || !s.nl(i) && s.ch(i-1) != ';' && s.ch(i-1) != opLogic {
		return i + 1
	}
	switch string(s.text(i)) {
	case "function":
		if s.ident(i + 1) {
			return s.shellFunction(i, i+1)
		}
	case "export", "readonly", "declare", "typeset", "local":
		return s.shellVariable(i, i+1)
	case "alias":
		if s.ident(i+1) && !s.is(i, "local") {
			end := s.shellWord(i + 1)
			if s.ch(end+1) == '=' {
				s.shellAdd(KindFunction, i, i+1, end, s.lineOf(i))
			}
		}
		return i + 1
	}
	if end := s.shellWord(i); s.ch(end+1) == '(' && s.ch(end+2) == ')' {
		return s.shellFunction(i, i)
	}
	return s.shellVariable(i, i)
}

// shellWord is the last token of the name at i, in which dashes, dots and
// colons may stand.
func (s *Scanner) shellWord(i int) int {
	for n := 0; n < 32 && s.tok(i+1).off == s.tok(i).end && s.tok(i+1).end > 0; n++ {
		if c := s.ch(i + 1); !s.ident(i+1) && s.tok(i+1).kind != tokNumber && c != '-' && c != '.' && c != ':' && c != opScope && c != '/' && c != '+' && c != '@' {
			break
		}
		i++
	}
	return i
}

// shellFunction reads name() { … } and function name { … }. Functions may be
// defined in others, so the walk goes on in the body.
func (s *Scanner) shellFunction(i, name int) int {
	last := s.shellWord(name)
	body := last + 1
	if s.ch(body) == '(' && s.ch(body+1) == ')' {
		body += 2
	}
	c := s.ch(body)
	if c != '{' && c != '(' {
		return name + 1
	}
	s.shellAdd(KindFunction, i, name, last, s.lineOf(s.closing(body)))
	return s.push(body, scope{kind: scopeFunc, cont: s.scope().cont})
}

func (s *Scanner) shellAdd(kind Kind, i, name, last int, end int32) {
	text := s.src[s.tok(name).off:s.tok(last).end]
	s.add(head{kind: kind, name: name, as: text, doc: i, from: i, to: s.shellSignature(last), end: end, cont: s.scope().cont, exported: text[0] != '_'})
}

// shellSignature is the last token of a head: "()" belongs to it.
func (s *Scanner) shellSignature(last int) int {
	if s.ch(last+1) == '(' && s.ch(last+2) == ')' {
		return last + 2
	}
	return last
}

// shellVariable reads [export] NAME=value, outside of functions.
func (s *Scanner) shellVariable(i, name int) int {
	for s.ch(name) == '-' && s.ident(name+1) { // declare -r NAME
		name += 2
	}
	if len(s.scopes) > 1 || !s.ident(name) || s.ch(name+1) != '=' || s.tok(name+1).off != s.tok(name).end || !constantCase(s.text(name)) {
		return i + 1
	}
	if v := s.tok(name + 2); s.ident(name+3) && !s.nl(name+3) && v.kind != tokPunct && s.tok(name+3).off > v.end {
		return i + 1 // NAME=value command
	}
	end := name + 1
	for !s.nl(end+1) && s.ch(end+1) != ';' && end < name+40 {
		end++
	}
	kind := KindVariable
	if s.is(i, "readonly") {
		kind = KindConstant
	}
	s.add(head{kind: kind, name: name, doc: i, from: i, to: end, end: s.lastLine(end), exported: !bytes.HasPrefix(s.text(name), []byte("_"))})
	return end + 1
}
