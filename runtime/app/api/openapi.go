package api

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// m is a JSON object of the description.
type m = map[string]any

// describe returns the OpenAPI description of the API. It is version 3.0, which most
// client generators support.
func (a *api) describe() m {
	d := &describer{schemas: m{}}
	paths := m{}
	asked, noneAsked := a.opt.Source.Asked()
	for _, o := range a.all {
		at, _ := paths[o.path].(m)
		if at == nil {
			at = m{}
			paths[o.path] = at
		}
		if o.id == "ask" && noneAsked == nil {
			takes := *o.takes
			takes.of = asked.Input
			o.takes, o.gives = &takes, toolGives(asked.Output)
		}
		at[strings.ToLower(o.method)] = d.operation(o)
	}
	for _, t := range a.opt.Source.Own() {
		paths["/tools/"+url.PathEscape(t.Name)] = m{"post": d.tool(t)}
	}
	out := m{
		"openapi": "3.0.3",
		"info": m{"title": "compactor: control API", "version": a.opt.Version,
			"description": "How a compactor is, its configuration, the sessions of chat clients, the tools they were listed and used, and its own tools for programs that do not speak MCP. Errors are problems (RFC 9457) with a stable code."},
		"servers": []m{{"url": "/"}},
		"tags": []m{{"name": "state"}, {"name": "configuration"}, {"name": "documents"}, {"name": "sessions"}, {"name": "tools"},
			{"name": "run", "description": "compactor's own tools"}},
		"paths":    paths,
		"security": []m{{"token": []string{}}, {}},
		"components": m{
			"securitySchemes": m{"token": m{"type": "http", "scheme": "bearer", "description": "that of compactor serve --token. Without one, programs of this machine may look and run tools, and nobody may change what stays."}},
			"schemas":         d.schemas,
		},
	}
	return out
}

// describer collects the named schemas.
type describer struct{ schemas m }

func (d *describer) operation(o operation) m {
	out := m{"operationId": o.id, "tags": []string{o.tag}, "summary": o.summary, "responses": d.responses(o)}
	if o.doc != "" {
		out["description"] = o.doc
	}
	if list := d.parameters(o); len(list) > 0 {
		out["parameters"] = list
	}
	if o.changes {
		out["security"] = []m{{"token": []string{}}}
	}
	if o.takes != nil {
		out["requestBody"] = m{"required": true, "description": o.takes.doc, "content": m{o.takes.media: d.content(o.takes.of, o.takes.example)}}
	}
	return out
}

// tool returns the operation that runs one tool of the configuration.
func (d *describer) tool(t OwnTool) m {
	o := operation{id: "run_" + t.Name, tag: "run", summary: "Run " + t.Name, doc: t.Description, status: toolStatus,
		takes: &takes{media: jsonMedia, of: t.Input, doc: "its arguments"}, gives: toolGives(t.Output)}
	if t.Title != "" {
		o.summary = t.Title
	}
	out := d.operation(o)
	out["x-read-only"] = t.ReadOnly
	return out
}

func (d *describer) parameters(o operation) (out []m) {
	for part := range strings.SplitSeq(o.path, "/") {
		if name := strings.Trim(part, "{}"); name != part {
			out = append(out, m{"name": name, "in": "path", "required": true, "schema": m{"type": "string"}})
		}
	}
	for _, p := range o.query {
		s := m{"type": "string"}
		if p.max != 0 {
			s = m{"type": "integer", "default": p.standard, "minimum": p.min, "maximum": p.max}
		}
		out = append(out, m{"name": p.name, "in": "query", "description": p.doc, "schema": s})
	}
	if slices.Contains(o.status, http.StatusPreconditionRequired) {
		out = append(out, m{"name": "If-Match", "in": "header", "description": "the ETag of what is replaced; without it the answer is 428", "schema": m{"type": "string"}})
	}
	return out
}

func (d *describer) responses(o operation) m {
	out := m{}
	for _, g := range o.gives {
		r := m{"description": g.doc, "content": m{g.media: d.content(g.of, g.example)}}
		if g.tagged || o.id == "putConfig" {
			r["headers"] = m{"ETag": m{"description": "of the file that PUT /config replaces", "schema": m{"type": "string"}}}
		}
		if same, _ := out[strconv.Itoa(g.status)].(m); same != nil { // a further media type
			maps.Copy(same["content"].(m), r["content"].(m))
			same["description"] = same["description"].(string) + "; " + g.doc
			continue
		}
		out[strconv.Itoa(g.status)] = r
	}
	list := append([]int{400, 401, 403, 404, 405}, o.status...)
	if o.takes != nil {
		list = append(list, 400, 408, 413, 415, 503)
	}
	problem := m{problemType: m{"schema": d.convertSchema(schemaOf[Problem]())}}
	for _, status := range list {
		at := strconv.Itoa(status)
		if given, _ := out[at].(m); given != nil { // the status has a success response too: describe both
			maps.Copy(given["content"].(m), problem)
			continue
		}
		out[at] = m{"description": fmt.Sprintf("%s: %s", http.StatusText(status), strings.Join(codesOf(status), ", ")), "content": problem}
	}
	return out
}

func (d *describer) content(s *schema.Schema, example any) m {
	out := m{"schema": m{"type": "string"}}
	if s != nil {
		out["schema"] = d.convertSchema(s)
	}
	if example != nil {
		out["example"] = example
	}
	return out
}

// convertSchema converts a schema to OpenAPI 3.0, which has nullable as a separate keyword. Go
// types of this package become components under their names.
func (d *describer) convertSchema(s *schema.Schema) m {
	if s == nil {
		return m{}
	}
	name := ""
	if s.Of != nil && s.Of.PkgPath() == reflect.TypeFor[Problem]().PkgPath() {
		name = strings.TrimSuffix(s.Of.Name(), "JSON")
	}
	if name == "" {
		return d.inlineSchema(s)
	}
	if d.schemas[name] == nil {
		bare := *s
		bare.Nullable, bare.Doc = false, ""
		d.schemas[name] = d.inlineSchema(&bare)
	}
	ref := m{"$ref": "#/components/schemas/" + name}
	if s.Nullable {
		return m{"allOf": []m{ref}, "nullable": true, "description": s.Doc}
	}
	return ref
}

func (d *describer) inlineSchema(s *schema.Schema) m {
	out := m{}
	put := func(name string, v any, is bool) {
		if is {
			out[name] = v
		}
	}
	put("type", s.Type, s.Type != schema.Any)
	put("description", s.Doc, s.Doc != "")
	put("nullable", true, s.Nullable && s.Type != schema.Any)
	put("enum", s.Enum, len(s.Enum) > 0)
	put("default", s.Default, s.Default != nil)
	put("minimum", s.Min, s.Min != nil)
	put("maximum", s.Max, s.Max != nil)
	put("pattern", s.Pattern, s.Pattern != "")
	switch s.Type {
	case schema.Object:
		d.members(s, out)
	case schema.Array:
		out["items"] = d.convertSchema(s.Items)
		put("minItems", s.MinLen, s.MinLen != nil)
		put("maxItems", s.MaxLen, s.MaxLen != nil)
	case schema.String:
		put("minLength", s.MinLen, s.MinLen != nil)
		put("maxLength", s.MaxLen, s.MaxLen != nil)
	}
	return out
}

func (d *describer) members(s *schema.Schema, out m) {
	properties, required := m{}, []string{}
	for _, f := range s.Fields {
		properties[f.Name] = d.convertSchema(f.Schema)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if len(required) > 0 {
		out["required"] = required
	}
	out["additionalProperties"] = false
	if s.Open != nil {
		out["additionalProperties"] = d.convertSchema(s.Open)
	}
}
