package symbols

import "math"

// maxLine is the length in bytes above which a line counts as minified: what
// stands on it is not taken for a definition. Outside of scripts the first
// maxLead bytes still count, where a table of data has its name.
const (
	maxLine = 2000
	maxLead = 120
)

// Scanner finds definitions and keeps its buffers from file to file. It is not
// safe for concurrent use: have one per worker. The zero value is ready.
type Scanner struct {
	lexer
	pairer
	emitter

	lang   Lang
	scopes []scope
	bodies map[int32]scope // scopes to enter at a brace further down
	limit  int             // tokens to walk
	steps  int             // of looking ahead that are left
	names  []int           // tokens that name what a script exports

	longFrom, longTo uint32 // a stretch known to lie on a long line
	expr             exprCache
}

// scope is a stretch of tokens whose definitions share a container.
type scope struct {
	open     int // its opening bracket
	close    int // token that ends it
	kind     scopeKind
	cont     span
	name     int // token of its own name, -1 without one
	exported bool
	hidden   bool // members are private until something says otherwise
}

type scopeKind uint8

const (
	scopeTop      scopeKind = iota
	scopeModule             // namespace, module, extern block
	scopeClass              // class, struct, trait, impl, object
	scopeContract           // interface, protocol: members are public
	scopeEnum
	scopeFunc
	scopeBlock
	scopeObject  // object literal
	scopeExports // object literal that is exported
	scopeExpr    // round or square brackets
)

// Scan lists the definitions of a file in the order of their lines. The path
// tells the language and is not opened. Unknown languages yield nothing.
func Scan(path string, src []byte) []Def {
	return new(Scanner).Scan(path, src)
}

// Enclosing is the innermost of some definitions of one file, as Scan returns
// them, that a line lies in.
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

// Scan is the package's Scan on buffers that are used again.
func (s *Scanner) Scan(path string, src []byte) []Def {
	s.emitter.reset(len(src))
	if len(src) > math.MaxInt32-1 {
		return nil
	}
	s.scan(Detect(path, src), path, src)
	return s.finish()
}

// scan runs the scanner of a language and leaves what it finds in s.defs.
func (s *Scanner) scan(lang Lang, path string, src []byte) {
	s.lang, s.lexer.src = lang, src
	s.longFrom, s.longTo = 0, 0
	switch lang {
	case "":
	case Markdown, AsciiDoc, RST:
		s.scanDocument()
	case Notebook:
		s.scanNotebook(src)
	case Component:
		s.scanComponent(src)
	case YAML, TOML, JSON:
		s.scanData()
	default:
		s.tokenize(lang, src)
		s.scanTokens()
	}
}

// scanTokens picks the scanner for a language that has tokens.
func (s *Scanner) scanTokens() {
	switch s.lang {
	case Go:
		s.walk(s.goDecl)
	case Python:
		s.scanPython()
	case JavaScript, TypeScript, TSX:
		s.walk(s.scriptToken)
		s.exportScriptNames()
	case Java:
		s.walk(s.javaMember)
	case Rust:
		s.walk(s.rustItem)
	case C, CPP:
		s.walk(s.cDecl)
		s.cMacros()
	case CSharp:
		s.walk(s.csharpMember)
	case Ruby:
		s.scanRuby()
	case PHP:
		s.walk(s.phpItem)
	case Kotlin:
		s.walk(s.kotlinItem)
	case Swift:
		s.walk(s.swiftItem)
	case Scala:
		s.scanScala()
	case Shell:
		s.walk(s.shellItem)
	case CUE:
		s.walk(s.cueField)
	case Protobuf:
		s.walk(s.protoItem)
	case SQL:
		s.walk(s.sqlStatement)
	}
}

// tokenize lexes the source and pairs its brackets.
func (s *Scanner) tokenize(lang Lang, src []byte) {
	s.lang = lang
	s.lex(src, lang)
	s.limit = len(s.toks)
	s.steps = 1000 + 32*s.limit
	s.anchor = s.anchored
	s.pair(src, s.toks)
	s.scopes = append(s.scopes[:0], scope{close: s.limit, name: -1, exported: true})
	clear(s.bodies)
	s.names, s.expr = s.names[:0], exprCache{}
}

// walk hands every token that starts something to step, which returns the
// next one to look at; scopes are left as their ends are passed.
func (s *Scanner) walk(step func(i int) int) {
	for i := 0; i < s.limit; {
		if s.leave(i) {
			i++
			continue
		}
		i = max(step(i), i+1)
	}
}

// leave pops the scopes that end before or at token i and says whether i is
// itself the end of one.
func (s *Scanner) leave(i int) bool {
	at := false
	for n := len(s.scopes) - 1; n > 0 && s.scopes[n].close <= i; n-- {
		at = at || s.scopes[n].close == i && s.closer(i)
		s.scopes = s.scopes[:n]
	}
	return at
}

func (s *Scanner) closer(i int) bool {
	switch t := s.tok(i); t.ch {
	case '}', ')', ']':
		return t.kind == tokPunct || t.kind == tokHole
	}
	return false
}

func (s *Scanner) scope() *scope { return &s.scopes[len(s.scopes)-1] }

// push enters a scope whose bracket opens at token open and returns the token
// behind that bracket.
func (s *Scanner) push(open int, sc scope) int {
	sc.open, sc.close = open, s.closing(open)
	s.scopes = append(s.scopes, sc)
	return open + 1
}

// body notes the scope to enter when the walk comes to the brace at open.
func (s *Scanner) body(open int, sc scope) {
	if s.bodies == nil {
		s.bodies = map[int32]scope{}
	}
	if open > 0 {
		s.bodies[int32(open)] = sc
	}
}
