package schema

import (
	"encoding/json"
	"strings"
)

// Limits of what Line writes out.
const (
	deepest = 3 // nested structs
	widest  = 4 // fields of a nested struct
)

// Line returns the type on one line, in CUE syntax, without docs and bounds:
// {question: string, limit: int | *5, tags?: [...string]}. Large structs within it are {…}.
func (s *Schema) Line() string { return s.line(deepest) }

func (s *Schema) line(depth int) string {
	if s == nil {
		return "_"
	}
	text := s.lineBare(depth)
	if s.Default != nil {
		text += " | *" + jsonText(s.Default)
	}
	if s.Nullable && s.Type != Any {
		text += " | null"
	}
	return text
}

func (s *Schema) lineBare(depth int) string {
	if len(s.Enum) > 0 {
		var all []string
		for _, e := range s.Enum {
			all = append(all, jsonText(e))
		}
		return strings.Join(all, " | ")
	}
	switch s.Type {
	case Object:
		return s.lineObject(depth)
	case Array:
		return "[..." + s.Items.line(max(depth-1, 0)) + "]"
	case Integer:
		return "int"
	case Boolean:
		return "bool"
	case Any:
		return "_"
	}
	return s.Type
}

func (s *Schema) lineObject(depth int) string {
	if depth == 0 && len(s.Fields) > 0 || depth < deepest && len(s.Fields) > widest {
		return "{…}"
	}
	var parts []string
	for _, f := range s.Fields {
		mark := ""
		if !f.Required && f.Schema.Default == nil {
			mark = "?"
		}
		parts = append(parts, f.Name+mark+": "+f.Schema.line(depth-1))
	}
	if s.Open != nil {
		parts = append(parts, "[string]: "+s.Open.line(max(depth-1, 0)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // only for a value that is not JSON
		return "…"
	}
	return string(b)
}
