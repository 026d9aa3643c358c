package plan

import (
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/types"

	"github.com/compactor-mcp/compactor/runtime/schema"
)

// exprType is how a schema looks to expr. Objects become strict maps, so that
// a misspelt field is a compile error and not a nil.
func exprType(s *schema.Schema) types.Type {
	if s == nil {
		return types.Any
	}
	switch s.Type {
	case schema.Object:
		m := types.Map{}
		for _, f := range s.Fields {
			m[f.Name] = exprType(f.Schema)
		}
		if s.Open != nil {
			m[types.Extra] = exprType(s.Open)
		}
		return m
	case schema.Array:
		return types.Array(exprType(s.Items))
	case schema.String:
		return types.String
	case schema.Integer:
		return types.Int
	case schema.Number:
		return types.Float64
	case schema.Boolean:
		return types.Bool
	}
	return types.Any
}

// zero is the value an expression sees for something that is not there: an
// input left out, the value of a stage that was skipped or failed. A typed
// zero keeps every well-typed expression total.
func zero(s *schema.Schema) any {
	if s == nil || s.Nullable {
		return nil
	}
	switch s.Type {
	case schema.Object:
		m := make(map[string]any, len(s.Fields))
		for _, f := range s.Fields {
			m[f.Name] = zero(f.Schema)
		}
		return m
	case schema.Array:
		return []any{}
	case schema.String:
		return ""
	case schema.Integer:
		return 0
	case schema.Number:
		return 0.0
	case schema.Boolean:
		return false
	}
	return nil
}

// schemaOf tells what an expression evaluates to as far as its syntax shows:
// paths into the environment, literals, maps, and the scalar types that the
// checker found. The rest is Any.
func schemaOf(n ast.Node, env *schema.Schema) *schema.Schema {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if f := env.Field(n.Value); f != nil {
			return f.Schema
		}
	case *ast.ChainNode:
		return schemaOf(n.Node, env)
	case *ast.MemberNode:
		return memberSchema(n, env)
	case *ast.SliceNode:
		return schemaOf(n.Node, env)
	case *ast.MapNode:
		return mapSchema(n, env)
	case *ast.ArrayNode:
		if len(n.Nodes) > 0 {
			return &schema.Schema{Type: schema.Array, Items: schemaOf(n.Nodes[0], env)}
		}
		return &schema.Schema{Type: schema.Array, Items: &schema.Schema{}}
	case *ast.ConditionalNode:
		return schemaOf(n.Exp1, env)
	}
	return scalarSchema(n.Type())
}

func memberSchema(n *ast.MemberNode, env *schema.Schema) *schema.Schema {
	of := schemaOf(n.Node, env)
	switch key := n.Property.(type) {
	case *ast.StringNode:
		if f := of.Field(key.Value); f != nil {
			return f.Schema
		}
		if of.Open != nil {
			return of.Open
		}
	default:
		if of.Type == schema.Array && of.Items != nil {
			return of.Items
		}
	}
	return scalarSchema(n.Type())
}

func mapSchema(n *ast.MapNode, env *schema.Schema) *schema.Schema {
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
		s.Fields = append(s.Fields, schema.Field{Name: key.Value, Required: true, Schema: schemaOf(pair.Value, env)})
	}
	return s
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

// accepts reports whether a value of type got may be given where want stands.
// Any on either side is decided at run time.
func accepts(want, got *schema.Schema) bool {
	if want == nil || got == nil || want.Type == schema.Any || got.Type == schema.Any {
		return true
	}
	if want.Type == schema.Number && got.Type == schema.Integer {
		return true
	}
	if want.Type != got.Type {
		return false
	}
	switch want.Type {
	case schema.Array:
		return accepts(want.Items, got.Items)
	case schema.Object:
		return acceptsObject(want, got)
	}
	return true
}

func acceptsObject(want, got *schema.Schema) bool {
	for _, f := range want.Fields {
		g := got.Field(f.Name)
		if g == nil {
			if f.Required && got.Open == nil {
				return false
			}
			continue
		}
		if !accepts(f.Schema, g.Schema) {
			return false
		}
	}
	return true
}
