package symbols

// file is what a language's scanner works on: the tokens of one file, the
// scopes that are open where it stands, and the outline that it adds to.
type file struct {
	lookahead
	outline
	comments    []comment
	nextComment int // the last that was asked for
	scopes      []scope
	bodies      map[int32]scope // scopes to enter at a brace further down
	makers      map[string]int  // macros of C that make a function, by which parameter is its name
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

// scopeKind says what the names in a scope are.
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

// The steps of looking ahead that a file allows: some, and more by the token.
const (
	minSteps      = 1000
	stepsPerToken = 32
)

// load takes over what the lexer found and forgets the file before. The pairs
// of the brackets come later.
func (f *file) load(l *lexer) {
	f.cursor = cursor{source: l.src, toks: l.toks, limit: len(l.toks)}
	f.comments, f.nextComment = l.comments, 0
	f.steps = minSteps + stepsPerToken*f.limit
	f.computed = l.rules.lang == C || l.rules.lang == CPP
	f.scopes = append(f.scopes[:0], scope{close: f.limit, name: -1, exported: true})
	clear(f.bodies)
}

// walk hands every token that starts something to step, which returns the
// next one to look at; scopes are left as their ends are passed.
func (f *file) walk(step func(i int) int) {
	for i := 0; i < f.limit; {
		if f.leave(i) {
			i++
			continue
		}
		i = max(step(i), i+1)
	}
}

// leave pops the scopes that end before or at token i and says whether i is
// itself the end of one.
func (f *file) leave(i int) bool {
	at := false
	for n := len(f.scopes) - 1; n > 0 && f.scopes[n].close <= i; n-- {
		at = at || f.scopes[n].close == i && f.isCloser(i)
		f.scopes = f.scopes[:n]
	}
	return at
}

// scope is the innermost scope that is open.
func (f *file) scope() *scope { return &f.scopes[len(f.scopes)-1] }

// push enters a scope whose bracket opens at token open and returns the token
// behind that bracket.
func (f *file) push(open int, sc scope) int {
	sc.open, sc.close = open, f.partner(open)
	f.enter(sc)
	return open + 1
}

// enter enters a scope whose ends are known.
func (f *file) enter(sc scope) { f.scopes = append(f.scopes, sc) }

// noteBody notes the scope to enter when the walk comes to the brace at open.
func (f *file) noteBody(open int, sc scope) {
	if f.bodies == nil {
		f.bodies = map[int32]scope{}
	}
	if open > 0 {
		f.bodies[int32(open)] = sc
	}
}

// inFirstColumn says that token i stands at the start of its line.
func (f *file) inFirstColumn(i int) bool {
	off := f.token(i).off
	return off == 0 || f.source[off-1] == '\n'
}

// anchors answers for languages that have no word for it.
func (f *file) anchors(int) bool { return false }
