package plan

import (
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Unanswered is the error code of a role that has neither a model nor a fallback.
const Unanswered = "ROLE_UNANSWERED"

// Fallback replaces the model. Without Builtin, Value and Code it is the result of the
// role's grounding builtin.
type Fallback struct {
	Builtin catalog.Builtin     // without a name if there is none
	With    map[string]*Program // inputs of Builtin, computed from the role's input
	Value   *Program            // computed from the role's input
	Code    string              // of an error
	Message string
}

// resolveFallback resolves the role's answer without a model.
func (c *compiler) resolveFallback(r *Role) {
	f, path := r.Role.Fallback, []string{"roles", r.Name, "fallback"}
	r.Fallback = Fallback{}
	switch {
	case f == nil && r.Ground.Name != "":
	case f == nil:
		r.Fallback.Code, r.Fallback.Message = Unanswered, "role "+r.Name+" has no model that answers; set models."+r.Model+", or give the role a fallback"
	case f.Error != "":
		r.Fallback.Code, r.Fallback.Message = f.Error, f.Message
		if f.Message == "" {
			r.Fallback.Message = "role " + r.Name + " has no model that answers"
		}
	case f.Builtin != "":
		c.fallbackBuiltin(r, f, path)
	default:
		c.fallbackValue(r, f, append(path, "value"))
	}
}

func (c *compiler) fallbackValue(r *Role, f *config.Fallback, path []string) {
	p := c.roleValue(r, f.Value, &schema.Schema{}, path...)
	if p == nil || !c.literalFits(f.Value.Literal, r.Out, path) {
		return
	}
	if differs := describeMismatch(r.Out, p.Type); differs != "" {
		d := c.at("C142", path...)
		d.Message = "does not fit what the role returns, " + describe(r.Out) + ": " + differs
		c.report(d)
		return
	}
	c.looksComputed(f.Value.Literal, r.envSchema(), path)
	r.Fallback.Value = p
}

func (c *compiler) fallbackBuiltin(r *Role, f *config.Fallback, path []string) {
	at := append(path[:len(path):len(path)], "builtin")
	var able []string
	for _, n := range c.cat.Names() {
		if b, _ := c.cat.Get(n); b.Out != nil && b.Out.Type != schema.Any && describeMismatch(r.Out, b.Out) == "" {
			able = append(able, n)
		}
	}
	b, ok := c.cat.Get(f.Builtin)
	if !ok {
		if len(able) == 0 {
			able = c.cat.Names()
		}
		c.reportUnknown("C102", "builtin", f.Builtin, able, at...)
		return
	}
	if differs := describeMismatch(r.Out, b.Out); differs != "" {
		d := c.at("C142", at...)
		d.Message = "what builtin " + b.Name + " gives does not fit what the role returns, " + describe(r.Out) + ": " + differs
		d.Allowed = able
		if len(able) == 0 {
			d.Help = "no builtin returns that; write value or error"
		}
		c.report(d)
		return
	}
	c.checkPermitted(r, b, "fallback", "builtin")
	r.Fallback.Builtin = b
	c.fallbackInputs(r, f, b, path)
}

// fallbackInputs compiles the inputs of the builtin: those given in with, otherwise the
// role's input of the same name.
func (c *compiler) fallbackInputs(r *Role, f *config.Fallback, b catalog.Builtin, path []string) {
	r.Fallback.With = map[string]*Program{}
	for _, name := range slices.Sorted(maps.Keys(f.With)) {
		at := append(path[:len(path):len(path)], "with", name)
		field := b.In.Field(name)
		if field == nil {
			d := c.atName("C106", at...)
			d.Message = "builtin " + b.Name + " has no input \"" + name + "\""
			d.Allowed, d.Suggestion = b.In.Names(), diag.Nearest(name, b.In.Names())
			c.report(d)
			continue
		}
		if p := c.roleValue(r, f.With[name], field.Schema, at...); p != nil {
			r.Fallback.With[name] = p
		}
	}
	for _, field := range b.In.Fields {
		own := r.In.Field(field.Name)
		_, set := f.With[field.Name]
		switch {
		case set:
		case own != nil && accepts(field.Schema, own.Schema):
			r.Fallback.With[field.Name], _ = compileExpr(envInput+"."+field.Name, r.envSchema(), false)
		case field.Required && field.Schema.Default == nil:
			d := c.at("C109", append(path[:len(path):len(path)], "builtin")...)
			d.Message = "builtin " + b.Name + " needs input \"" + field.Name + "\" (" + describe(field.Schema) + "), which the fallback does not set"
			d.Help = "write with: " + field.Name + ": the expression that gives it"
			c.report(d)
		}
	}
}
