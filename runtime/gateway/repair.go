package gateway

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/brief"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/judge"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
)

// kindRepaired is the kind of the flags returned by repairSchemas.
const kindRepaired = "repaired"

// repairSchemas returns a definition with schemas that strict clients accept, and flags for what it changed. Such clients
// refuse a whole list, including all other servers' tools, because of one schema of one tool.
func repairSchemas(definition json.RawMessage) (json.RawMessage, []trust.Flag) {
	var flags []trust.Flag
	out := rawjson.Rewrite(definition, func(name string, value json.RawMessage) json.RawMessage {
		if name != "inputSchema" && name != "outputSchema" {
			return value
		}
		r := repairer{whole: value, rebased: bytes.Contains(value, []byte(`"$id"`))}
		value = r.schema(value, name, 0)
		flags = append(flags, r.flags...)
		if name != "outputSchema" || rawjson.Of(value) != rawjson.Object {
			return value
		}
		if err := judge.Sound(value); err != nil {
			flags = append(flags, trust.Flag{Kind: kindRepaired, Where: name, Detail: "left out, it does not compile: " + sanitize.OneLine(err.Error(), maxRepair)})
			return nil
		}
		return value
	})
	return out, flags
}

// Limits of the report on one schema.
const (
	maxRepairs = 20
	maxRepair  = 200 // bytes of one entry
)

type repairer struct {
	whole   json.RawMessage
	rebased bool // references may have a base other than the whole
	flags   []trust.Flag
}

func (r *repairer) flag(at, detail string) {
	if len(r.flags) < maxRepairs {
		r.flags = append(r.flags, trust.Flag{Kind: kindRepaired, Where: sanitize.OneLine(at, maxRepair), Detail: detail})
	}
}

func (r *repairer) schema(raw json.RawMessage, at string, depth int) json.RawMessage {
	if depth > maxRepairDepth || rawjson.Of(raw) != rawjson.Object {
		return raw
	}
	return rawjson.Rewrite(raw, func(name string, value json.RawMessage) json.RawMessage {
		here := at + "." + name
		switch {
		case name == "type":
			return r.types(value, here)
		case name == "$ref":
			return r.reference(value, here)
		case brief.HoldsNamed(name) && rawjson.Of(value) == rawjson.Object:
			return rawjson.Rewrite(value, func(name string, value json.RawMessage) json.RawMessage {
				return r.repairNamed(value, here+"."+name, depth+1)
			})
		case brief.HoldsSchemas(name) && rawjson.Of(value) == rawjson.Array:
			return r.list(value, here, depth+1)
		case brief.HoldsSchemas(name):
			return r.schema(value, here, depth+1)
		}
		return value
	})
}

// maxRepairDepth is far deeper than trust.Clean accepts.
const maxRepairDepth = 256

// repairNamed repairs the schema of a property: a boolean is valid by the standard, but clients that expect objects refuse
// it.
func (r *repairer) repairNamed(value json.RawMessage, at string, depth int) json.RawMessage {
	switch {
	case rawjson.Of(value) == rawjson.Object:
		return r.schema(value, at, depth)
	case string(value) == "false":
		return json.RawMessage(`{"not":{}}`)
	case string(value) != "true":
		r.flag(at, "is not a schema, read as any value")
	}
	return json.RawMessage(`{}`)
}

func (r *repairer) list(value json.RawMessage, at string, depth int) json.RawMessage {
	items, err := rawjson.Items(value)
	if err != nil {
		return value
	}
	same := true
	for i, it := range items {
		items[i] = r.schema(it, at, depth)
		same = same && bytes.Equal(items[i], it)
	}
	if same {
		return value
	}
	return rawjson.List(items)
}

// typeWords maps other languages' names of types to JSON types. Case is ignored.
var typeWords = map[string]string{
	"string": "string", "str": "string", "text": "string", "char": "string",
	"integer": "integer", "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "uint": "integer",
	"number": "number", "float": "number", "float32": "number", "float64": "number", "double": "number", "decimal": "number", "num": "number",
	"boolean": "boolean", "bool": "boolean",
	"array": "array", "list": "array", "tuple": "array",
	"object": "object", "dict": "object", "map": "object", "struct": "object",
	"null": "null", "none": "null", "nil": "null", "nonetype": "null",
}

// types repairs the value of "type"; nil leaves the type open.
func (r *repairer) types(value json.RawMessage, at string) json.RawMessage {
	names, err := rawjson.Items(value)
	if err != nil {
		return r.typeWord(value, at)
	}
	var out []json.RawMessage
	same := true
	for _, name := range names {
		word := r.typeWord(name, at)
		same = same && bytes.Equal(word, name)
		if word != nil && !slices.ContainsFunc(out, func(o json.RawMessage) bool { return bytes.Equal(o, word) }) {
			out = append(out, word)
		}
	}
	switch {
	case same && len(out) == len(names) && len(names) > 0:
		return value
	case len(out) == 0:
		return nil
	}
	return rawjson.List(out)
}

func (r *repairer) typeWord(value json.RawMessage, at string) json.RawMessage {
	text, err := rawjson.Text(value)
	right := typeWords[strings.ToLower(text)]
	switch {
	case err == nil && right == text && text != "":
		return value
	case right != "":
		r.flag(at, sanitize.OneLine(string(value), 40)+" is not a type, read as "+right)
		return rawjson.Quote(right)
	}
	r.flag(at, sanitize.OneLine(string(value), 40)+" is not a type, left out")
	return nil
}

// reference removes a reference that leads nowhere. Its place then accepts any value.
func (r *repairer) reference(value json.RawMessage, at string) json.RawMessage {
	ref, err := rawjson.Text(value)
	if r.rebased || err == nil && brief.Follow(r.whole, ref) != nil {
		return value
	}
	r.flag(at, sanitize.OneLine(string(value), 100)+" leads nowhere, taken as any value")
	return nil
}

// Repaired is a tool whose definition was repaired, and what was wrong.
type Repaired struct {
	Server, Tool string
	Whats        []string
}

// Repairs returns the tools whose definitions are shown differently from what their servers sent, because strict
// clients would refuse the list.
func Repairs(g *Gateway) (out []Repaired) {
	c := g.currentCatalog()
	for _, u := range c.Tools.List {
		r := Repaired{Server: u.Server, Tool: u.Name}
		for _, f := range c.byName[u.Listed].def.Flags {
			if f.Kind == kindRepaired {
				r.Whats = append(r.Whats, f.Where+": "+f.Detail)
			}
		}
		if len(r.Whats) > 0 {
			out = append(out, r)
		}
	}
	return out
}
