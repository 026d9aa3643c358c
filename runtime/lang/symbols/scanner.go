package symbols

import "math"

// Scanner finds definitions and reuses its buffers from file to file. It is not safe for concurrent use: have one per
// worker. The zero value is ready.
type Scanner struct {
	lexer  lexer
	pairer pairer
	file   file
	script scriptScan // for its buffer
}

// Scan lists the definitions of a file in the order of their lines. The path only tells the language; it is not opened.
// Unknown languages yield nothing.
func Scan(path string, src []byte) []Def {
	s := Borrow()
	defer s.Release()
	return s.Scan(path, src)
}

// Enclosing returns the innermost of the definitions that contains a line. defs are the definitions of one file, as
// returned by Scan.
func Enclosing(defs []Def, line int) (Def, bool) {
	best := -1
	for i, d := range defs {
		if d.Line > line {
			break
		}
		if line <= d.EndLine && (best < 0 || d.EndLine-d.Line <= defs[best].EndLine-defs[best].Line) {
			best = i
		}
	}
	if best < 0 {
		return Def{}, false
	}
	return defs[best], true
}

// Scan lists the definitions of a file like the package function Scan, reusing the scanner's buffers.
func (s *Scanner) Scan(path string, src []byte) []Def {
	s.file.outline.reset(len(src))
	if len(src) > math.MaxInt32-1 {
		return nil
	}
	lang := Detect(path, src)
	if Language(path) == Notebook && len(src) > 0 {
		lang = Notebook
	}
	if lang == Component {
		s.addComponent(path)
	}
	s.scan(lang, src)
	return s.file.finish()
}

// scan adds the definitions of a source to the outline.
func (s *Scanner) scan(lang Lang, src []byte) {
	s.file.outline.begin(lang, src)
	switch lang {
	case "":
	case Markdown, AsciiDoc, RST:
		scanDocument(&s.file.outline)
	case Notebook:
		s.scanNotebook(src)
	case Component:
		s.scanComponent(src)
	case YAML, TOML, JSON:
		scanData(&s.file.outline)
	default:
		s.scanTokens(lang, src)
	}
}

// scanTokens lexes the source, pairs its brackets and lets the language read the tokens.
func (s *Scanner) scanTokens(lang Lang, src []byte) {
	s.lexer.lex(src, lang)
	s.file.load(&s.lexer)
	s.scanLoaded(lang, src)
}

// scanLoaded finds the definitions among the loaded tokens.
func (s *Scanner) scanLoaded(lang Lang, src []byte) {
	s.file.match = s.pairer.reset(s.lexer.toks)
	if l := s.languageReader(lang); l != nil {
		s.pairer.pair(src, l)
		l.scan()
	}
}
