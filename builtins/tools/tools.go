// Package tools lets a model find, inspect and run the tools of upstream MCP servers without having
// them all in its context: six builtins over the catalog that runtime/gateway keeps. Three more
// decide which of them are listed to a session: tools.only, tools.predict and tools.settle.
//
// Answers are short on purpose. A signature replaces a schema until the whole schema is requested;
// the reason for each hit is the words that matched.
package tools

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// All returns the builtins over upstream tools. Those that repeat a caller's words apply mask to them.
func All(mask func(string) string) []catalog.Builtin {
	return []catalog.Builtin{Servers(), Search(mask), List(), Show(), Execute(), Fetch(), Only(), Predict(), Settle()}
}

// requireUpstreams returns the gateway, or an error that says how to get one.
func requireUpstreams(env *catalog.Env) (catalog.Upstreams, error) {
	if env.Upstreams == nil {
		return nil, &contract.Error{Name: "ConfigurationError", Code: "CONFIGURATION_ERROR",
			Message: "there are no upstream servers; declare them in servers, or take them over with compactor import"}
	}
	return env.Upstreams, nil
}

// noServer returns the error for an unknown server name.
func noServer(up catalog.Upstreams, name string) error {
	var names []string
	for _, s := range up.Servers() {
		names = append(names, s.Name)
	}
	message := "there is no server " + name + "; there are: " + diag.Some(name, names)
	if near := diag.Nearest(name, names); near != "" {
		message = "there is no server " + name + "; did you mean " + near + "?"
	}
	return &contract.Error{Name: "NotFoundError", Code: "TOOL_NOT_FOUND", Message: message,
		Data: &contract.ErrorData{Details: map[string]any{"servers": names}}}
}

// serverNamed returns a server's name in its own spelling.
func serverNamed(up catalog.Upstreams, name string) (string, bool) {
	for _, s := range up.Servers() {
		if strings.EqualFold(s.Name, name) {
			return s.Name, true
		}
	}
	return "", name == ""
}

// describeTool describes what a tool does in at most limit bytes: the first sentence of its description if
// that fits.
func describeTool(t *catalog.UpstreamTool, limit int) string {
	text := strings.Join(strings.Fields(cmp.Or(t.Description, t.Title)), " ")
	if end := sentenceEnd(text); end > 0 && end <= limit {
		return text[:end]
	}
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	if space := strings.LastIndexByte(text[:cut], ' '); space > limit/2 {
		cut = space
	}
	return text[:cut] + "…"
}

// sentenceEnd returns where the first sentence ends, or 0. A dot inside a word or after a single
// letter does not end it.
func sentenceEnd(text string) int {
	for i := 1; i+1 < len(text); i++ {
		if (text[i] == '.' || text[i] == '!' || text[i] == '?') && text[i+1] == ' ' && i > 20 && text[i-2] != ' ' && text[i-2] != '.' {
			return i
		}
	}
	return 0
}

// pendingNote says which tools are not known yet: of the requested server, or of all.
func pendingNote(pending []string, server string) string {
	if server != "" && slices.Contains(pending, server) {
		pending = []string{server}
	} else if server != "" {
		pending = nil
	}
	if len(pending) == 0 {
		return ""
	}
	return "not known yet: the tools of " + strings.Join(pending, ", ")
}

func joinNotes(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}

// catalogOf returns the catalog and a server's checked name. With wait it includes the tools of
// servers not queried yet, if they answer in time.
func catalogOf(ctx context.Context, env *catalog.Env, server string, wait bool) (up catalog.Upstreams, tools *catalog.UpstreamTools, name string, err error) {
	if up, err = requireUpstreams(env); err != nil {
		return nil, nil, "", err
	}
	name, ok := serverNamed(up, server)
	if !ok {
		return nil, nil, "", noServer(up, server)
	}
	switch {
	case !wait:
		tools = up.Known(ctx)
	case name == "":
		tools = up.Tools(ctx)
	default:
		tools = up.Tools(ctx, name)
	}
	return up, tools, name, checkReached(up, tools, name)
}

// checkReached returns an error if a server's tools are unknown because something is wrong with it:
// whether it has the tool cannot be said.
func checkReached(up catalog.Upstreams, tools *catalog.UpstreamTools, name string) error {
	if !slices.Contains(tools.Pending, name) {
		return nil
	}
	for _, s := range up.Servers() {
		if s.Name == name && s.Problem != "" {
			return &contract.Error{Name: "ConnectionError", Code: "SERVER_CONNECTION_ERROR",
				Message: "server " + name + ": " + s.Problem + "; its user sees more with: compactor servers " + name}
		}
	}
	return nil
}
