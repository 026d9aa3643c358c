package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// send sends a call to a server, and once more with repaired arguments if the server refused them and the schema says
// what was meant. A call that had started, as its notes and questions show, is never sent twice. It returns the
// arguments that the result answers.
func (c *caller) send(ctx context.Context, t *tool, up *upstream.Server, r upstream.Request, args, sent json.RawMessage) (raw, took json.RawMessage, err error) {
	var begun atomic.Bool
	r.Params, r.Note, r.Ask = callParams(t.Name, args, sent), watchNotes(r.Note, &begun), watchAsks(r.Ask, &begun)
	raw, err = up.Do(ctx, r)
	if begun.Load() || !refusesArguments(t, args, raw, err) {
		return raw, args, err
	}
	mended, ok := c.schemaOf(t).Mend(args)
	if !ok {
		return raw, args, err
	}
	r.Params = callParams(t.Name, mended, sent)
	again, againErr := up.Do(ctx, r)
	if againErr != nil && !isServers(againErr) {
		return again, mended, againErr
	}
	if refusesArguments(t, mended, again, againErr) {
		return raw, args, err // about what was sent, not about our repair
	}
	return again, mended, againErr
}

// mendedKey is the _meta member of a result that names the repaired arguments.
const mendedKey = ownMeta + "mended"

func isServers(err error) bool {
	var rpc *upstream.RPCError
	return errors.As(err, &rpc)
}

func watchNotes(note func(upstream.Note), begun *atomic.Bool) func(upstream.Note) {
	if note == nil {
		return nil
	}
	return func(n upstream.Note) { begun.Store(true); note(n) }
}

func watchAsks(ask asking, begun *atomic.Bool) asking {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		begun.Store(true)
		return ask(ctx, method, params)
	}
}

// refusesArguments reports whether an answer says beyond doubt that a server's validator refused the arguments before
// they reached the tool.
func refusesArguments(t *tool, args, raw json.RawMessage, err error) bool {
	var rpc *upstream.RPCError
	if errors.As(err, &rpc) {
		return rpc.Code == invalidParams
	}
	if err != nil || !failedResult(raw) {
		return false
	}
	var r struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if json.Unmarshal(raw, &r) != nil || len(r.Content) != 1 {
		return false
	}
	text := strings.TrimPrefix(strings.TrimSpace(r.Content[0].Text), "Error: ")
	return hasPrefix(text, "MCP error -32602:", "Input validation error:", "Invalid arguments for "+t.Name, "Invalid arguments for tool "+t.Name) ||
		saysPydantic(t.Name, text) || saysZod(t, text) || saysRequired(t, text) || saysAdditional(args, text)
}

func hasPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// saysPydantic recognizes errors of the model that the Python frameworks derive from a tool's arguments. The tool's own
// models have other names.
func saysPydantic(name, text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	_, model, ok := strings.Cut(line, " validation error")
	model = strings.TrimPrefix(model, "s")
	return ok && (model == " for "+name+"Arguments" || model == " for call["+name+"]")
}

// saysZod recognizes the issue lists of zod errors if they are about arguments that the tool has.
func saysZod(t *tool, text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(text, "ZodError:"))
	var issues []struct {
		Code string `json:"code"`
		Path []any  `json:"path"`
	}
	if !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(text), &issues) != nil || len(issues) == 0 {
		return false
	}
	for _, i := range issues {
		about := len(i.Path) == 0 && i.Code == "unrecognized_keys"
		if len(i.Path) > 0 {
			name, _ := i.Path[0].(string)
			about = i.Code != "" && t.hasParam(name)
		}
		if !about {
			return false
		}
	}
	return true
}

// saysRequired recognizes jsonschema's sentence: 'path' is a required property.
func saysRequired(t *tool, text string) bool {
	name, rest, ok := strings.Cut(strings.TrimPrefix(text, "'"), "'")
	return ok && strings.HasPrefix(rest, " is a required property") && t.hasParam(name)
}

// saysAdditional recognizes jsonschema's other sentence if it is about an argument that was sent: a tool may also
// validate documents by schemas, after it has written one.
func saysAdditional(args json.RawMessage, text string) bool {
	rest, ok := strings.CutPrefix(text, "Additional properties are not allowed ('")
	name, _, ended := strings.Cut(rest, "'")
	members, _ := rawjson.Members(args)
	return ok && ended && slices.ContainsFunc(members, func(m rawjson.Member) bool { return m.Name == name })
}

func (t *tool) hasParam(name string) bool {
	for _, p := range t.def.params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// tellMended adds to a result's _meta which arguments were repaired.
func tellMended(raw, given, took json.RawMessage, m *masker) json.RawMessage {
	names := mendedNames(given, took)
	if len(names) == 0 {
		return raw
	}
	list, _ := rawjson.Marshal(names)
	return withMeta(raw, mendedKey, m.maskValue(list))
}

// tellDoubtful adds to a result's text, which models read, for which arguments a one-element list was made from a text
// that may mean several elements.
func tellDoubtful(raw, given, took json.RawMessage, m *masker) json.RawMessage {
	var names []string
	now := byName(took)
	before, _ := rawjson.Members(given)
	for _, o := range before {
		text, err := rawjson.Text(o.Value)
		if err != nil || !strings.ContainsAny(strings.TrimSpace(text), ",;\n") || rawjson.Of(now[o.Name]) != rawjson.Array {
			continue
		}
		if items, _ := rawjson.Items(now[o.Name]); len(items) == 1 && bytes.Equal(items[0], o.Value) && len(names) < maxDoubtful {
			names = append(names, m.maskText(sanitize.OneLine(o.Name, maxToldName)))
		}
	}
	if len(names) == 0 {
		return raw
	}
	return pages.WithNote(raw, "[compactor: "+strings.Join(names, ", ")+" was sent as a list of one text; for several, give a JSON list]")
}

// Limits of the note on doubtful lists.
const (
	maxDoubtful = 5
	maxToldName = 60 // bytes of an argument's name
)

// mendedNames returns the arguments that differ from what was sent, and removed ones that had no value.
func mendedNames(given, took json.RawMessage) (names []string) {
	old, now := byName(given), byName(took)
	members, _ := rawjson.Members(took)
	for _, m := range members {
		if !bytes.Equal(old[m.Name], m.Value) {
			names = append(names, m.Name)
		}
	}
	before, _ := rawjson.Members(given)
	for _, o := range before {
		text, err := rawjson.Text(o.Value)
		empty := rawjson.Of(o.Value) == rawjson.Null || err == nil && strings.TrimSpace(text) == ""
		if empty && now[o.Name] == nil {
			names = append(names, o.Name)
		}
	}
	return names
}

// byName returns the members of an object by name.
func byName(object json.RawMessage) map[string]json.RawMessage {
	members, _ := rawjson.Members(object)
	out := make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		out[m.Name] = m.Value
	}
	return out
}

// withMeta adds a member to the _meta of a result.
func withMeta(raw json.RawMessage, key string, said json.RawMessage) json.RawMessage {
	meta, err := rawjson.Members(rawjson.Get(raw, "_meta"))
	if err != nil {
		meta = nil
	}
	return replaceMember(raw, "_meta", rawjson.Join(fields(meta).put(key, said)))
}
