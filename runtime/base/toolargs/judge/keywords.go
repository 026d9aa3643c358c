package judge

import (
	"maps"
	"math"
	"slices"
)

var types = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

// copyValues copies the keywords about the value itself. An unknown type leaves the type open.
func (r *rewriter) copyValues(in, out object) {
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
		if slices.Contains(kinds, any("null")) { // a schema that names the type means the value
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

// copyLimits copies bounds that are numbers, and counts that are valid ones.
func copyLimits(in, out object) {
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

// copyMembers copies what a schema says about an object's members, except that there are no others.
func (r *rewriter) copyMembers(in, out object, filled *defaults, depth int) {
	var wanted []any
	if list, ok := in["required"].([]any); ok {
		for _, v := range list {
			if name, ok := v.(string); ok && !filled.has(name) && !slices.Contains(wanted, v) {
				wanted = append(wanted, v)
			}
		}
	}
	if len(wanted) > 0 && r.spend(len(wanted)) { // before the members' schemas, which may use up the limit
		out["required"] = wanted
	}
	if props, ok := in["properties"].(object); ok {
		to := object{}
		for _, name := range slices.Sorted(maps.Keys(props)) { // so that a schema is always cut at the same place
			to[name] = r.rewriteOne(props[name], nil, depth+1)
		}
		out["properties"] = to
	}
	if others, ok := in["additionalProperties"].(object); ok && in["patternProperties"] == nil {
		if _, ok := out["properties"]; !ok {
			out["properties"] = object{}
		}
		out["additionalProperties"] = r.rewriteOne(others, nil, depth+1)
	}
}

// copyItems copies what a schema says about a list's items, in the current vocabulary.
func (r *rewriter) copyItems(in, out object, depth int) {
	first, _ := in["prefixItems"].([]any)
	switch v := in["items"].(type) {
	case object:
		out["items"] = r.rewriteOne(v, nil, depth+1)
	case []any:
		first = v
	}
	if len(first) > 0 {
		to := make([]any, len(first))
		for i, v := range first {
			to[i] = r.rewriteOne(v, nil, depth+1)
		}
		out["prefixItems"] = to
	}
}

// copyCombined copies parts and alternatives. oneOf is treated as anyOf: since undeclared members are
// allowed, two may fit where one was meant.
func (r *rewriter) copyCombined(in, out object, filled *defaults, depth int) {
	var all []any
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, ok := in[word].([]any)
		if !ok || len(list) == 0 {
			continue
		}
		to := make([]any, len(list))
		for i, v := range list {
			to[i] = r.rewriteOne(v, filled, depth+1)
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

// hasDefault reports whether a member's schema, or the one it refers to, has a default.
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
		if v, ok = r.resolveTarget(ref); !ok {
			return false
		}
	}
	return false
}
