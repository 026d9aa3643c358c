package reply

import (
	"fmt"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// keeps checks a value against a schema with none of the code that made it.
func keeps(v any, s *schema.Schema) error {
	if v == nil {
		if s.Nullable || s.Type == schema.Any {
			return nil
		}
		return fmt.Errorf("null for %q", s.Type)
	}
	switch v := v.(type) {
	case map[string]any:
		return keepsObject(v, s)
	case []any:
		if s.Type != schema.Array || outside(len(v), s) {
			return fmt.Errorf("list of %d for %q", len(v), s.Type)
		}
		for _, item := range v {
			if err := keeps(item, s.Items); err != nil {
				return err
			}
		}
		return nil
	case string:
		if s.Type != schema.String || outside(utf8.RuneCountInString(v), s) {
			return fmt.Errorf("%q for %q", v, s.Type)
		}
	case bool:
		if s.Type != schema.Boolean {
			return fmt.Errorf("%v for %q", v, s.Type)
		}
	case int:
		if s.Type != schema.Integer || s.Min != nil && float64(v) < *s.Min || s.Max != nil && float64(v) > *s.Max {
			return fmt.Errorf("%v for %q", v, s.Type)
		}
	case float64:
		if s.Type != schema.Number || s.Min != nil && v < *s.Min || s.Max != nil && v > *s.Max {
			return fmt.Errorf("%v for %q", v, s.Type)
		}
	default:
		return fmt.Errorf("a %T", v)
	}
	if len(s.Enum) == 0 {
		return nil
	}
	for _, e := range s.Enum {
		if e == v {
			return nil
		}
	}
	return fmt.Errorf("%v is not in %v", v, s.Enum)
}

func outside(n int, s *schema.Schema) bool {
	return s.MinLen != nil && n < *s.MinLen || s.MaxLen != nil && n > *s.MaxLen
}

func keepsObject(v map[string]any, s *schema.Schema) error {
	if s.Type != schema.Object {
		return fmt.Errorf("object for %q", s.Type)
	}
	for _, f := range s.Fields {
		inner, ok := v[f.Name]
		if !ok && f.Required {
			return fmt.Errorf("no %s", f.Name)
		}
		if ok {
			if err := keeps(inner, f.Schema); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	for name := range v {
		if s.Field(name) == nil {
			return fmt.Errorf("%s is no field", name)
		}
	}
	return nil
}
