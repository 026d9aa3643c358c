package plan

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// compileInputs checks and compiles a stage's inputs. A required input that neither the stage nor
// its role sets is taken from the pipeline's input of the same name.
func (g *graph) compileInputs(s *Stage, src config.Stage, env *schema.Schema, given setting) {
	in := s.inputSchema()
	if in == nil {
		return
	}
	set := map[string]bool{}
	if s.Role != nil {
		for _, name := range slices.Sorted(maps.Keys(s.Role.With)) {
			if _, over := src.With[name]; !over {
				g.compileInput(s, in, name, s.Role.With[name], env, given, []string{"roles", s.Role.Name, "with", name})
				set[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(src.With)) {
		g.compileInput(s, in, name, src.With[name], env, given, g.stagePath(s.Name, "with", name))
		set[name] = true
	}
	for _, f := range in.Fields {
		if f.Required && !set[f.Name] {
			g.inheritInput(s, f, given)
		}
	}
}

// resolveShape determines the output type of a stage whose builtin derives it from the input.
func (g *graph) resolveShape(s *Stage) {
	if s.Kind != BuiltinStage || s.Builtin.Shape == nil {
		return
	}
	given := map[string]catalog.Given{}
	for _, f := range g.lacking[s.Name] { // already reported
		given[f.Name] = catalog.Given{Type: f.Schema}
	}
	for name, p := range s.With {
		given[name] = catalog.Given{Type: p.Type, Literal: p.Literal}
	}
	out, err := s.Builtin.Shape(given)
	if err != nil {
		d := g.at("C112", g.stagePath(s.Name, "with")...)
		d.Message = s.describeTarget() + ": " + err.Error()
		g.report(d)
		return
	}
	s.Out = out
}

// inputSchema returns the schema of the stage's input; nil if it is unknown.
func (s *Stage) inputSchema() *schema.Schema {
	if s.Kind == PipelineStage {
		if s.Pipeline == nil {
			return nil
		}
		return s.Pipeline.Input
	}
	if s.Role != nil {
		return s.Role.In
	}
	return s.Builtin.In
}

func (g *graph) compileInput(s *Stage, in *schema.Schema, name string, v config.Value, env *schema.Schema, given setting, path []string) {
	f := in.Field(name)
	if f == nil && in.Open != nil {
		f = &schema.Field{Name: name, Schema: in.Open}
	}
	if f == nil {
		d := g.atName("C106", path...)
		d.Message = s.describeTarget() + " has no input \"" + name + "\""
		d.Allowed, d.Suggestion = in.Names(), diag.Nearest(name, in.Names())
		g.report(d)
		return
	}
	p := g.valueAt(v, env, f.Schema, given, path, g.stages)
	if p == nil {
		if v.Expr != "" {
			g.lacking[s.Name] = append(g.lacking[s.Name], *f)
		}
		return
	}
	s.With[name] = p
	g.warnAbsent(s, *f, p, path)
}

// warnAbsent warns if a required input of the target may be absent.
func (g *graph) warnAbsent(s *Stage, f schema.Field, p *Program, path []string) {
	if p.Type == nil || !p.Type.Nullable || !f.Required || f.Schema.Nullable || f.Schema.Default != nil || f.Schema.Type == schema.Any {
		return
	}
	d := g.at(codeAbsent, path...)
	d.Severity = diag.Warning
	d.Message = s.describeTarget() + " requires input \"" + f.Name + "\", and " + p.Source + " may be nil"
	d.Help = "write with: " + f.Name + ": \"" + p.Source + " ?? " + standIn(f.Schema) + "\", or require the input, or give it a default"
	g.report(d)
}

func (g *graph) inheritInput(s *Stage, f schema.Field, given setting) {
	if own := g.p.Input.Field(f.Name); own != nil && accepts(f.Schema, own.Schema) {
		p, _ := compileUnder(envInput+"."+f.Name, g.env(s), false, given)
		s.With[f.Name] = p
		g.warnAbsent(s, f, p, g.stagePath(s.Name))
		return
	}
	d := g.at("C109", g.stagePath(s.Name)...)
	d.Message = s.describeTarget() + " needs input \"" + f.Name + "\" (" + describe(f.Schema) + "), which the stage does not set"
	d.Help = "write with: " + f.Name + ": the expression that gives it"
	g.report(d)
}

// valueAt compiles a value and checks it against the wanted type.
func (c *compiler) valueAt(v config.Value, env, want *schema.Schema, given setting, path []string, stages map[string]*Stage) *Program {
	p := literalProgram(v.Literal)
	if v.Expr != "" {
		if p = c.compileAt(v.Expr, env, false, given, path, stages); p == nil {
			return nil
		}
	}
	if v.Expr == "" && !c.literalFits(v.Literal, want, path) {
		return nil
	}
	if !accepts(want, p.Type) {
		d := c.at("C112", path...)
		d.Message = "is " + describe(p.Type) + ", want " + describe(want)
		if v.Expr != "" && want.Type == schema.String {
			d.Help = "a string here is an expression; write \"'text'\" for a text"
		}
		c.report(d)
		return nil
	}
	return p
}

func literalProgram(v any) *Program {
	text, _ := json.Marshal(v)
	return &Program{Source: string(text), Literal: v, Type: literalSchema(v)}
}

func literalSchema(v any) *schema.Schema {
	switch v := v.(type) {
	case string:
		return &schema.Schema{Type: schema.String}
	case bool:
		return &schema.Schema{Type: schema.Boolean}
	case int, int64:
		return &schema.Schema{Type: schema.Integer}
	case float64:
		return &schema.Schema{Type: schema.Number}
	case []any:
		s := &schema.Schema{Type: schema.Array, Items: &schema.Schema{}}
		if len(v) > 0 {
			s.Items = literalSchema(v[0])
		}
		return s
	case map[string]any:
		s := &schema.Schema{Type: schema.Object}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			s.Fields = append(s.Fields, schema.Field{Name: k, Required: true, Schema: literalSchema(v[k])})
		}
		return s
	}
	return &schema.Schema{}
}
