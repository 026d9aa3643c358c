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
	if s.Form != structForm && len(b.problems) == 0 {
		b.addProblem(v, "is not a struct; a tool takes and gives named fields")
	}
	return b.toSchema(s), b.problems
}

var schemaTypes = map[form]string{
	structForm: schema.Object, listForm: schema.Array, stringForm: schema.String, integerForm: schema.Integer,
	numberForm: schema.Number, boolForm: schema.Boolean, durationForm: schema.String, anyForm: schema.Any,
}

func (b *schemaBuilder) toSchema(s *shape) *schema.Schema {
	typ, ok := schemaTypes[s.Form]
	if !ok {
		b.addLateProblem(s, "is a "+formNames[s.Form]+" of the configuration itself, not a type for clients")
	}
	out := &schema.Schema{
		Type: typ, Doc: s.Doc, Enum: s.Enum, MinLen: s.MinLen, MaxLen: s.MaxLen, Nullable: s.Nullable, Pattern: s.Pattern,
		Min: b.inclusiveLimit(s, s.Min, 1), Max: b.inclusiveLimit(s, s.Max, -1),
	}
	if s.Preset != nil {
		out.Default = s.Preset.plain()
	}
	switch s.Form {
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
	b.problems = append(b.problems, shapeProblem{s.At, s.Path, text})
}

// reportUntyped reports a value without a type, once, unless a worse problem was reported for it.
func (b *schemaBuilder) reportUntyped(s *shape) {
	for _, p := range b.problems {
		if p.at.Pos() == s.At.Pos() {
			return
		}
	}
	b.addLateProblem(s, "has no type; write string, int, number, bool, a list or a struct")
}

func (b *schemaBuilder) itemsSchema(s *shape) *schema.Schema {
	if s.Items == nil {
		b.addLateProblem(s, "is a list of anything; write the type of its elements, such as [...string]")
		return &schema.Schema{}
	}
	return b.toSchema(s.Items)
}

func (b *schemaBuilder) addProperties(out *schema.Schema, s *shape) {
	for _, f := range s.Fields {
		field := schema.Field{Name: f.Name, Schema: b.toSchema(f.Shape)}
		field.Required = !f.Optional && (f.Required || field.Schema.Default == nil)
		out.Fields = append(out.Fields, field)
	}
	if s.Rest != nil && s.Rest.At.Exists() { // a mere ... does not open a schema: clients send what is listed
		out.Open = &schema.Schema{} // [string]: _ accepts anything
		if s.Rest.Form != anyForm {
			out.Open = b.toSchema(s.Rest)
		}
	}
}

// inclusiveLimit returns an inclusive bound. An exclusive bound can be converted only for integers.
func (b *schemaBuilder) inclusiveLimit(s *shape, end *bound, step float64) *float64 {
	if end == nil {
		return nil
	}
	value := end.Value
	if s.Form == integerForm {
		if end.Open && value == math.Trunc(value) {
			value += step
		}
		return &value
	}
	if end.Open {
		b.addLateProblem(s, "has a bound that excludes its value; use >= and <=")
	}
	return &value
}
