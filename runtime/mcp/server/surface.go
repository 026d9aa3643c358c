package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// surface is everything that clients see of a backend at one time. It is built as a whole and never changed, so a list
// and the calls that follow it agree, and a list needs no marshalling.
type surface struct {
	tools     map[string]*tool
	names     []string        // of the listed tools, in order
	parts     map[string]part // of the lists, if sessions may be listed different tools
	lists     [looks]lists    // results of tools/list
	info      json.RawMessage // the server's name and version
	offers    Offers
	protocols *mcpserver.MCPServer
}

// listVariant is how much of our own tools a client is shown.
type listVariant int

// What a listVariant adds to the names, the descriptions and the inputs that models need.
const (
	withOutputs  listVariant = 1 << iota // the schemas of results
	withAdvanced                         // inputs for advanced clients
	looks
	wholeLook = looks - 1
)

// lists are the results of tools/list in both eras.
type lists struct {
	legacy, modern json.RawMessage // modern has what the stateless era requires
}

type tool struct {
	schema     *toolargs.Schema // nil: the backend checks the arguments
	structured bool             // promises structured content
	output     shape            // of its structured content
	headers    mcp.Tool         // for comparing Mcp-Param headers; zero if the schema has no such headers
}

// wireTool is a tool as tools/list returns it.
type wireTool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Annotations wireHints       `json:"annotations"`
}

type wireHints struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    bool   `json:"readOnlyHint"`
	Destructive bool   `json:"destructiveHint"`
	Idempotent  *bool  `json:"idempotentHint,omitempty"`
	OpenWorld   bool   `json:"openWorldHint"`
}

// hintsOf always states three of the four hints, but not whether a read-only tool is idempotent: no client asks its
// user because of that, and it costs everyone tokens.
func hintsOf(t Tool) wireHints {
	a := t.Annotations
	h := wireHints{Title: t.Title, ReadOnly: a.ReadOnly, Destructive: a.Destructive, OpenWorld: a.OpenWorld}
	if !a.ReadOnly {
		h.Idempotent = &a.Idempotent
	}
	return h
}

var toolName = lazyregexp.New(`^[A-Za-z0-9_.-]{1,128}$`)

// newSurface queries the backend once. An invalid tool is an error: the old surface is better than half a new one.
func newSurface(ctx context.Context, b Backend, opt Options) (*surface, error) {
	s := &surface{tools: map[string]*tool{}}
	if b.Chooses() {
		s.parts = map[string]part{}
	}
	s.offers = b.Offers()
	s.protocols = newLibraryServer(b, s.offers, opt)
	var listed [looks][]json.RawMessage
	for _, t := range b.Tools(ctx) {
		if err := t.checkName(); err != nil {
			return nil, err
		}
		if s.tools[t.Name] != nil {
			return nil, fmt.Errorf("tool %s: there are two of this name", t.Name)
		}
		compiled, wire, err := newTool(t)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		s.tools[t.Name] = compiled
		if s.parts != nil {
			s.parts[t.Name] = newPart(wire)
		}
		if !t.Hidden {
			s.names = append(s.names, t.Name)
			for l := range listed {
				listed[l] = append(listed[l], wire[l])
			}
		}
	}
	return s, s.marshalAll(listed, opt)
}

// newTool returns a tool and its definition in each listVariant.
func newTool(t Tool) (out *tool, wire [looks]json.RawMessage, err error) {
	if len(t.Raw) > 0 {
		raw, whole, err := newRawTool(t)
		for l := range wire {
			wire[l] = whole
		}
		return raw, wire, err
	}
	if len(t.Input) == 0 {
		t.Input = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	}
	schema, err := toolargs.Compile(t.Input)
	if err != nil {
		return nil, wire, err
	}
	if len(t.Output) > 0 && (rawjson.Check(t.Output) != nil || rawjson.Of(t.Output) != rawjson.Object) {
		return nil, wire, fmt.Errorf("output schema: not a JSON object")
	}
	if len(t.Plain) > 0 && (rawjson.Check(t.Plain) != nil || rawjson.Of(t.Plain) != rawjson.Object) {
		return nil, wire, fmt.Errorf("plain input schema: not a JSON object")
	}
	out = &tool{schema: schema, structured: len(t.Output) > 0}
	if t.Unchecked {
		out.schema = nil
	}
	if err := out.setHeaders(t.Name, t.Input); err != nil {
		return nil, wire, err
	}
	for l := range wire {
		if wire[l], err = t.wireForm(listVariant(l)); err != nil {
			return nil, wire, err
		}
	}
	return out, wire, nil
}

// wireForm returns the tool's definition in a listVariant.
func (t Tool) wireForm(l listVariant) (json.RawMessage, error) {
	w := wireTool{Name: t.Name, Title: t.Title, Description: t.Description, Input: t.Input, Annotations: hintsOf(t)}
	if l&withAdvanced == 0 && len(t.Plain) > 0 {
		w.Input = t.Plain
	}
	if l&withOutputs != 0 {
		w.Output = t.Output
	}
	return rawjson.Marshal(w)
}

// setHeaders records that parts of the arguments are repeated in headers, if the schema requires it.
func (t *tool) setHeaders(name string, input json.RawMessage) error {
	if !bytes.Contains(input, []byte(`"x-mcp-header"`)) {
		return nil
	}
	headers := mcp.Tool{Name: name, RawInputSchema: input}
	if err := mcp.ValidateParamHeaderAnnotations(&headers); err != nil {
		return fmt.Errorf("input schema: %w", err)
	}
	t.headers = headers
	return nil
}

func (s *surface) marshalAll(listed [looks][]json.RawMessage, opt Options) (err error) {
	if s.info, err = rawjson.Marshal(mcp.Implementation{Name: opt.Name, Title: opt.Title, Version: opt.Version}); err != nil {
		return err
	}
	for l := range listed {
		if s.lists[l], err = s.marshalLists(listed[l], opt); err != nil {
			return err
		}
	}
	return nil
}

func (s *surface) marshalLists(listed []json.RawMessage, opt Options) (l lists, err error) {
	if listed == nil {
		listed = []json.RawMessage{}
	}
	older := make([]json.RawMessage, len(listed))
	for i, raw := range listed {
		older[i] = forHandshake(raw)
	}
	if l.legacy, err = s.marshalList(older, false, opt); err != nil {
		return l, err
	}
	l.modern, err = s.marshalList(listed, true, opt)
	return l, err
}

// marshalList returns the result of tools/list for one era, with the tools in the form of that era.
func (s *surface) marshalList(listed []json.RawMessage, modern bool, opt Options) (json.RawMessage, error) {
	if !modern {
		return rawjson.Marshal(map[string]any{"tools": listed})
	}
	return rawjson.Marshal(map[string]any{
		"tools": listed, "resultType": mcp.ResultTypeComplete, "ttlMs": opt.ListTTL.Milliseconds(),
		"cacheScope": mcp.CacheScopePrivate, "_meta": map[string]any{mcp.MetaKeyServerInfo: s.info},
	})
}

// newLibraryServer returns the library's server, which answers everything that is not about tools (handshake,
// discovery, ping, log level, unknown methods). It has no tools or anything else; it is only told to announce them.
func newLibraryServer(b Backend, offers Offers, opt Options) *mcpserver.MCPServer {
	options := []mcpserver.ServerOption{
		mcpserver.WithTitle(opt.Title),
		mcpserver.WithInstructions(b.Instructions()),
		mcpserver.WithToolCapabilities(true),
		mcpserver.WithLogging(),
		mcpserver.WithCacheHints(opt.ListTTL.Milliseconds(), mcp.CacheScopePrivate),
	}
	if offers.Resources {
		options = append(options, mcpserver.WithResourceCapabilities(offers.ResourceSubscribe, true))
	}
	if offers.Prompts {
		options = append(options, mcpserver.WithPromptCapabilities(true))
	}
	if offers.Completions {
		options = append(options, mcpserver.WithCompletions())
	}
	return mcpserver.NewMCPServer(opt.Name, opt.Version, options...)
}

// listResult returns the result of tools/list for one era and listVariant.
func (s *surface) listResult(modern bool, l listVariant) json.RawMessage {
	if modern {
		return s.lists[l].modern
	}
	return s.lists[l].legacy
}
