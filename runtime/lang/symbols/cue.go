package symbols

// maxCUEScopes limits the nesting of structs whose fields count, including the file: deeper ones are values rather than
// definitions.
const maxCUEScopes = 4

// cueScan reads CUE.
type cueScan struct{ *file }

func (s cueScan) scan() { s.walk(s.readField) }

// readField reads one field at top level or in a definition.
func (s cueScan) readField(i int) int {
	if i > 0 && !s.startsLine(i) && s.punct(i-1) != ',' && i != s.scope().open+1 {
		return s.skip(i)
	}
	if s.isOneOf(i, "import", "package") && s.punct(i+1) != ':' {
		return s.findStatementEnd(i, s.limit) + 1
	}
	if s.is(i, "let") && s.isIdent(i+1) && s.punct(i+2) == '=' {
		end := s.findStatementEnd(i, s.limit)
		s.add(head{kind: KindVariable, name: i + 1, doc: i, from: i, to: end, end: s.lineOf(end), cont: s.scope().cont})
		return end + 1
	}
	return s.readChain(i)
}

// readChain reads "a: b: c: value"; each label is a definition.
func (s cueScan) readChain(i int) int {
	cont, exported, end := s.scope().cont, true, -1
	j := i
	for {
		first, name := j, s.findLabelEnd(j)
		if name < 0 {
			break
		}
		colon := name + 1
		for s.punct(colon) == '?' || s.punct(colon) == '!' {
			colon++
		}
		if s.punct(colon) != ':' {
			break
		}
		if end < 0 {
			end = s.findStatementEnd(i, s.scope().close)
		}
		text := s.src[s.token(first).off:s.token(name).end]
		if s.isString(name) {
			text = s.unquoted(name)
		}
		exported = exported && len(text) > 0 && text[0] != '_'
		s.add(head{kind: s.kindOf(text), name: first, as: text, doc: i, from: i, to: s.findSignatureEnd(colon, end), end: s.lineOf(end), cont: cont, exported: exported})
		cont = s.join(cont, ".", text)
		j = colon + 1
	}
	switch {
	case end < 0:
		return s.skip(i)
	case s.punct(j) == '{' && len(s.scopes) < maxCUEScopes:
		return s.push(j, scope{kind: scopeClass, cont: cont, exported: exported})
	}
	return end + 1
}

// findLabelEnd returns the last token of the label at i, or -1 if there is none. The number sign of a definition is a
// token of its own.
func (s cueScan) findLabelEnd(i int) int {
	if s.punct(i) == '#' && s.isIdent(i+1) {
		return i + 1
	}
	if s.isIdent(i) && s.punct(i+1) == '#' && s.isIdent(i+2) && s.token(i+1).off == s.token(i).end { // _#X
		return i + 2
	}
	if s.isIdent(i) || s.isString(i) {
		return i
	}
	return -1
}

// kindOf distinguishes definitions, fields and top-level keys.
func (s cueScan) kindOf(label []byte) Kind {
	switch {
	case len(label) > 1 && (label[0] == '#' || label[0] == '_' && label[1] == '#'):
		return KindType
	case len(s.scopes) > 1:
		return KindField
	}
	return KindKey
}

// findSignatureEnd returns the last token of the signature, without the fields of a struct.
func (s cueScan) findSignatureEnd(colon, end int) int {
	if s.punct(colon+1) == '{' {
		return colon
	}
	return max(end, colon)
}
