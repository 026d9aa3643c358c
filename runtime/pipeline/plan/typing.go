package plan

import (
	"github.com/expr-lang/expr/types"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// exprType converts a schema to a type of expr. Objects become strict maps, so that a
// misspelt field is a compile error rather than nil. With lax, nullable parts become any
// type: expr's code for two strings or two numbers does not accept nil.
func exprType(s *schema.Schema, lax bool) types.Type {
	if s == nil || lax && s.Nullable {
		return types.Any
	}
	switch s.Type {
	case schema.Object:
		m := types.Map{}
		for _, f := range s.Fields {
			if lax && isOptional(f) {
				m[f.Name] = types.Any
				continue
			}
			m[f.Name] = exprType(f.Schema, lax)
		}
		if s.Open != nil && lax {
			m[types.Extra] = types.Any
		} else if s.Open != nil {
			m[types.Extra] = exprType(s.Open, lax)
		}
		return m
	case schema.Array:
		return types.Array(exprType(s.Items, lax))
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

// isOptional reports whether a field may be left out without a default.
func isOptional(f schema.Field) bool { return !f.Required && f.Schema.Default == nil }

// zero returns the value that an expression sees when a required value is missing: the
// value of a stage that was skipped or failed. A typed zero keeps expressions over it
// total; it leaves out optional fields.
func zero(s *schema.Schema) any {
	if s == nil || s.Nullable {
		return nil
	}
	switch s.Type {
	case schema.Object:
		m := make(map[string]any, len(s.Fields))
		for _, f := range s.Fields {
			switch {
			case f.Schema.Default != nil:
				m[f.Name] = defaultOf(f.Schema)
			case f.Required:
				m[f.Name] = zero(f.Schema)
			}
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

// accepts reports whether a value of type got may be used where want is expected. Any on
// either side is decided at run time.
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
