package plan

import (
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// plainOfSession lists the members of the session that reveal nothing about the arguments
// of upstream tools.
var plainOfSession = []string{"id", "client", "era", "profile", "questions", "shown", "used"}

// ReadsConversation reports whether an expression can see the calls of the session, with
// the arguments given to other tools: it reads them, or the whole session or environment.
func ReadsConversation(source string) bool {
	if len(source) > maxSource {
		return false // too long to be compiled
	}
	tree, err := parser.Parse(source)
	if err != nil {
		return false
	}
	v := conversation{plain: map[ast.Node]bool{}}
	ast.Walk(&tree.Node, &v)
	return slices.ContainsFunc(v.sessions, func(n ast.Node) bool { return !v.plain[n] })
}

// conversation records where the session is named, and where only a plain member of it is read.
type conversation struct {
	sessions []ast.Node
	plain    map[ast.Node]bool
}

func (v *conversation) Visit(n *ast.Node) {
	switch n := (*n).(type) {
	case *ast.IdentifierNode:
		if n.Value == envSession || n.Value == envAll {
			v.sessions = append(v.sessions, n)
		}
	case *ast.MemberNode:
		of, key := n.Node, ""
		if chain, ok := of.(*ast.ChainNode); ok {
			of = chain.Node
		}
		if text, ok := n.Property.(*ast.StringNode); ok {
			key = text.Value
		}
		if id, ok := of.(*ast.IdentifierNode); ok && id.Value == envSession && slices.Contains(plainOfSession, key) {
			v.plain[id] = true
		}
	}
}
