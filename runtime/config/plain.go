package config

import (
	"errors"

	"cuelang.org/go/cue/scanner"
	"cuelang.org/go/cue/token"
)

// Limits of plain files, of all together. Values that conflict, or names that are unknown,
// are compared with each other, which takes time quadratic in their number.
const (
	maxPlainSize    = 64 << 10 // bytes
	maxPlainTokens  = 4_000    // a server or a role has about thirty
	maxPlainNesting = 20       // brackets within one another
	maxPlainChain   = 8        // names in a row, as in a: b: c: 1
)

// ErrNotPlain is the error of Load for files that Options.PlainOnly rejects.
var ErrNotPlain = errors.New("the configuration is not plain")

// isPlain reports whether files have only fields, lists and basic values: no expression,
// reference or type, and nothing that takes the parser or the evaluator long or deep.
func isPlain(list []*file) bool {
	size, count := 0, 0
	for _, f := range list {
		if size += len(f.text); size > maxPlainSize {
			return false
		}
		r := newPlainReader(f.text)
		r.count = count
		if !r.readFile() {
			return false
		}
		count = r.count
	}
	return true
}

// plainReader checks tokens, because CUE's parser recurses for every bracket and name.
type plainReader struct {
	scanner.Scanner
	last  token.Token   // COMMA at the beginning of an element
	open  []token.Token // brackets
	chain int           // names since the last bracket or comma
	count int           // tokens
}

func newPlainReader(text []byte) *plainReader {
	r := &plainReader{last: token.COMMA}
	r.Init(token.NewFile("", -1, len(text)), text, nil, 0)
	return r
}

func (r *plainReader) readFile() bool {
	_, tok, lit := r.Scan()
	if tok == token.IDENT && lit == "package" {
		_, _, name := r.Scan()
		_, end, _ := r.Scan()
		if name != packageName || end != token.COMMA && end != token.EOF {
			return false
		}
		_, tok, lit = r.Scan()
	}
	for ; tok != token.EOF; _, tok, lit = r.Scan() {
		if r.count++; r.count > maxPlainTokens || r.ErrorCount > 0 || !r.accept(tok, lit) {
			return false
		}
		r.last = tok
	}
	return r.ErrorCount == 0 && len(r.open) == 0 && (r.last == token.COMMA || r.afterValue())
}

// accept reports whether a token is plain after those before it.
func (r *plainReader) accept(tok token.Token, lit string) bool {
	switch tok {
	case token.COLON:
		r.chain++
		return r.chain <= maxPlainChain && (r.last == token.STRING || r.last == token.IDENT) && !r.inList()
	case token.COMMA:
		r.chain = 0
		return r.afterValue()
	case token.RBRACE, token.RBRACK:
		return r.closeBracket(tok)
	case token.LBRACE, token.LBRACK:
		r.open, r.chain = append(r.open, tok), 0
		return len(r.open) <= maxPlainNesting && r.beforeValue()
	case token.IDENT:
		return lit[0] != '_' && lit[0] != '#' && lit != "import" && r.beforeValue()
	case token.STRING, token.INT, token.FLOAT, token.TRUE, token.FALSE, token.NULL:
		return r.beforeValue()
	}
	return false
}

func (r *plainReader) closeBracket(tok token.Token) bool {
	n := len(r.open)
	if n == 0 || (tok == token.RBRACE) != (r.open[n-1] == token.LBRACE) {
		return false
	}
	empty := r.last == r.open[n-1]
	r.open, r.chain = r.open[:n-1], 0
	return empty || r.last == token.COMMA || r.afterValue()
}

func (r *plainReader) inList() bool {
	return len(r.open) > 0 && r.open[len(r.open)-1] == token.LBRACK
}

// afterValue reports whether the last token ends a value.
func (r *plainReader) afterValue() bool {
	switch r.last {
	case token.COLON, token.COMMA, token.LBRACE, token.LBRACK, token.IDENT:
		return false
	}
	return true
}

// beforeValue reports whether a value or a name may come next.
func (r *plainReader) beforeValue() bool { return r.last != token.IDENT && !r.afterValue() }
