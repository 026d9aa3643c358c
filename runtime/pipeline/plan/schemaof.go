package plan

import (
	"reflect"
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// typing infers what the parts of a checked expression evaluate to, as far as its syntax
// shows: paths into the environment, literals, maps, and the scalar types that the
// checker found. Anything else is Any. A Nullable schema may be nil.
type typing struct {
	env   *schema.Schema
	known facts                     // paths that cannot be nil here
	items []*schema.Schema          // elements of the surrounding loops, innermost last
	lets  map[string]*schema.Schema // variables
	loose bool                      // something may be nil, or missing in an open map
	short bool                      // the current chain may end early, at a "?." after nil
	steps int
}

// maxSteps limits the work on one expression: parts beyond it have any type.
const maxSteps = 200_000

func (t *typing) typeOf(n ast.Node) *schema.Schema {
	if t.steps++; t.steps > maxSteps {
		t.loose = true
		return &schema.Schema{}
	}
	s := t.infer(n)
	if s.Nullable {
		t.loose = true
		if p, ok := t.path(n); ok && t.known[p] {
			return withNullable(s, false)
		}
	}
	return s
}

// withNullable returns s with Nullable set to null.
func withNullable(s *schema.Schema, null bool) *schema.Schema {
	if s.Nullable == null {
		return s
	}
	other := *s
	other.Nullable = null
	return &other
}

func (t *typing) infer(n ast.Node) *schema.Schema {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if s := t.lets[n.Value]; s != nil {
			return s
		}
		if f := t.env.Field(n.Value); f != nil {
			return f.Schema
		}
	case *ast.PointerNode:
		if n.Name == "" && len(t.items) > 0 {
			return t.items[len(t.items)-1]
		}
	case *ast.NilNode:
		return &schema.Schema{Nullable: true}
	case *ast.ChainNode:
		around := t.short
		t.short = false
		s := t.typeOf(n.Node)
		s = withNullable(s, s.Nullable || t.short)
		t.short = around
		return s
	case *ast.MemberNode:
		return t.memberType(n)
	case *ast.SliceNode:
		return t.typeOf(n.Node)
	case *ast.MapNode:
		return t.mapType(n)
	case *ast.ArrayNode:
		if len(n.Nodes) > 0 {
			return &schema.Schema{Type: schema.Array, Items: t.typeOf(n.Nodes[0])}
		}
		return &schema.Schema{Type: schema.Array, Items: &schema.Schema{}}
	case *ast.ConditionalNode:
		return t.conditionalType(n)
	case *ast.BinaryNode:
		if n.Operator == "??" {
			return t.coalesceType(n)
		}
	case *ast.SequenceNode:
		return t.typeOf(n.Nodes[len(n.Nodes)-1])
	case *ast.VariableDeclaratorNode:
		t.addVariable(n)
		return t.typeOf(n.Expr)
	}
	return scalarSchema(n.Type())
}

func (t *typing) addVariable(n *ast.VariableDeclaratorNode) {
	if t.lets == nil {
		t.lets = map[string]*schema.Schema{}
	}
	t.lets[n.Name] = t.typeOf(n.Value)
}

func (t *typing) memberType(n *ast.MemberNode) *schema.Schema {
	of := t.typeOf(n.Node)
	t.short = t.short || n.Optional && of.Nullable
	switch key := n.Property.(type) {
	case *ast.StringNode:
		if f := of.Field(key.Value); f != nil {
			return withNullable(f.Schema, f.Schema.Nullable || isOptional(*f))
		}
		if of.Open != nil {
			t.loose = true
			return of.Open
		}
	default:
		if of.Type == schema.Array && of.Items != nil {
			return of.Items
		}
	}
	return scalarSchema(n.Type())
}

// conditionalType returns the type of a conditional: that of the first branch, unless it is nil.
func (t *typing) conditionalType(n *ast.ConditionalNode) *schema.Schema {
	then, other := t.typeUnder(n.Cond, true, n.Exp1), t.typeUnder(n.Cond, false, n.Exp2)
	null := then.Nullable || other.Nullable
	if _, ok := n.Exp1.(*ast.NilNode); ok {
		then = other
	}
	return withNullable(then, null)
}

func (t *typing) typeUnder(cond ast.Node, holds bool, n ast.Node) *schema.Schema {
	before := t.known
	defer func() { t.known = before }()
	t.known = before.and(t.factsWhere(cond, holds))
	return t.typeOf(n)
}

// coalesceType returns the type of left ?? right.
func (t *typing) coalesceType(n *ast.BinaryNode) *schema.Schema {
	left, right := t.typeOf(n.Left), t.typeOf(n.Right)
	if left.Type != schema.Any && right.Type != schema.Any && accepts(left, right) {
		return withNullable(left, right.Nullable)
	}
	return withNullable(scalarSchema(n.Type()), right.Nullable)
}

func (t *typing) mapType(n *ast.MapNode) *schema.Schema {
	s := &schema.Schema{Type: schema.Object}
	for _, p := range n.Pairs {
		pair, ok := p.(*ast.PairNode)
		if !ok {
			return &schema.Schema{}
		}
		key, ok := pair.Key.(*ast.StringNode)
		if !ok {
			return &schema.Schema{}
		}
		s.Fields = append(s.Fields, schema.Field{Name: key.Value, Required: true, Schema: t.typeOf(pair.Value)})
	}
	return s
}

// elementType returns the type of the items in a loop over a list.
func (t *typing) elementType(n ast.Node) *schema.Schema {
	if b, ok := n.(*ast.BuiltinNode); ok && len(b.Arguments) > 0 && slices.Contains([]string{"filter", "sort", "sortBy", "reverse", "take"}, b.Name) {
		return t.elementType(b.Arguments[0])
	}
	if s := t.typeOf(n); s.Type == schema.Array && s.Items != nil {
		return s.Items
	}
	return &schema.Schema{}
}

func scalarSchema(t reflect.Type) *schema.Schema {
	if t == nil {
		return &schema.Schema{}
	}
	switch t.Kind() {
	case reflect.String:
		return &schema.Schema{Type: schema.String}
	case reflect.Bool:
		return &schema.Schema{Type: schema.Boolean}
	case reflect.Int, reflect.Int64:
		return &schema.Schema{Type: schema.Integer}
	case reflect.Float64:
		return &schema.Schema{Type: schema.Number}
	case reflect.Slice:
		return &schema.Schema{Type: schema.Array, Items: scalarSchema(t.Elem())}
	}
	return &schema.Schema{}
}
