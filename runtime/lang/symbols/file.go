package symbols

// file is the input and output of a language's scanner: the tokens of one file, the scopes open at the current
// position, and the outline to which it adds definitions.
type file struct {
	lookahead
	outline
	comments    []comment
	nextComment int // index of the comment found last
	scopes      []scope
	bodies      map[int32]scope // scopes to enter at a later brace
	makers      map[string]int  // C macros that define a function, with the index of the parameter that is its name
}

// scope is a range of tokens whose definitions share a container.
type scope struct {
	open     int // its opening bracket
	close    int // token that ends it
	kind     scopeKind
	cont     span
	name     int // token of its own name, -1 if none
	exported bool
	hidden   bool // members are private unless marked otherwise
}

// scopeKind tells what the names in a scope are.
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

// The budget of a file for looking ahead: a minimum, plus steps per token.
const (
	minSteps      = 1000
	stepsPerToken = 32
)

// load takes over the output of the lexer and discards the previous file. The bracket pairs are set later.
func (f *file) load(l *lexer) {
	f.cursor = cursor{source: l.src, toks: l.toks, limit: len(l.toks)}
	f.comments, f.nextComment = l.comments, 0
	f.steps = minSteps + stepsPerToken*f.limit
	f.computed = l.rules.lang == C || l.rules.lang == CPP
	f.scopes = append(f.scopes[:0], scope{close: f.limit, name: -1, exported: true})
	clear(f.bodies)
}

// walk passes every token that may start something to step, which returns the next token to read; it leaves scopes when
// it passes their ends.
func (f *file) walk(step func(i int) int) {
	for i := 0; i < f.limit; {
		if f.leaveScopes(i) {
			i++
			continue
		}
		i = max(step(i), i+1)
	}
}

// leaveScopes pops the scopes that end before or at token i and reports whether i is itself the end of one.
func (f *file) leaveScopes(i int) bool {
	at := false
	for n := len(f.scopes) - 1; n > 0 && f.scopes[n].close <= i; n-- {
		at = at || f.scopes[n].close == i && f.isCloser(i)
		f.scopes = f.scopes[:n]
	}
	return at
}

// scope returns the innermost open scope.
func (f *file) scope() *scope { return &f.scopes[len(f.scopes)-1] }

// push enters a scope whose bracket opens at token open, and returns the token after that bracket.
func (f *file) push(open int, sc scope) int {
	sc.open, sc.close = open, f.partner(open)
	f.enter(sc)
	return open + 1
}

// enter enters a scope whose ends are set.
func (f *file) enter(sc scope) { f.scopes = append(f.scopes, sc) }

// noteBody records the scope to enter when the walk reaches the brace at open.
func (f *file) noteBody(open int, sc scope) {
	if f.bodies == nil {
		f.bodies = map[int32]scope{}
	}
	if open > 0 {
		f.bodies[int32(open)] = sc
	}
}

// inFirstColumn reports whether token i is at the start of its line.
func (f *file) inFirstColumn(i int) bool {
	off := f.token(i).off
	return off == 0 || f.source[off-1] == '\n'
}

// anchors is the default for languages without words that occur only at top level.
func (f *file) anchors(int) bool { return false }
