package plan

import "github.com/compactor-mcp/compactor/runtime/base/schema"

// describeMismatch describes where a value of type got does not match the closed type want, such as
// "findings is a string, not a list of strings". It returns "" if it matches, or if that
// is only known at run time.
func describeMismatch(want, got *schema.Schema) string {
	path, text := findDifference(want, got)
	switch {
	case text == "":
		return ""
	case path == "":
		return "it " + text
	}
	return path + " " + text
}

func findDifference(want, got *schema.Schema) (path, text string) {
	if want == nil || got == nil || want.Type == schema.Any || got.Type == schema.Any {
		return "", ""
	}
	switch {
	case want.Type == schema.Number && got.Type == schema.Integer:
		return "", ""
	case want.Type != got.Type:
		return "", "is " + describe(got) + ", not " + describe(want)
	case got.Nullable && !want.Nullable:
		return "", "may be null"
	case want.Type == schema.Array:
		if path, text = findDifference(want.Items, got.Items); text != "" {
			return "[]" + path, text
		}
	case want.Type == schema.Object:
		return differObject(want, got)
	}
	return "", ""
}

func differObject(want, got *schema.Schema) (path, text string) {
	for _, f := range got.Fields {
		if want.Field(f.Name) == nil && want.Open == nil {
			return "", "has \"" + f.Name + "\" too"
		}
	}
	for _, f := range want.Fields {
		g := got.Field(f.Name)
		switch {
		case g == nil && f.Required && got.Open == nil:
			return "", "has no \"" + f.Name + "\""
		case g == nil:
			continue
		case f.Required && isOptional(*g):
			return f.Name, "may be nothing"
		}
		if path, text := findDifference(f.Schema, g.Schema); text != "" {
			if path != "" && path[0] != '[' {
				path = "." + path
			}
			return f.Name + path, text
		}
	}
	return "", ""
}
