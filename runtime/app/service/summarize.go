package service

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/hook"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// Printed is the masked output of a tool and the conversation in which it ran. All
// fields but Text may be empty.
type Printed struct {
	Text      string
	Tool      string
	Arguments json.RawMessage // of the call
	Task      string          // the user's words
	Most      int             // tokens of a summary

	calls []session.Call // made before this one
}

// After adds an earlier call, whose result had the given number of tokens.
func (p *Printed) After(tool string, arguments json.RawMessage, tokens int) {
	p.calls = append(p.calls, session.Call{Tool: tool, Arguments: arguments, Outcome: "ok", Tokens: tokens})
}

// noteBegins is the beginning of the line under a summary.
const noteBegins = "\n[compactor: "

// byNobody is the author of a text that could not be shortened.
const byNobody = "none"

// Worded is a text that a hook has shortened.
type Worded struct {
	Text string
	Said string // the part written by a model; "" if the pipeline does not report it
	By   string // "structure" if nothing that a model said was usable
}

// Word shortens a text with the tool_result hook of this configuration and the available models. ok is false without
// a model or hook, or if the hook cannot shorten the text.
func (s *Service) Word(ctx context.Context, p Printed) (w Worded, ok bool) {
	snap := s.acquire()
	defer snap.lease.release()
	if !snap.Models.hasModel() {
		return Worded{}, false
	}
	return s.shortenText(ctx, snap, p, p.Most+hook.NoteTokens)
}

// Served shortens a text in the way the result of an upstream tool is: even without a
// model, and with the line under it counted in the limit. The line itself is removed,
// because the original that it would refer to is not kept.
func (s *Service) Served(ctx context.Context, p Printed) (w Worded, ok bool) {
	snap := s.acquire()
	defer snap.lease.release()
	return s.shortenText(ctx, snap, p, p.Most)
}

// shortenText runs the tool_result hook on a text. limit bounds the summary and the line under it, in tokens.
func (s *Service) shortenText(ctx context.Context, snap *Snapshot, p Printed, limit int) (w Worded, ok bool) {
	sess := session.New(session.Who{})
	for _, c := range p.calls {
		sess.Add(c)
	}
	if p.Task != "" {
		sess.RecordQuestion(p.Task, json.RawMessage(`{"references":[]}`), nil)
	}
	if len(p.Arguments) == 0 || rawjson.Of(p.Arguments) != rawjson.Object {
		p.Arguments = json.RawMessage("{}")
	}
	raw, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": p.Text}}})
	if err != nil {
		return Worded{}, false
	}
	out := s.hooks.Result(ctx, snap.hookEnv(), gateway.Result{Session: sess, Tool: p.Tool, Args: p.Arguments, Raw: raw, Now: time.Now,
		Summaries: &config.Summaries{Threshold: 1, Limit: limit}})
	if out.Summary == nil || out.Summary.By == byNobody {
		return Worded{}, false
	}
	blocks, err := rawjson.Items(rawjson.Get(out.Raw, "content"))
	if err != nil || len(blocks) == 0 {
		return Worded{}, false
	}
	w = Worded{Text: rawjson.GetText(blocks[0], "text"), Said: out.Summary.Said, By: out.Summary.By}
	if i := strings.LastIndex(w.Text, noteBegins); i >= 0 {
		w.Text = w.Text[:i]
	}
	return w, strings.TrimSpace(w.Text) != "" && ctx.Err() == nil
}

// hasModel reports whether there is a model to ask.
func (m *Models) hasModel() bool {
	if m == nil {
		return false
	}
	for _, c := range m.chains {
		if len(c.Limiters) > 0 {
			return true
		}
	}
	return false
}
