package plan

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
)

// Names that guards use. They contain spaces, so no source can use them.
const (
	meterName = " meter"
	openFn    = " open"
	stepFn    = " step"
	weighFn   = " weigh"
	walkFn    = " walk"
	orderFn   = " order"
	scanFn    = " scan"
	matchesFn = " matches"
	builtinFn = " builtin "
)

// guards returns the functions that charge for the work of an expression: every loop,
// every builtin and every operator whose work grows with its operands. Each takes the
// evaluation's meter as its last argument, which is on top of the stack there: a search
// from the end (findLast) that finds nothing leaves something behind on the stack.
var guards = sync.OnceValue(func() conf.FunctionsTable {
	table := conf.FunctionsTable{}
	add := func(name string, typ func(args []reflect.Type) reflect.Type, fn func(m *meter, args []any) (any, error)) {
		table[name] = &builtin.Function{Name: name,
			Validate: func(args []reflect.Type) (reflect.Type, error) { return typ(args[:len(args)-1]), nil },
			Func:     func(args ...any) (any, error) { return fn(args[len(args)-1].(*meter), args[:len(args)-1]) }}
	}
	isBool := func([]reflect.Type) reflect.Type { return reflect.TypeFor[bool]() }
	first := func(args []reflect.Type) reflect.Type { return args[0] }
	pass := func(name string, cost charge) {
		add(name, first, func(m *meter, args []any) (any, error) {
			price, err := cost(args)
			return args[0], m.take(price, err)
		})
	}
	table[openFn] = &builtin.Function{Name: openFn, Types: []reflect.Type{reflect.TypeFor[func() *meter]()},
		Func: func(...any) (any, error) { return &meter{left: maxUnits}, nil }}
	add(stepFn, isBool, func(m *meter, args []any) (any, error) { return true, m.take(uint(args[0].(int)), nil) })
	add(matchesFn, isBool, func(m *meter, args []any) (any, error) { return matches(m, args[0], args[1]) })
	pass(weighFn, func(args []any) (uint, error) { return shallowCharge(args[0]), nil })
	pass(orderFn, func(args []any) (uint, error) { return shallowCharge(args[0]) * sortFactor, nil })
	pass(walkFn, chargeWhole(1))
	pass(scanFn, func(args []any) (uint, error) {
		s, _ := args[0].(string)
		return scanCharge(s, args[1].(int))
	})
	for _, f := range builtin.Builtins {
		if cost, ok := charges[f.Name]; ok {
			add(builtinFn+f.Name, typeOf(f), func(m *meter, args []any) (any, error) {
				price, err := cost(args)
				if err := m.take(price, err); err != nil {
					return nil, err
				}
				return call(f, args)
			})
		}
	}
	return table
})

// typeOf returns a function that gives a builtin's result type for arguments that were checked.
func typeOf(f *builtin.Function) func([]reflect.Type) reflect.Type {
	return func(args []reflect.Type) reflect.Type {
		if f.Validate != nil {
			if t, err := f.Validate(args); err == nil {
				return t
			}
		}
		for i, t := range f.Types {
			if t.Out(0) != f.Types[0].Out(0) {
				break
			}
			if i == len(f.Types)-1 {
				return t.Out(0)
			}
		}
		return reflect.TypeFor[any]()
	}
}

// insertGuards inserts the guards into a checked expression and opens their meter.
func insertGuards(n ast.Node) ast.Node {
	ast.Walk(&n, guard{})
	open := &ast.CallNode{Callee: &ast.IdentifierNode{Value: openFn}}
	root := &ast.VariableDeclaratorNode{Name: meterName, Value: open, Expr: n}
	for _, made := range []ast.Node{open, open.Callee, root} {
		made.SetLocation(n.Location())
	}
	return root
}

// guard inserts the guards into an expression, from its leaves up.
type guard struct{}

func (guard) Visit(n *ast.Node) {
	switch at := (*n).(type) {
	case *ast.BinaryNode:
		guardOperator(n, at)
	case *ast.BuiltinNode:
		guardBuiltin(n, at)
	case *ast.CallNode: // a method of a time: its result is as long as its arguments
		for i, arg := range at.Arguments {
			at.Arguments[i] = guardOperand(weighFn, arg)
		}
	case *ast.MemberNode:
		at.Property = guardOperand(walkFn, at.Property) // an invalid index is printed in the error
	case *ast.SliceNode:
		at.From, at.To = guardOperand(walkFn, at.From), guardOperand(walkFn, at.To)
	}
}

func guardOperator(n *ast.Node, at *ast.BinaryNode) {
	switch at.Operator {
	case "+", "contains", "startsWith", "endsWith", "<", "<=", ">", ">=":
		at.Left, at.Right = guardOperand(weighFn, at.Left), guardOperand(weighFn, at.Right)
	case "==", "!=", "in":
		at.Left, at.Right = guardOperand(walkFn, at.Left), guardOperand(walkFn, at.Right)
	case "matches":
		if pattern, ok := at.Right.(*ast.StringNode); ok {
			at.Left = callOf(scanFn, at, at.Left, &ast.IntegerNode{Value: patternSize(pattern.Value)})
			return
		}
		*n = callOf(matchesFn, at, at.Left, at.Right)
	}
}

func guardBuiltin(n *ast.Node, at *ast.BuiltinNode) {
	if _, ok := charges[at.Name]; ok {
		*n = callOf(builtinFn+at.Name, at, at.Arguments...)
		return
	}
	for i, arg := range at.Arguments {
		body, ok := arg.(*ast.PredicateNode)
		if !ok {
			continue
		}
		switch at.Name {
		case "sortBy":
			body.Node = guardOperand(orderFn, body.Node)
		case "groupBy", "countBy":
			body.Node = guardOperand(weighFn, body.Node)
		}
		cost := &ast.IntegerNode{Value: (countNodes(body.Node) + 3) / 4}
		steps := &ast.SequenceNode{Nodes: []ast.Node{callOf(stepFn, body, cost), body.Node}}
		steps.SetLocation(body.Node.Location())
		body.Node = steps
		at.Arguments[i] = body
	}
	switch {
	case at.Name == "get" && len(at.Arguments) == 2:
		at.Arguments[1] = guardOperand(walkFn, at.Arguments[1])
	case (at.Name == "sum" || at.Name == "count") && len(at.Arguments) == 1: // loops without a body
		at.Arguments[0] = guardOperand(weighFn, at.Arguments[0])
	}
}

// guardOperand guards an operand, unless its size is known to be small.
func guardOperand(fn string, n ast.Node) ast.Node {
	switch at := n.(type) {
	case nil, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NilNode:
		return n
	case *ast.StringNode:
		if len(at.Value) <= 4*textUnit {
			return n
		}
	}
	if t := n.Type(); t != nil {
		switch t.Kind() {
		case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
			return n
		}
	}
	return callOf(fn, n, n)
}

// callOf returns a call of a guard at the location of a node.
func callOf(fn string, place ast.Node, args ...ast.Node) ast.Node {
	callee, account := &ast.IdentifierNode{Value: fn}, &ast.IdentifierNode{Value: meterName}
	call := &ast.CallNode{Callee: callee, Arguments: append(slices.Clone(args), account)}
	for _, made := range []ast.Node{callee, account, call} {
		made.SetLocation(place.Location())
	}
	return call
}

// countNodes counts the nodes of a body. A nested loop counts more: each of its iterations
// keeps something until the end.
func countNodes(n ast.Node) int {
	var c counter
	ast.Walk(&n, &c)
	return int(c)
}

type counter int

func (c *counter) Visit(n *ast.Node) {
	*c++
	if _, ok := (*n).(*ast.PredicateNode); ok {
		*c += 60
	}
}

// checkPatterns reports a constant pattern that is too large, before the checker would compile it.
func checkPatterns(root ast.Node) *exprProblem {
	var v large
	ast.Walk(&root, &v)
	if v.at == nil {
		return nil
	}
	at := v.at.Location()
	return &exprProblem{Message: fmt.Sprintf("the pattern comes to more than %d steps", maxPattern), From: at.From, To: at.To}
}

type large struct{ at ast.Node }

func (v *large) Visit(n *ast.Node) {
	if op, ok := (*n).(*ast.BinaryNode); ok && op.Operator == "matches" {
		if s, ok := op.Right.(*ast.StringNode); ok && patternSize(s.Value) > maxPattern {
			v.at = s
		}
	}
}

// buildsValue reports whether an expression makes a value of its own. One that only selects
// cannot make more than there is.
func buildsValue(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IdentifierNode, *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NilNode:
		return false
	case *ast.ChainNode:
		return buildsValue(n.Node)
	case *ast.MemberNode:
		return buildsValue(n.Node) || buildsValue(n.Property)
	}
	return true
}
