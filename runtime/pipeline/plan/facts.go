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

// facts returns the paths known to be there if a condition holds, or does not hold.
func (t *typing) facts(cond ast.Node, holds bool) facts {
	switch n := cond.(type) {
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return t.facts(n.Node, !holds)
		}
	case *ast.BinaryNode:
		return t.compared(n, holds)
	}
	if holds { // a true value is not nil
		return t.there(cond)
	}
	return nil
}

func (t *typing) compared(n *ast.BinaryNode, holds bool) facts {
	_, left := n.Left.(*ast.NilNode)
	_, right := n.Right.(*ast.NilNode)
	switch op := n.Operator; {
	case (op == "&&" || op == "and") && holds, (op == "||" || op == "or") && !holds:
		return t.facts(n.Left, holds).and(t.facts(n.Right, holds))
	case op == "??" && holds:
		return t.chosen(n)
	case left || right:
		if op == "!=" && holds || op == "==" && !holds {
			return t.there(n.Left).and(t.there(n.Right))
		}
	case op == "==" && holds:
		if written(n.Right) {
			return t.there(n.Left)
		}
		if written(n.Left) {
			return t.there(n.Right)
		}
	case holds && (op == "contains" || op == "startsWith" || op == "endsWith" || op == "matches"):
		return t.there(n.Left).and(t.there(n.Right))
	}
	return nil
}

// chosen concludes that the left side of "?? false" was there if the whole is true.
func (t *typing) chosen(n *ast.BinaryNode) facts {
	if b, ok := n.Right.(*ast.BoolNode); ok && !b.Value {
		return t.facts(n.Left, true)
	}
	return nil
}

// there returns a path and all of its prefixes.
func (t *typing) there(n ast.Node) facts {
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

// written reports whether a node is a literal value other than nil.
func written(n ast.Node) bool {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return true
	}
	return false
}
