package symbols

// How many words are searched: from create to the kind of object, and after a name for the signature.
const (
	maxCreateWords  = 8
	maxSQLSignature = 12
)

// sqlScan reads SQL.
type sqlScan struct {
	*file
	batches bool // "go" separates batches, as in T-SQL: semicolons do not end a routine
}

func (s sqlScan) scan() {
	for i := 0; i < s.limit && !s.batches; i++ {
		s.batches = s.endsBatch(i)
	}
	s.walk(s.readStatement)
}

// endsBatch reports whether token i is "go", alone on its line.
func (s sqlScan) endsBatch(i int) bool {
	return s.startsLine(i) && s.startsLine(i+1) && lowerShort(s.text(i)) == "go"
}

// readStatement reads one statement; only those that create something count.
func (s sqlScan) readStatement(i int) int {
	if i > 0 && s.punct(i-1) != ';' && !s.startsLine(i) || lowerShort(s.text(i)) != "create" {
		return i + 1
	}
	kind := Kind("")
	j := i + 1
	for n := 0; kind == "" && s.isIdent(j) && n < maxCreateWords; n++ {
		kind = sqlKind(lowerShort(s.text(j)))
		j++
	}
	if kind == "" {
		return i + 1
	}
	for s.isIdent(j) && (lowerShort(s.text(j)) == "if" || lowerShort(s.text(j)) == "not" || lowerShort(s.text(j)) == "exists") {
		j++
	}
	name := j
	for s.isIdent(name) && s.punct(name+1) == '.' && s.isIdent(name+2) {
		name += 2
	}
	if !s.isIdent(name) {
		return j
	}
	h := head{kind: kind, name: name, doc: i, from: i, to: s.findSignatureEnd(kind, name), exported: true}
	if name > j {
		h.cont = s.put(clip(s.src[s.token(j).off:s.token(name-2).end], maxName))
	}
	end := s.findEnd(name, kind)
	h.end = s.lastLine(end)
	s.add(h)
	if kind == KindTable && s.punct(name+1) == '(' {
		s.readColumns(s.join(h.cont, ".", s.text(name)), name+1)
	}
	return end + 1
}

// sqlKind returns the kind of object that "create word" creates, or "" if it does not count.
func sqlKind(word string) Kind {
	switch word {
	case "table", "view":
		return KindTable
	case "function", "procedure", "proc", "aggregate", "trigger":
		return KindFunction
	case "type", "domain":
		return KindType
	case "policy":
		return KindPolicy
	}
	return ""
}

// findSignatureEnd returns the last token of the signature, which includes parameters but not columns.
func (s sqlScan) findSignatureEnd(kind Kind, name int) int {
	end := name
	if s.punct(name+1) == '(' {
		if kind == KindTable {
			return name
		}
		end = s.skip(name+1) - 1
	}
	for n := 0; n < maxSQLSignature && !s.startsLine(end+1) && s.punct(end+1) != ';' && s.punct(end+1) != '(' && s.punct(end+1) != '{' && !s.isString(end+1); n++ {
		end++
	}
	return end
}

// findEnd returns the last token of a statement. Unquoted bodies of routines contain semicolons of their own, between
// begin and end.
func (s sqlScan) findEnd(i int, kind Kind) int {
	depth := 0
	for j := i; j < s.limit; j = s.skip(j) {
		if s.isIdent(j) && kind == KindFunction {
			switch lowerShort(s.text(j)) {
			case "begin", "case":
				depth++
			case "end":
				switch lowerShort(s.text(j + 1)) {
				case "if", "loop", "while", "repeat", "for":
				default:
					depth--
				}
			}
		}
		if s.punct(j) == ';' && depth <= 0 && !(s.batches && kind == KindFunction) || s.batches && s.endsBatch(j+1) {
			return j
		}
	}
	return s.limit - 1
}

// readColumns reads the columns of a table.
func (s sqlScan) readColumns(cont span, open int) {
	end := s.partner(open)
	for i := open + 1; i < end; {
		next := s.find(i, end, ',')
		switch lowerShort(s.text(i)) {
		case "", "primary", "foreign", "constraint", "unique", "check", "key", "index", "exclude", "like", "partition", "fulltext", "spatial":
		default:
			if s.isIdent(i) {
				s.add(head{kind: KindField, name: i, doc: i, from: i, to: next - 1, end: s.lineOf(next - 1), cont: cont, exported: true})
			}
		}
		i = max(next, i) + 1
	}
}
