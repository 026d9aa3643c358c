package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/brief"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// listing is what a server offered when it was last asked.
type listing struct {
	Fetched      time.Time
	Name         string // as the server calls itself
	About        string // its own description: used by the search, never shown verbatim
	Tools        []definition
	Refused      []refusal // tools that cannot be offered
	Capabilities json.RawMessage
	silent       time.Time        // see upstream.About
	edition      upstream.Edition // zero if it is from an earlier run
}

// definition is one tool as the server defined it.
type definition struct {
	Name  string
	Raw   json.RawMessage // as it came, without its secrets: this is recorded
	Clean json.RawMessage // without invisible characters, with schemas that clients accept
	Hash  string          // of the definition as it came: this is pinned
	Flags []trust.Flag

	earlier string // its hash as pinned by earlier versions

	masked bool // it held a secret
	tool   wireTool
	params []catalog.UpstreamParam
}

// refusal is a tool that cannot be offered, and the reason.
type refusal struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// wireTool is the part of a definition that we read.
type wireTool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema"`
	Hints       wireHints       `json:"annotations"`
}

type wireHints struct {
	Title       string `json:"title"`
	ReadOnly    *bool  `json:"readOnlyHint"`
	Destructive *bool  `json:"destructiveHint"`
	Idempotent  *bool  `json:"idempotentHint"`
	OpenWorld   *bool  `json:"openWorldHint"`
}

// describeHints describes the hints for a model. It returns "" if the server gives none, because the protocol's defaults would
// make every tool destructive.
func (h wireHints) describeHints() string {
	switch {
	case h.ReadOnly != nil && *h.ReadOnly:
		return "read-only"
	case h.Destructive != nil && *h.Destructive:
		return "destructive"
	}
	return ""
}

// offered is a definition as a server sent it, with the part that may be shown.
type offered struct {
	raw, shown json.RawMessage
	hash       string // of a definition that an earlier run has seen whole; "" for that of raw
}

// define reads one definition.
func define(o offered) (definition, *refusal) {
	d := definition{Raw: o.shown, Hash: o.hash, masked: o.hash != "" || !bytes.Equal(o.raw, o.shown)}
	name := rawjson.GetText(o.raw, "name")
	if err := trust.Name(name); err != nil {
		return d, &refusal{name, err.Error()}
	}
	if rawjson.GetText(o.shown, "name") != name { // a part of it could pass if the name is written with other letters
		return d, &refusal{name, "its name holds what is masked as a secret: rename it in the server"}
	}
	hash, err := trust.Hash(o.raw)
	if err != nil {
		return d, &refusal{name, err.Error()}
	}
	d.Hash, d.earlier = cmp.Or(d.Hash, hash), trust.Earlier(o.raw)
	if d.Clean, d.Flags, err = trust.Clean(d.Raw); err != nil {
		return d, &refusal{name, err.Error()}
	}
	var repairs []trust.Flag
	d.Clean, repairs = repairSchemas(d.Clean)
	d.Flags = append(d.Flags, repairs...)
	if err := json.Unmarshal(d.Clean, &d.tool); err != nil {
		return d, &refusal{name, "its definition is not one of a tool: " + err.Error()}
	}
	if rawjson.Of(d.tool.Input) != rawjson.Object {
		return d, &refusal{name, "it has no input schema"}
	}
	d.Name, d.params = name, params(d.tool.Input)
	return d, nil
}

// readDefinitions parses definitions into the listing. Of two tools with one name the first counts.
func (l *listing) readDefinitions(all []offered) {
	seen := map[string]bool{}
	for _, o := range all {
		d, refused := define(o)
		switch {
		case refused != nil:
			l.Refused = append(l.Refused, *refused)
		case seen[d.Name]:
			l.Refused = append(l.Refused, refusal{d.Name, "the server lists it twice"})
		default:
			seen[d.Name] = true
			l.Tools = append(l.Tools, d)
		}
	}
}

// params reads the parameters of a tool for search and signatures.
func params(schema json.RawMessage) []catalog.UpstreamParam {
	found := brief.Params(schema)
	out := make([]catalog.UpstreamParam, len(found))
	for i, f := range found {
		out[i] = param(f.Schema)
		out[i].Name, out[i].Type, out[i].Required = f.Name, f.Type, f.Required
	}
	return out
}

// param reads the fields used by the search.
func param(schema json.RawMessage) (p catalog.UpstreamParam) {
	var s struct {
		Description string            `json:"description"`
		Enum        []json.RawMessage `json:"enum"`
		Items       struct {
			Enum []json.RawMessage `json:"enum"`
		} `json:"items"`
	}
	_ = json.Unmarshal(schema, &s) // fields that do not fit stay empty
	p.Description = s.Description
	for _, e := range append(s.Enum, s.Items.Enum...) {
		text, err := rawjson.Text(e)
		if err != nil {
			text = string(e)
		}
		p.Enum = append(p.Enum, text)
	}
	return p
}
