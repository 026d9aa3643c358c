package hook

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// listTime bounds the tools_list hook: a client shows nothing at all until its list
// arrives.
const listTime = time.Second

// bytesOfToken is the approximate size of a token in a definition: counting hundreds of
// them exactly takes too long for a list.
const bytesOfToken = 4

// Choose returns the upstream tools that the tools_list hook keeps for a session, in the order of the hook. If the
// hook fails or is late, it is skipped and the whole list returned.
func (r *Runner) Choose(ctx context.Context, w Env, s *session.Session, list []gateway.Listed) []gateway.Listed {
	if w.pipeline(toolsList) == nil || len(list) == 0 {
		return list
	}
	tools := make([]any, len(list))
	byName := make(map[string]gateway.Listed, len(list))
	for i, t := range list {
		byName[t.Name] = t
		tools[i] = asInput(t)
	}
	timed, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	value, err := r.run(timed, w, toolsList, s, map[string]any{"tools": plan.Given{Value: tools}, "selection": w.selectionInput()})
	var names []string
	if err == nil {
		names, err = toolNames(value)
	}
	if err != nil {
		r.emitSkipped(ctx, w, toolsList, s, err)
		return list
	}
	out := []gateway.Listed{}
	for _, n := range names {
		if t, ok := byName[n]; ok {
			out = append(out, t)
			delete(byName, n) // a repeated name counts once
		}
	}
	return out
}

// asInput returns a tool as input of the hook's pipeline.
func asInput(t gateway.Listed) map[string]any {
	out := map[string]any{"name": validUTF8(t.Name), "server": validUTF8(t.Server), "tool": validUTF8(t.Tool), "description": validUTF8(t.Description), "uses": t.Uses,
		"tokens": len(t.Definition) / bytesOfToken}
	if t.Tags != nil {
		tags := make([]any, len(t.Tags))
		for i, tag := range t.Tags {
			tags[i] = validUTF8(tag)
		}
		out["tags"] = tags
	}
	return out
}

// validUTF8 replaces invalid UTF-8, as a JSON encoder does.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

var errNoTools = errors.New("its output is not a list of tools")

// toolNames parses the output of a tools_list hook: a list of names, or of objects with a name.
func toolNames(value any) ([]string, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, errNoTools
	}
	var out []string
	for _, it := range items {
		var name string
		var object struct{ Name string }
		if json.Unmarshal(it, &name) != nil {
			if json.Unmarshal(it, &object) != nil || object.Name == "" {
				return nil, errNoTools
			}
			name = object.Name
		}
		out = append(out, name)
	}
	return out, nil
}
