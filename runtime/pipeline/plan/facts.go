package plan

import (
	"fmt"
	"maps"

	"github.com/expr-lang/expr/ast"
)

// facts are the paths that cannot be nil at some point of an expression.
type facts map[string]bool

func (f facts) and(more facts) facts {
	if len(more) == 0 {
		return f
	}
	all := maps.Clone(f)
	if all == nil {
		all = facts{}
	}
	maps.Copy(all, more)
	return all
}

// factsWhere returns the paths known to be there if a condition holds, or does not hold.
func (t *typing) factsWhere(cond ast.Node, holds bool) facts {
	switch n := cond.(type) {
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return t.factsWhere(n.Node, !holds)
		}
	case *ast.BinaryNode:
		return t.comparisonFacts(n, holds)
	}
	if holds { // a true value is not nil
		return t.pathFacts(cond)
	}
	return nil
}

func (t *typing) comparisonFacts(n *ast.BinaryNode, holds bool) facts {
	_, left := n.Left.(*ast.NilNode)
	_, right := n.Right.(*ast.NilNode)
	switch op := n.Operator; {
	case (op == "&&" || op == "and") && holds, (op == "||" || op == "or") && !holds:
		return t.factsWhere(n.Left, holds).and(t.factsWhere(n.Right, holds))
	case op == "??" && holds:
		return t.chosenFacts(n)
	case left || right:
		if op == "!=" && holds || op == "==" && !holds {
			return t.pathFacts(n.Left).and(t.pathFacts(n.Right))
		}
	case op == "==" && holds:
		if isLiteral(n.Right) {
			return t.pathFacts(n.Left)
		}
		if isLiteral(n.Left) {
			return t.pathFacts(n.Right)
		}
	case holds && (op == "contains" || op == "startsWith" || op == "endsWith" || op == "matches"):
		return t.pathFacts(n.Left).and(t.pathFacts(n.Right))
	}
	return nil
}

// chosenFacts concludes that the left side of "?? false" was there if the whole is true.
func (t *typing) chosenFacts(n *ast.BinaryNode) facts {
	if b, ok := n.Right.(*ast.BoolNode); ok && !b.Value {
		return t.factsWhere(n.Left, true)
	}
	return nil
}

// pathFacts returns a path and all of its prefixes.
func (t *typing) pathFacts(n ast.Node) facts {
	f := facts{}
	for n != nil {
		if p, ok := t.path(n); ok {
			f[p] = true
		}
		switch at := n.(type) {
		case *ast.ChainNode:
			n = at.Node
		case *ast.MemberNode:
			n = at.Node
		default:
			n = nil
		}
	}
	return f
}

// path returns the canonical text of a path into the environment.
func (t *typing) path(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return n.Value, true
	case *ast.PointerNode:
		return fmt.Sprintf("#%d%s", len(t.items), n.Name), true
	case *ast.ChainNode:
		return t.path(n.Node)
	case *ast.MemberNode:
		of, ok := t.path(n.Node)
		if !ok {
			return "", false
		}
		switch key := n.Property.(type) {
		case *ast.StringNode:
			return of + "." + key.Value, true
		case *ast.IntegerNode:
			return fmt.Sprintf("%s[%d]", of, key.Value), true
		}
	}
	return "", false
}

// isLiteral reports whether a node is a literal value other than nil.
func isLiteral(n ast.Node) bool {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return true
	}
	return false
}
