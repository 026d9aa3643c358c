package symbols

// language reads the tokens of a file. Each language has a type of its own that embeds file and is named after the
// language, as is its source file.
type language interface {
	// scan adds what the file defines to the outline.
	scan()
	// anchors reports whether token i, the first on its line, occurs only at top level, so that brackets still open there
	// have lost their partners.
	anchors(i int) bool
}

// languageReader returns the reader of a language that has tokens, or nil.
func (s *Scanner) languageReader(lang Lang) language {
	f := &s.file
	switch lang {
	case Go:
		return goScan{f}
	case Python:
		return &pyScan{file: f, deco: -1}
	case JavaScript, TypeScript, TSX:
		return s.script.turnTo(f)
	case Java:
		return javaScan{members{f}}
	case Rust:
		return rustScan{f}
	case C, CPP:
		return cScan{f}
	case CSharp:
		return csharpScan{members{f}}
	case Ruby:
		return &rubyScan{file: f}
	case PHP:
		return phpScan{f}
	case Kotlin:
		return kotlinScan{members{f}}
	case Swift:
		return swiftScan{members{f}}
	case Scala:
		return scalaScan{members{f}}
	case Shell:
		return shellScan{f}
	case CUE:
		return cueScan{f}
	case Protobuf:
		return protoScan{f}
	case SQL:
		return sqlScan{file: f}
	case Dart:
		return dartScan{members{f}}
	}
	if g := grammars[lang]; g != nil {
		return &grammarScan{file: f, grammar: g}
	}
	return nil
}
