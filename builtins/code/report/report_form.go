package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// form is the form of a section with its name and defaults.
type form struct {
	Form
	name string
}

// formsOf returns the forms of the given outcomes, with defaults applied, ordered by place and
// name.
func formsOf[T any](written map[string]Form, given map[string]T) []form {
	var out []form
	for name := range given {
		f := form{written[name], name}
		f.Place, f.Worth = cmp.Or(f.Place, 100), cmp.Or(f.Worth, 5)
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b form) int { return cmp.Or(a.Place-b.Place, cmp.Compare(a.name, b.name)) })
	return out
}

// reportShape returns the type of a report for these inputs: a member for each section, and the
// order in which they are cut.
func reportShape(in map[string]catalog.Given) (*schema.Schema, error) {
	var written map[string]Form
	if g, ok := in["sections"]; ok && g.Literal == nil {
		return nil, errors.New("sections: write them out; what they are is known before anything runs")
	}
	raw, err := json.Marshal(in["sections"].Literal)
	if err == nil {
		err = json.Unmarshal(raw, &written)
	}
	if err != nil {
		return nil, fmt.Errorf("sections: %w", err)
	}
	input, given := schema.MustFromType(reflect.TypeFor[ReportInput]()), map[string]*schema.Schema{}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		switch {
		case input.Field(name) != nil:
		case slices.Contains(reportMembers, name):
			return nil, fmt.Errorf("%s: a report has a member of its own of that name; call the section something else", name)
		default:
			given[name] = in[name].Type
		}
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if given[name] == nil {
			return nil, fmt.Errorf("sections: there is no input %s, whose section this is; give it the outcome of a stage", name)
		}
	}
	own := schema.MustFromType(reflect.TypeFor[Report]())
	out := *own
	out.Fields = nil
	forms := formsOf(written, given)
	for _, f := range own.Fields {
		if f.Name == afterSections {
			for _, sec := range forms {
				out.Fields = append(out.Fields, sec.field(given[sec.name]))
			}
		}
		out.Fields = append(out.Fields, f)
	}
	out.Trim = trimOf(forms, given)
	return &out, nil
}

// field returns the report member for a section whose stage has outcomes of this type.
func (f form) field(stage *schema.Schema) schema.Field {
	s := schema.MustFromType(reflect.TypeFor[contract.Outcome[struct{}]]())
	s.Doc = f.Doc
	for i := range s.Fields {
		if own := &s.Fields[i]; own.Name == "value" {
			v := *sectionType(stage)
			v.Doc, v.Nullable = own.Schema.Doc, false
			own.Schema = &v
		}
	}
	return schema.Field{Name: f.name, Required: f.Always, Schema: s}
}

var resultType = reflect.TypeFor[contract.Result]()

// sectionType returns the type of a section's value: the type of the stage's value, or of the
// merged runs of a fan-out.
func sectionType(stage *schema.Schema) *schema.Schema {
	v := memberOf(stage, "value")
	if v.Type != schema.Array || v.Items.Field("status") == nil {
		return v
	}
	if one := memberOf(v.Items, "value"); one.Of != resultType {
		return &schema.Schema{Type: schema.Array, Items: one}
	}
	return schema.MustFromType(resultType)
}

// memberOf returns the type of a member, or any type if it is unknown.
func memberOf(s *schema.Schema, name string) *schema.Schema {
	if f := s.Field(name); f != nil && f.Schema != nil {
		return f.Schema
	}
	return &schema.Schema{}
}
