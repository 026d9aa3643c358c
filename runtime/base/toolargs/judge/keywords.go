package judge

import (
	"maps"
	"math"
	"slices"
)

var types = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

// values takes over the keywords on the value itself. A type that there is not leaves the type open.
func (r *rewriter) values(in, out object) {
	var kinds []any
	switch t := in["type"].(type) {
	case string:
		kinds = []any{t}
	case []any:
		kinds = t
	}
	if len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k any) bool { return !isType(k) }) {
		out["type"] = slices.Compact(slices.SortedFunc(slices.Values(kinds), func(a, b any) int {
			return slices.Index(types, a.(string)) - slices.Index(types, b.(string))
		}))
	}
	if list, ok := in["enum"].([]any); ok && len(list) > 0 && r.spend(len(list)) {
		if slices.Contains(kinds, any("null")) { // whoever names the type means the value
			list = append(slices.Clone(list), nil)
		}
		out["enum"] = list
	}
	if c, ok := in["const"]; ok {
		out["const"] = c
	}
}

func isType(k any) bool {
	s, ok := k.(string)
	return ok && slices.Contains(types, s)
}

// limits takes over bounds that are numbers, and counts that can be ones.
func limits(in, out object) {
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if f, ok := in[k].(float64); ok {
			out[k] = f
		}
	}
	for _, k := range []string{"minLength", "maxLength", "minItems", "maxItems"} {
		if f, ok := in[k].(float64); ok && f >= 0 && f == math.Trunc(f) && f < 1<<31 {
			out[k] = f
		}
	}
}

// members takes over what is said of an object's members, but that there are no others.
func (r *rewriter) members(in, out object, filled *defaults, depth int) {
	var wanted []any
	if list, ok := in["required"].([]any); ok {
		for _, v := range list {
			if name, ok := v.(string); ok && !filled.has(name) && !slices.Contains(wanted, v) {
				wanted = append(wanted, v)
			}
		}
	}
	if len(wanted) > 0 && r.spend(len(wanted)) { // before what the members are, which may take all there is
		out["required"] = wanted
	}
	if props, ok := in["properties"].(object); ok {
		to := object{}
		for _, name := range slices.Sorted(maps.Keys(props)) { // the same schema is cut at the same place each time
			to[name] = r.schema(props[name], nil, depth+1)
		}
		out["properties"] = to
	}
	if others, ok := in["additionalProperties"].(object); ok && in["patternProperties"] == nil {
		if _, ok := out["properties"]; !ok {
			out["properties"] = object{}
		}
		out["additionalProperties"] = r.schema(others, nil, depth+1)
	}
}

// items takes over what is said of a list's items, in the words of today.
func (r *rewriter) items(in, out object, depth int) {
	first, _ := in["prefixItems"].([]any)
	switch v := in["items"].(type) {
	case object:
		out["items"] = r.schema(v, nil, depth+1)
	case []any:
		first = v
	}
	if len(first) > 0 {
		to := make([]any, len(first))
		for i, v := range first {
			to[i] = r.schema(v, nil, depth+1)
		}
		out["prefixItems"] = to
	}
}

// several takes over parts and alternatives. Exactly one is read as any: with members that may be there unsaid, two fit
// where one was meant.
func (r *rewriter) several(in, out object, filled *defaults, depth int) {
	var all []any
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, ok := in[word].([]any)
		if !ok || len(list) == 0 {
			continue
		}
		to := make([]any, len(list))
		for i, v := range list {
			to[i] = r.schema(v, filled, depth+1)
		}
		if word == "allOf" {
			all = to
		} else {
			all = append(all, object{"anyOf": to})
		}
	}
	if len(all) > 0 {
		out["allOf"] = all
	}
}

// hasDefault looks at a member's schema and at what it refers to.
func (r *rewriter) hasDefault(v any) bool {
	for range 4 {
		p, ok := v.(object)
		if !ok {
			return false
		}
		if _, has := p["default"]; has {
			return true
		}
		ref, _ := p["$ref"].(string)
		if v, ok = r.target(ref); !ok {
			return false
		}
	}
	return false
}
