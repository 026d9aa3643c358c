package symbols

// anchored says that token i, which starts a line, can only stand at top
// level, so that brackets still open there have lost their partners. Python's
// def and class are statements wherever they stand; elsewhere a declaration
// has to start in the first column.
func (s *Scanner) anchored(i int) bool {
	if s.lang == Python {
		return s.is(i, "def") || s.is(i, "class") || s.is(i, "async") && s.is(i+1, "def")
	}
	if off := s.tok(i).off; off > 0 && s.src[off-1] != '\n' {
		return false
	}
	switch s.lang {
	case Go:
		return s.goAnchor(i)
	case Rust:
		return s.oneOf(i, "pub", "fn", "impl", "struct", "enum", "trait", "mod", "use")
	case JavaScript, TypeScript, TSX:
		return s.oneOf(i, "export", "import", "function", "class", "interface") && s.ch(i+1) != '(' && s.ch(i+1) != '.'
	case Java, Kotlin:
		return s.oneOf(i, "public", "import", "class", "interface", "fun")
	case Swift:
		return s.oneOf(i, "import", "class", "struct", "extension", "public", "protocol", "enum")
	}
	return false
}
