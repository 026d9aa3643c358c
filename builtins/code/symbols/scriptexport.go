package symbols

// scriptImport passes over an import statement; Imports reads it.
func (s *Scanner) scriptImport(i int) int {
	if s.ch(i+1) == '(' || s.ch(i+1) == '.' {
		return i + 1
	}
	j := i + 1
	for n := 0; n < 64 && j < s.limit && !s.isString(j) && s.ch(j) != ';' && s.ch(j) != '='; n++ {
		j = s.past(j)
	}
	return j + 1
}

// scriptExport reads what an export statement names; a declaration behind it
// finds the keyword by looking back.
func (s *Scanner) scriptExport(i int) int {
	switch {
	case s.ch(i+1) == '{':
		return s.scriptExportList(i + 1)
	case s.is(i+1, "default") && (s.ch(i+2) == '{' || s.scriptWrapped(i+2) > 0):
		v := s.scriptRight(i + 2)
		s.body(v.body, scope{kind: scopeExports, cont: s.scope().cont, exported: true})
		return i + 2
	case s.is(i+1, "default") && s.ident(i+2), s.ch(i+1) == '=' && s.ident(i+2):
		s.names = append(s.names, i+2)
	}
	return i + 1
}

// scriptExportList reads { a, b as c }.
func (s *Scanner) scriptExportList(open int) int {
	end := s.closing(open)
	for j := open + 1; j < min(end, s.limit); j++ {
		if s.ident(j) && (j == open+1 || s.ch(j-1) == ',' || s.is(j-1, "type")) {
			s.names = append(s.names, j)
		}
	}
	return end + 1
}

// scriptExported reads module.exports = value.
func (s *Scanner) scriptExported(v scriptValue, j int) {
	switch {
	case v.kind == KindFunction, v.kind == KindClass:
		name := j + 1
		if s.is(j, "async") {
			name++
		}
		if s.ident(name) {
			s.names = append(s.names, name)
		}
	case v.body > 0:
		s.body(v.body, scope{kind: scopeExports, cont: s.scope().cont, exported: true})
	case s.ident(j):
		s.names = append(s.names, j)
	}
}

// scriptExportedName reads exports.x = value.
func (s *Scanner) scriptExportedName(h head, v scriptValue, j int) {
	if h.kind == "" {
		if s.ident(j) && v.end == j+1 {
			s.names = append(s.names, j)
		}
		h.kind = KindConstant
	}
	h.exported = true
	s.add(h)
	switch {
	case v.kind == KindFunction:
		s.scriptBody(v.body, h.name, scopeFunc, false)
	case v.kind == KindClass:
		s.scriptBody(v.body, h.name, scopeClass, true)
	default:
		s.scriptBody(v.body, h.name, scopeExports, true)
	}
}

// exportScriptNames marks the top-level definitions that lists at the end of a
// file, or an object given to module.exports, export by name.
func (s *Scanner) exportScriptNames() {
	if len(s.names) == 0 {
		return
	}
	listed := make(map[string]bool, len(s.names))
	for _, i := range s.names {
		listed[string(s.text(i))] = true
	}
	for k := range s.defs {
		if d := &s.defs[k]; d.cont.n == 0 && listed[string(s.at(d.name))] {
			d.exported = true
		}
	}
}
