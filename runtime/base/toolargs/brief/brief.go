package brief

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Limits of one type, and of the work for it.
const (
	longest   = 90      // bytes
	maxOne    = 40      // of one value
	maxValues = 6       // of an enumeration
	maxOthers = 5       // alternatives
	deepest   = 3       // objects within objects
	maxRead   = 4 << 20 // bytes of schemas read for one tool, counting each as often as it is read
)

// Type describes what the schema accepts. whole is the document that its references are in.
func Type(whole, schema json.RawMessage) string { return newWriter(whole).shortType(schema) }

// shortType opens objects as far as there is room, only names their members if there is less, and else leaves them closed.
func (w *writer) shortType(schema json.RawMessage) string {
	for depth := deepest; depth > 0; depth-- {
		if text := w.typeText(schema, depth); len(text) <= longest {
			return text
		}
	}
	w.bare = true
	defer func() { w.bare = false }()
	for depth := 1; depth >= 0; depth-- {
		if text := w.typeText(schema, depth); len(text) <= longest {
			return text
		}
	}
	return "object"
}

type writer struct {
	whole   json.RawMessage
	targets map[string]json.RawMessage // of references
	path    []string                   // references that are currently being followed
	read    int
	bare    bool // write only the names of an object's members
}

func newWriter(whole json.RawMessage) *writer {
	return &writer{whole: whole, targets: map[string]json.RawMessage{}}
}

// readMembers returns the members of a schema, or an error once too much was read.
func (w *writer) readMembers(schema json.RawMessage) (fields, error) {
	if w.read += len(schema); w.read > maxRead {
		return nil, rawjson.ErrSyntax
	}
	return rawjson.Members(schema)
}

// resolveTarget returns the schema that a reference leads to.
func (w *writer) resolveTarget(ref string) json.RawMessage {
	t, ok := w.targets[ref]
	if !ok && ref != "" && w.read <= maxRead {
		w.read += len(w.whole)
		t = Follow(w.whole, ref)
		w.targets[ref] = t
	}
	return t
}

// typeText writes one schema, with objects opened down to depth.
func (w *writer) typeText(schema json.RawMessage, depth int) string {
	f, err := w.readMembers(schema)
	if err != nil { // including true and false
		return "any"
	}
	if ref := f.text("$ref"); ref != "" {
		return w.writeReference(ref, depth)
	}
	text := w.writeOne(f, depth)
	if string(f.get("nullable")) == "true" {
		text = joinTypes([]string{text, "null"})
	}
	return text
}

func (w *writer) writeOne(f fields, depth int) string {
	if c := f.get("const"); c != nil {
		return valueText(c)
	}
	if values, err := rawjson.Items(f.get("enum")); err == nil && len(values) > 0 {
		return enumText(values)
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if alts, err := rawjson.Items(f.get(word)); err == nil && len(alts) > 0 && !isPartial(f, alts) {
			return w.writeAlternatives(alts, depth)
		}
	}
	if parts, err := rawjson.Items(f.get("allOf")); err == nil && len(parts) > 0 {
		return w.writeParts(f, parts, depth)
	}
	var types []string
	for _, t := range typesOf(f) {
		types = append(types, w.writeKind(t, f, depth))
	}
	return joinTypes(types)
}

// isPartial reports whether the alternatives only say which members an object requires.
func isPartial(f fields, alts []json.RawMessage) bool {
	return f.get("properties") != nil && !slices.ContainsFunc(alts, func(a json.RawMessage) bool {
		members, err := rawjson.Members(a)
		return err != nil || slices.ContainsFunc(members, func(m rawjson.Member) bool { return m.Name != "required" })
	})
}

// typesOf returns the types, or the one that the rest of the schema implies.
func typesOf(f fields) []string {
	var types []string
	if one := f.text("type"); one != "" {
		return []string{one}
	}
	if json.Unmarshal(f.get("type"), &types) == nil && len(types) > 0 {
		return types
	}
	switch {
	case f.get("properties") != nil:
		return []string{"object"}
	case f.get("items") != nil || f.get("prefixItems") != nil:
		return []string{"array"}
	}
	return []string{"any"}
}

func (w *writer) writeKind(typ string, f fields, depth int) string {
	switch typ {
	case "object":
		return w.writeObject(f, depth)
	case "array":
		return w.writeList(f, depth)
	}
	return clipWord(typ)
}

func (w *writer) writeList(f fields, depth int) string {
	first, err := rawjson.Items(f.get("prefixItems"))
	if err != nil || f.get("prefixItems") == nil {
		first, err = rawjson.Items(f.get("items"))
	}
	if err == nil && len(first) > 0 && f.get("items") == nil || rawjson.Of(f.get("items")) == rawjson.Array {
		var out []string
		for _, it := range first {
			out = append(out, w.typeText(it, depth))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	item := "any"
	if rawjson.Of(f.get("items")) == rawjson.Object {
		item = w.typeText(f.get("items"), depth)
	}
	if strings.Contains(item, "|") && !strings.HasPrefix(item, "{") || strings.Contains(item, "} | ") {
		item = "(" + item + ")"
	}
	return item + "[]"
}

func (w *writer) writeObject(f fields, depth int) string {
	props, err := rawjson.Members(f.get("properties"))
	if err != nil || len(props) == 0 {
		if more := f.get("additionalProperties"); rawjson.Of(more) == rawjson.Object && depth > 0 {
			if item := w.typeText(more, depth-1); item != "any" {
				return "{[name]: " + item + "}"
			}
		}
		return "object"
	}
	if depth == 0 {
		return "object"
	}
	required := requiredOf(f)
	var out []string
	for _, wanted := range []bool{true, false} {
		for _, p := range props {
			if needed := slices.Contains(required, p.Name) && !w.hasDefault(p.Value); needed == wanted {
				out = append(out, w.writeMember(p, needed, depth))
			}
		}
	}
	if w.bare && len(out) > maxValues {
		out = append(out[:maxValues], "…")
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (w *writer) writeMember(p rawjson.Member, needed bool, depth int) string {
	text := clipWord(p.Name) + optionalMark(needed)
	if w.bare {
		return text
	}
	return text + ": " + w.typeText(p.Value, depth-1)
}

func optionalMark(needed bool) string {
	if needed {
		return ""
	}
	return "?"
}

func requiredOf(f fields) (names []string) {
	_ = json.Unmarshal(f.get("required"), &names)
	return names
}

// hasDefault reports whether a schema, or the one it refers to, has a default.
func (w *writer) hasDefault(schema json.RawMessage) bool {
	for range 4 {
		f, err := w.readMembers(schema)
		if err != nil {
			return false
		}
		if f.get("default") != nil {
			return true
		}
		if schema = w.resolveTarget(f.text("$ref")); schema == nil {
			return false
		}
	}
	return false
}

// writeReference writes what a reference means, or its name if that is an object which cannot be opened here.
func (w *writer) writeReference(ref string, depth int) string {
	target := w.resolveTarget(ref)
	if target == nil {
		return "any"
	}
	text := "object"
	if !slices.Contains(w.path, ref) {
		w.path = append(w.path, ref)
		text = w.typeText(target, depth)
		w.path = w.path[:len(w.path)-1]
	}
	if text == "object" {
		return definitionName(ref)
	}
	return text
}

// definitionName returns the name of a definition if it is readable, else "object".
func definitionName(ref string) string {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	if !strings.Contains(ref, "/$defs/") && !strings.Contains(ref, "/definitions/") || name == "" || len(name) > maxOne ||
		strings.ContainsFunc(name, func(r rune) bool { return r != '_' && (r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a') }) {
		return "object"
	}
	return name
}
