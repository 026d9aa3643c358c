package tools

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ExecuteIn is a call as a model wrote it: see readCall for the accepted forms.
type ExecuteIn struct {
	Call json.RawMessage `json:"call" doc:"tool, server and arguments, in any form that models write"`
}

// Execute returns tools.execute, which runs one upstream tool.
func Execute() catalog.Builtin {
	return catalog.New("tools.execute", "Run one upstream tool and give its result as it is", catalog.Upstream|catalog.Execute,
		func(ctx context.Context, env *catalog.Env, in ExecuteIn) (contract.ToolResult, error) {
			up, err := requireUpstreams(env)
			if err != nil {
				return contract.ToolResult{}, err
			}
			c := readCall(in.Call)
			env.Progress(catalog.Progress{Message: "calls " + c.tool})
			res, err := up.Execute(ctx, c.tool, c.server, c.args)
			if err != nil {
				return contract.ToolResult{}, err
			}
			return *res, nil
		})
}

// call is a parsed call.
type call struct {
	tool, server string
	args         json.RawMessage
}

// The names that models use for the parts of a call.
var (
	toolKeys   = []string{"tool", "tool_name", "toolName", "name", "function"}
	serverKeys = []string{"server", "server_name", "serverName"}
	argsKeys   = []string{"arguments", "args", "input", "parameters", "params", "tool_args", "tool_input"}
)

// readCall parses a call: flat or nested one or two levels deep, with the arguments as an object,
// as a string that contains one, or next to the tool's name.
func readCall(raw json.RawMessage) call {
	var c call
	for range 3 {
		m := objectOf(raw)
		if m == nil {
			break
		}
		tool, inner := takeFirst(m, toolKeys)
		if s, _ := takeFirst(m, serverKeys); s != "" {
			c.server = s
		}
		args, given := takeRaw(m, argsKeys)
		if tool == "" && inner != nil { // {"tool": {"name": …, "arguments": …}}
			raw = inner
			continue
		}
		if tool == "" && c.tool == "" && given && len(m) == 0 { // {"arguments": {"tool_name": …}}
			raw = args
			continue
		}
		if tool != "" {
			c.tool = tool
		}
		c.args = args
		if !given && len(m) > 0 { // the arguments are next to the name
			c.args, _ = json.Marshal(m)
		}
		break
	}
	if text := textOf(c.args); text != "" {
		c.args = json.RawMessage(text)
	}
	return c
}

// objectOf parses an object, or a string that contains one.
func objectOf(raw json.RawMessage) map[string]json.RawMessage {
	if text := textOf(raw); text != "" {
		raw = json.RawMessage(text)
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// takeFirst removes the first present key: it returns its string, or its object without removing it.
func takeFirst(m map[string]json.RawMessage, keys []string) (text string, inner json.RawMessage) {
	for _, k := range keys {
		raw, ok := m[k]
		if !ok {
			continue
		}
		if json.Unmarshal(raw, &text) == nil && text != "" {
			delete(m, k)
			return strings.TrimSpace(text), nil
		}
		if objectOf(raw) != nil {
			return "", raw
		}
	}
	return "", nil
}

func takeRaw(m map[string]json.RawMessage, keys []string) (json.RawMessage, bool) {
	for _, k := range keys {
		if raw, ok := m[k]; ok {
			delete(m, k)
			return raw, true
		}
	}
	return nil, false
}

// textOf returns the content of a JSON string that contains an object; else "".
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	if s = strings.TrimSpace(s); strings.HasPrefix(s, "{") {
		return s
	}
	return ""
}
