package config

import (
	"math"

	"cuelang.org/go/cue"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// typeSchema converts a CUE type of a tool or pipeline to the flat schema that clients see.
func typeSchema(v cue.Value) (*schema.Schema, []shapeProblem) {
	b := &schemaBuilder{}
	s := b.readShape(v)
	if s.form != structForm && len(b.problems) == 0 {
		b.addProblem(v, "is not a struct; a tool takes and gives named fields")
	}
	return b.toSchema(s), b.problems
}

var schemaTypes = map[form]string{
	structForm: schema.Object, listForm: schema.Array, stringForm: schema.String, integerForm: schema.Integer,
	numberForm: schema.Number, boolForm: schema.Boolean, durationForm: schema.String, anyForm: schema.Any,
}

func (b *schemaBuilder) toSchema(s *shape) *schema.Schema {
	typ, ok := schemaTypes[s.form]
	if !ok {
		b.addLateProblem(s, "is a "+formNames[s.form]+" of the configuration itself, not a type for clients")
	}
	out := &schema.Schema{
		Type: typ, Doc: s.doc, Enum: s.enum, MinLen: s.minLen, MaxLen: s.maxLen, Nullable: s.nullable,
		Min: b.inclusiveLimit(s, s.min, 1), Max: b.inclusiveLimit(s, s.max, -1),
	}
	if s.pattern != nil {
		out.Pattern = s.pattern.String()
	}
	if s.preset != nil {
		out.Default = s.preset.plain()
	}
	switch s.form {
	case anyForm:
		b.reportUntyped(s)
	case listForm:
		out.Items = b.itemsSchema(s)
	case structForm:
		b.addProperties(out, s)
	}
	return out
}

// addLateProblem reports a problem that is only found once the whole shape is known.
func (b *schemaBuilder) addLateProblem(s *shape, text string) {
	b.problems = append(b.problems, shapeProblem{s.at, s.path, text})
}

// reportUntyped reports a value without a type, once, unless a worse problem was reported for it.
func (b *schemaBuilder) reportUntyped(s *shape) {
	for _, p := range b.problems {
		if p.at.Pos() == s.at.Pos() {
			return
		}
	}
	b.addLateProblem(s, "has no type; write string, int, number, bool, a list or a struct")
}

func (b *schemaBuilder) itemsSchema(s *shape) *schema.Schema {
	if s.items == nil {
		b.addLateProblem(s, "is a list of anything; write the type of its elements, such as [...string]")
		return &schema.Schema{}
	}
	return b.toSchema(s.items)
}

func (b *schemaBuilder) addProperties(out *schema.Schema, s *shape) {
	for _, f := range s.fields {
		field := schema.Field{Name: f.name, Schema: b.toSchema(f.shape)}
		field.Required = !f.optional && (f.required || field.Schema.Default == nil)
		out.Fields = append(out.Fields, field)
	}
	if s.rest != nil && s.rest.at.Exists() { // a mere ... does not open a schema: clients send what is listed
		out.Open = &schema.Schema{} // [string]: _ accepts anything
		if s.rest.form != anyForm {
			out.Open = b.toSchema(s.rest)
		}
	}
}

// inclusiveLimit returns an inclusive bound. An exclusive bound can be converted only for integers.
func (b *schemaBuilder) inclusiveLimit(s *shape, end *bound, step float64) *float64 {
	if end == nil {
		return nil
	}
	value := end.value
	if s.form == integerForm {
		if end.open && value == math.Trunc(value) {
			value += step
		}
		return &value
	}
	if end.open {
		b.addLateProblem(s, "has a bound that excludes its value; use >= and <=")
	}
	return &value
}
