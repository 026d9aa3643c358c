package symbols

// readExport reads the names in an export statement; a declaration after export finds the keyword by looking back.
func (s *scriptScan) readExport(i int) int {
	switch {
	case s.punct(i+1) == '{':
		return s.readExportList(i + 1)
	case s.is(i+1, "default") && (s.punct(i+2) == '{' || s.findWrapped(i+2) > 0):
		v := s.readValue(i + 2)
		s.noteBody(v.body, scope{kind: scopeExports, cont: s.scope().cont, exported: true})
		return i + 2
	case s.is(i+1, "default") && s.isIdent(i+2), s.punct(i+1) == '=' && s.isIdent(i+2):
		s.names = append(s.names, i+2)
	}
	return i + 1
}

// readExportList reads { a, b as c }.
func (s *scriptScan) readExportList(open int) int {
	end := s.partner(open)
	for j := open + 1; j < min(end, s.limit); j++ {
		if s.isIdent(j) && (j == open+1 || s.punct(j-1) == ',' || s.is(j-1, "type")) {
			s.names = append(s.names, j)
		}
	}
	return end + 1
}

// readModuleExports reads module.exports = value.
func (s *scriptScan) readModuleExports(v scriptValue, j int) {
	switch {
	case v.kind == KindFunction, v.kind == KindClass:
		name := j + 1
		if s.is(j, "async") {
			name++
		}
		if s.isIdent(name) {
			s.names = append(s.names, name)
		}
	case v.body > 0:
		s.noteBody(v.body, scope{kind: scopeExports, cont: s.scope().cont, exported: true})
	case s.isIdent(j):
		s.names = append(s.names, j)
	}
}

// readExportedName reads exports.x = value.
func (s *scriptScan) readExportedName(h head, v scriptValue, j int) {
	if h.kind == "" {
		if s.isIdent(j) && v.end == j+1 {
			s.names = append(s.names, j)
		}
		h.kind = KindConstant
	}
	h.exported = true
	s.add(h)
	switch {
	case v.kind == KindFunction:
		s.noteNamedBody(v.body, h.name, scopeFunc, false)
	case v.kind == KindClass:
		s.noteNamedBody(v.body, h.name, scopeClass, true)
	default:
		s.noteNamedBody(v.body, h.name, scopeExports, true)
	}
}

// markExported marks the top-level definitions that a list at the end of the file, or an object assigned to
// module.exports, exports by name.
func (s *scriptScan) markExported() {
	if len(s.names) == 0 {
		return
	}
	listed := make(map[string]bool, len(s.names))
	for _, i := range s.names {
		listed[string(s.text(i))] = true
	}
	for k := range s.defs {
		if d := &s.defs[k]; d.cont.n == 0 && listed[string(s.textAt(d.name))] {
			d.exported = true
		}
	}
}
