package reply

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// fitter converts nodes to values that fit a schema and counts the changes.
type fitter struct {
	changed bool
	dropped int
}

// countDropped counts a value that is left out, except for the one in which the reply ended: Cut reports that.
func (f *fitter) countDropped(m *Mismatch) {
	if !m.Cut {
		f.dropped++
	}
}

// fitObject fits a whole reply. The rung is Stripped or Fitted.
func fitObject(n node, s *schema.Schema) (Reading, error) {
	f := &fitter{}
	v, m := f.fitValue(n, s, nil)
	if m != nil {
		return Reading{}, m
	}
	o, ok := v.(map[string]any)
	if !ok {
		return Reading{}, &Mismatch{Want: "an object", Got: quote(n)}
	}
	got := Reading{Value: o, Rung: Stripped, Dropped: f.dropped}
	if f.changed || f.dropped > 0 {
		got.Rung = Fitted
	}
	return got, nil
}

func (f *fitter) fitValue(n node, s *schema.Schema, p *at) (any, *Mismatch) {
	if n.half && n.isScalar() {
		return nil, &Mismatch{Field: p.String(), Got: "the reply ended inside it", Cut: true}
	}
	if n.kind == null && s.Nullable {
		return nil, nil
	}
	v, m := f.fitTyped(n, s, p)
	if m == nil && len(s.Enum) > 0 {
		return f.fitChoice(v, n, s, p)
	}
	return v, m
}

func (f *fitter) fitTyped(n node, s *schema.Schema, p *at) (any, *Mismatch) {
	switch s.Type {
	case schema.Object:
		return f.fitFields(n, s, p)
	case schema.Array:
		return f.fitList(n, s, p)
	case schema.Any:
		return n.toValue(), nil
	}
	if n.kind == list && len(n.items) == 1 {
		f.changed = true
		return f.fitValue(n.items[0], withoutEnum(s), p)
	}
	switch s.Type {
	case schema.Integer, schema.Number:
		return f.fitNumber(n, s, p)
	case schema.Boolean:
		return f.fitBoolean(n, s, p)
	}
	return f.fitText(n, s, p)
}

// withoutEnum returns a schema without its enumeration, which the caller checks.
func withoutEnum(s *schema.Schema) *schema.Schema {
	if len(s.Enum) == 0 {
		return s
	}
	c := *s
	c.Enum = nil
	return &c
}

func (f *fitter) fitFields(n node, s *schema.Schema, p *at) (any, *Mismatch) {
	n, ok := f.asObject(n, s)
	if !ok {
		return nil, &Mismatch{Field: p.String(), Want: "an object" + keysOf(s), Got: quote(n)}
	}
	if inner, ok := unwrap(n, s); ok {
		f.changed = true
		return f.fitFields(inner, s, p)
	}
	out := make(map[string]any, len(s.Fields))
	failed := map[string]*Mismatch{}
	for i, owner := range fieldOwners(n, s) {
		if owner == repeated {
			continue
		}
		if owner == nil {
			f.addExtra(out, n.keys[i], n.items[i], s, p)
			continue
		}
		f.changed = f.changed || owner.Name != n.keys[i]
		v, m := f.fitValue(n.items[i], owner.Schema, p.field(owner.Name))
		if m != nil {
			failed[owner.Name] = m
			f.countDropped(m)
			continue
		}
		out[owner.Name] = v
	}
	if m := f.addDefaults(out, failed, n.half, s, p); m != nil {
		return nil, m
	}
	return out, nil
}

func keysOf(s *schema.Schema) string {
	if len(s.Fields) == 0 {
		return ""
	}
	return " with " + contract.Shorten(strings.Join(s.Names(), ", "), maxWanted)
}

// addExtra handles a member that is not one of the fields.
func (f *fitter) addExtra(out map[string]any, key string, n node, s *schema.Schema, p *at) {
	if n.half && n.isScalar() { // the reply ended inside it or its key
		return
	}
	if s.Open != nil && s.Field(key) == nil {
		if v, m := f.fitValue(n, s.Open, p.field(key)); m == nil {
			out[key] = v
			return
		}
	}
	f.dropped++
}

// addDefaults fills in defaults and checks that required fields are present. ended means
// that the reply ended inside this object.
func (f *fitter) addDefaults(out map[string]any, failed map[string]*Mismatch, ended bool, s *schema.Schema, p *at) *Mismatch {
	for _, field := range s.Fields {
		if _, ok := out[field.Name]; ok {
			continue
		}
		if d := field.Schema.Default; d != nil {
			inner := fitter{}
			if v, m := inner.fitValue(nodeOf(d, 0), field.Schema, nil); m == nil {
				out[field.Name] = v
				continue
			}
		}
		if !field.Required {
			continue
		}
		if m := failed[field.Name]; m != nil {
			return m
		}
		return &Mismatch{Field: p.field(field.Name).String(), Got: "missing", Cut: ended}
	}
	if len(out) == 0 && len(failed) > 0 {
		for _, field := range s.Fields {
			if m := failed[field.Name]; m != nil {
				return m
			}
		}
	}
	return nil
}

// repeated is the owner of members that are replaced by another one for the same field,
// as in every JSON reader.
var repeated = &schema.Field{}

// fieldOwners returns the field of each member: by name, or else by a name that differs only
// in case, spaces, hyphens or a plural. If several members match one field, it goes to
// the last complete one, preferably with the exact name.
func fieldOwners(n node, s *schema.Schema) []*schema.Field {
	out := make([]*schema.Field, len(n.keys))
	holder := map[string]int{}
	exact := map[string]bool{}
	for i, key := range n.keys {
		field, same := match(key, s)
		if field == nil {
			continue
		}
		old, held := holder[field.Name]
		if held && (exact[field.Name] && !same || n.items[i].half && !n.items[old].half) {
			out[i] = repeated
			continue
		}
		if held {
			out[old] = repeated
		}
		out[i], holder[field.Name], exact[field.Name] = field, i, same
	}
	return out
}

func match(key string, s *schema.Schema) (field *schema.Field, same bool) {
	if f := s.Field(key); f != nil {
		return f, true
	}
	folded := fold(key)
	if folded == "" {
		return nil, false
	}
	for i := range s.Fields {
		if fold(s.Fields[i].Name) == folded {
			return &s.Fields[i], false
		}
	}
	singular := strings.TrimSuffix(folded, "s")
	for i := range s.Fields {
		if strings.TrimSuffix(fold(s.Fields[i].Name), "s") == singular {
			return &s.Fields[i], false
		}
	}
	return nil, false
}

// fold normalizes a name, ignoring differences that models commonly make.
func fold(name string) string {
	if len(name) > look {
		return ""
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case strings.ContainsRune(" -_\"'`*.:", r):
			return -1
		}
		return r
	}, name)
}

// hasKnownField reports whether any member of n has a field in s.
func hasKnownField(n node, s *schema.Schema) bool {
	for _, key := range n.keys {
		if f, _ := match(key, s); f != nil {
			return true
		}
	}
	return false
}

// unwrap takes an object out of one that only wraps it, as in {"response": {…}}.
func unwrap(n node, s *schema.Schema) (node, bool) {
	if len(n.items) != 1 || s.Open != nil || n.items[0].kind != object || hasKnownField(n, s) || !hasKnownField(n.items[0], s) {
		return node{}, false
	}
	return n.items[0], true
}

// asObject takes an object out of its container: a string, or a list of one.
func (f *fitter) asObject(n node, s *schema.Schema) (node, bool) {
	switch {
	case n.kind == text && strings.HasPrefix(strings.TrimSpace(n.text), "{"):
		o, _ := nextObject(n.text, 0)
		f.changed = true
		n = o.value
		if o.deep {
			return n, false
		}
	case n.kind == list && len(n.items) == 1 && n.items[0].kind == object:
		f.changed = true
		n = n.items[0]
	}
	if n.kind != object {
		return n, false
	}
	return n, len(n.keys) == 0 || s.Open != nil || len(s.Fields) == 0 || hasKnownField(n, s) || isWrapper(n, s)
}

func isWrapper(n node, s *schema.Schema) bool {
	_, ok := unwrap(n, s)
	return ok
}
