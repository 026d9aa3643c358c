package plan

import (
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// setting is what the conditions around an expression tell about paths: known paths are
// certain to be there, looked ones are at least mentioned by a condition.
type setting struct{ known, looked facts }

// nilChecker finds where an expression would break, or mislead, because a value is absent.
// Where a boolean is wanted, it turns an absent one into false.
type nilChecker struct {
	typing
	looked facts
	found  []exprProblem
}

// codeAbsent is the code for a value that may be absent where one is needed.
const codeAbsent = "C136"

func (a *nilChecker) walk(n ast.Node) {
	switch n := n.(type) {
	case *ast.UnaryNode:
		a.walkUnary(n)
	case *ast.BinaryNode:
		a.walkBinary(n)
	case *ast.ChainNode:
		a.walk(n.Node)
	case *ast.MemberNode:
		a.walk(n.Node)
		if !n.Optional {
			a.checkBase(n)
		}
		a.needValue(n.Property)
	case *ast.SliceNode:
		a.needValue(n.Node)
		a.needValue(n.From)
		a.needValue(n.To)
	case *ast.CallNode:
		a.walk(n.Callee)
		for _, arg := range n.Arguments {
			a.needValue(arg)
		}
	case *ast.BuiltinNode:
		a.walkBuiltin(n)
	case *ast.PredicateNode:
		a.walk(n.Node)
	case *ast.ConditionalNode:
		n.Cond = a.coerceBool(n.Cond)
		a.walkBranch(n.Cond, true, n.Exp1)
		a.walkBranch(n.Cond, false, n.Exp2)
	case *ast.VariableDeclaratorNode:
		a.walk(n.Value)
		a.addVariable(n)
		a.walk(n.Expr)
	case *ast.SequenceNode:
		a.walkAll(n.Nodes)
	case *ast.ArrayNode:
		a.walkAll(n.Nodes)
	case *ast.MapNode:
		a.walkAll(n.Pairs)
	case *ast.PairNode:
		a.needValue(n.Key)
		a.walk(n.Value)
	}
}

func (a *nilChecker) walkAll(nodes []ast.Node) {
	for _, n := range nodes {
		a.walk(n)
	}
}

func (a *nilChecker) walkUnary(n *ast.UnaryNode) {
	switch n.Operator {
	case "not", "!":
		n.Node = a.coerceBool(n.Node)
	default:
		a.needValue(n.Node)
	}
}

func (a *nilChecker) walkBinary(n *ast.BinaryNode) {
	switch n.Operator {
	case "&&", "and", "||", "or":
		n.Left = a.coerceBool(n.Left)
		holds := n.Operator == "&&" || n.Operator == "and"
		a.withCondition(n.Left, holds, func() { n.Right = a.coerceBool(n.Right) })
	case "==", "!=":
		a.walkAll([]ast.Node{n.Left, n.Right})
		a.checkBlank(n.Left, n.Right)
		a.checkBlank(n.Right, n.Left)
	case "??", "in", "contains", "startsWith", "endsWith", "matches": // operators that accept nil
		a.walkAll([]ast.Node{n.Left, n.Right})
	default:
		a.needValue(n.Left)
		a.needValue(n.Right)
	}
}

// withCondition calls do with the facts of a condition in effect.
func (a *nilChecker) withCondition(cond ast.Node, holds bool, do func()) {
	known, looked := a.known, a.looked
	a.known, a.looked = known.and(a.factsWhere(cond, holds)), looked.and(a.mentionedPaths(cond))
	do()
	a.known, a.looked = known, looked
}

func (a *nilChecker) walkBranch(cond ast.Node, holds bool, n ast.Node) {
	a.withCondition(cond, holds, func() { a.walk(n) })
}

// coerceBool walks a condition. A boolean that was not given counts as false.
func (a *nilChecker) coerceBool(n ast.Node) ast.Node {
	a.walk(n)
	s := a.typeOf(n)
	if !s.Nullable || s.Type != schema.Boolean {
		return n
	}
	no, sure := &ast.BoolNode{}, &ast.BinaryNode{Operator: "??", Left: n}
	sure.Right = no
	no.SetLocation(n.Location())
	sure.SetLocation(n.Location())
	return sure
}

// Builtins whose body is a condition, whose body needs a value, and that accept nil.
var (
	conditions = []string{"all", "none", "any", "one", "filter", "find", "findIndex", "findLast", "findLastIndex", "count"}
	keyed      = []string{"sortBy", "sum"}
	takeNil    = []string{"type", "toJSON", "string", "get", "first", "last"}
)

func (a *nilChecker) walkBuiltin(n *ast.BuiltinNode) {
	for i, arg := range n.Arguments {
		body, ok := arg.(*ast.PredicateNode)
		switch {
		case !ok && slices.Contains(takeNil, n.Name):
			a.walk(arg)
		case !ok:
			a.needValue(arg)
		default:
			a.walkBody(n, body, a.elementType(n.Arguments[max(i-1, 0)]))
		}
	}
}

func (a *nilChecker) walkBody(n *ast.BuiltinNode, body *ast.PredicateNode, item *schema.Schema) {
	a.items = append(a.items, item)
	switch {
	case slices.Contains(conditions, n.Name):
		body.Node = a.coerceBool(body.Node)
	case slices.Contains(keyed, n.Name):
		a.needValue(body.Node)
	default:
		a.walk(body.Node)
	}
	a.items = a.items[:len(a.items)-1]
}

// needValue walks a part that must not be nil.
func (a *nilChecker) needValue(n ast.Node) {
	if n == nil {
		return
	}
	a.walk(n)
	if s := a.typeOf(n); s.Nullable && !isNil(n) {
		a.report(n, n.String()+" may be nil here", "write ("+n.String()+" ?? "+standIn(s)+"), or ask for "+n.String()+" != nil before", diag.Error)
	}
}

// checkBase checks the value whose field or element is taken.
func (a *nilChecker) checkBase(n *ast.MemberNode) {
	if s := a.typeOf(n.Node); s.Nullable && !isNil(n.Node) {
		name := n.Node.String()
		out := "write " + name + "?."
		if key, ok := n.Property.(*ast.StringNode); ok && s.Type == schema.Object {
			out += key.Value
		} else {
			out = "write (" + name + " ?? " + standIn(s) + ")"
		}
		a.report(n.Node, name+" may be nil here", out+", or ask for "+name+" != nil before", diag.Error)
	}
}

// checkBlank warns about a comparison with what means "not given" in other languages.
func (a *nilChecker) checkBlank(n, with ast.Node) {
	s := a.typeOf(n)
	if !s.Nullable || isNil(n) {
		return
	}
	switch v := with.(type) {
	case *ast.StringNode:
		if v.Value != "" {
			return
		}
	case *ast.IntegerNode:
		if v.Value != 0 {
			return
		}
	case *ast.BoolNode:
		if v.Value {
			return
		}
	case *ast.ArrayNode:
		if len(v.Nodes) > 0 {
			return
		}
	default:
		return
	}
	name, blank := n.String(), standIn(s)
	a.report(n, name+" is nil where it was not given, which is not "+blank, "compare with nil, or write ("+name+" ?? "+blank+")", diag.Warning)
}

// report records a problem. If a surrounding condition may prevent it, it is only a warning.
func (a *nilChecker) report(n ast.Node, message, help string, severity diag.Severity) {
	if p, ok := a.path(n); ok && a.looked[p] {
		severity = diag.Warning
	}
	span := extent{from: n.Location().From}
	ast.Walk(&n, &span)
	a.found = append(a.found, exprProblem{Code: codeAbsent, Message: message, Help: help, Severity: severity, From: span.from, To: span.to})
}

// extent is the range that a part of an expression covers.
type extent struct{ from, to int }

func (e *extent) Visit(n *ast.Node) {
	at := (*n).Location()
	e.from, e.to = min(e.from, at.From), max(e.to, at.To)
}

// mentionedPaths returns the paths that a condition mentions.
func (t *typing) mentionedPaths(cond ast.Node) facts {
	v := mentions{t: t, found: facts{}}
	ast.Walk(&cond, &v)
	return v.found
}

type mentions struct {
	t     *typing
	found facts
}

func (v *mentions) Visit(n *ast.Node) {
	if p, ok := v.t.path(*n); ok {
		v.found[p] = true
	}
}

func isNil(n ast.Node) bool {
	_, ok := n.(*ast.NilNode)
	return ok
}

// standIn returns the value that a message suggests in place of an absent one.
func standIn(s *schema.Schema) string {
	switch s.Type {
	case schema.String:
		return "''"
	case schema.Integer, schema.Number:
		return "0"
	case schema.Boolean:
		return "false"
	case schema.Array:
		return "[]"
	case schema.Object:
		return "{}"
	}
	return "DEFAULT"
}

// withCondition returns the setting for the other expressions of a stage, which run only if its condition p holds.
func (o setting) withCondition(p *Program) setting {
	if p == nil {
		return o
	}
	return setting{known: o.known.and(p.holds.known), looked: o.looked.and(p.holds.looked)}
}

// conditionPaths collects the paths in the conditions of stages: each may be the reason why a later expression is safe.
func conditionPaths(stages []*Stage) facts {
	looked := facts{}
	for _, s := range stages {
		if s.When != nil {
			maps.Copy(looked, s.When.holds.looked)
		}
	}
	return looked
}
