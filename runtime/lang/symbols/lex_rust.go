package symbols

// rustLexer reads what is specific to Rust.
type rustLexer struct{ *lexer }

// readPrefixedString reads b"…", c"…", b'…' and the raw strings r"…" and r#"…"#.
func (l rustLexer) readPrefixedString(word []byte, j int) bool {
	switch string(word) {
	case "r", "br", "cr":
		hashes := 0
		for j+hashes < len(l.src) && l.src[j+hashes] == '#' {
			hashes++
		}
		if j+hashes >= len(l.src) || l.src[j+hashes] != '"' {
			return l.readRawName(j, hashes)
		}
		l.emit(tokString, '"', l.findRawEnd(j+hashes+1, '"', hashes))
		return true
	case "b", "c":
		if l.src[j] == '\'' {
			return l.readChar(j + 1)
		}
		if l.src[j] == '"' {
			return l.readQuoted('"', quoteMulti, j+1)
		}
	}
	return false
}

// readRawName reads r#type as the identifier type.
func (l rustLexer) readRawName(j, hashes int) bool {
	if j += hashes; hashes != 1 || j >= len(l.src) || !isIdent(l.src[j]) {
		return false
	}
	l.i = j
	for j < len(l.src) && isWord(l.src[j]) {
		j++
	}
	l.emit(tokIdent, 0, j)
	return true
}

// findRawEnd returns the offset after a quote followed by the given number of number signs, searching from j.
func (l rustLexer) findRawEnd(j int, quote byte, hashes int) int {
	for j < len(l.src) {
		if l.src[j] == quote {
			n := 0
			for n < hashes && j+1+n < len(l.src) && l.src[j+1+n] == '#' {
				n++
			}
			if n == hashes {
				return j + 1 + n
			}
			j += n
		}
		j++
	}
	return len(l.src)
}
