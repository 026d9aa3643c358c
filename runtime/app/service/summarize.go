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

// Printed is a masked text that a tool printed, and the conversation that it was
// run in. All but the text may be empty.
type Printed struct {
	Text      string
	Tool      string
	Arguments json.RawMessage // of the call
	Task      string          // the user's words
	Most      int             // tokens of a summary

	calls []session.Call // before this one
}

// After adds a call that was made before, with so many tokens of result.
func (p *Printed) After(tool string, arguments json.RawMessage, tokens int) {
	p.calls = append(p.calls, session.Call{Tool: tool, Arguments: arguments, Outcome: "ok", Tokens: tokens})
}

// noteBegins is what the line under a summary begins with.
const noteBegins = "\n[compactor: "

// byNobody is who made a short text where nothing could be made of it.
const byNobody = "none"

// Worded is a text as a hook has made it short.
type Worded struct {
	Text string
	Said string // what of it a model said; "" where the pipeline does not tell
	By   string // "structure" where no model has said anything of it that holds
}

// Word makes a text short by the hook on results for this configuration, with the
// models that there are. Nothing comes of a text where no model is configured, no hook
// runs, or one can make nothing of it.
func (s *Service) Word(ctx context.Context, p Printed) (w Worded, ok bool) {
	snap := s.acquire()
	defer snap.lease.release()
	if !snap.Models.any() {
		return Worded{}, false
	}
	return s.short(ctx, snap, p, p.Most+hook.NoteTokens)
}

// Served makes a text short as the result of an upstream tool is: whether or not there
// is a model, and the line under it has its room in the bound. The line itself is left
// out, for nothing is kept that it could lead to.
func (s *Service) Served(ctx context.Context, p Printed) (w Worded, ok bool) {
	snap := s.acquire()
	defer snap.lease.release()
	return s.short(ctx, snap, p, p.Most)
}

// short runs the hook on results on a text, with a bound for its summary and the line under it.
func (s *Service) short(ctx context.Context, snap *Snapshot, p Printed, limit int) (w Worded, ok bool) {
	sess := session.New(session.Who{})
	for _, c := range p.calls {
		sess.Add(c)
	}
	if p.Task != "" {
		sess.Ask(p.Task, json.RawMessage(`{"references":[]}`), nil)
	}
	if len(p.Arguments) == 0 || rawjson.Of(p.Arguments) != rawjson.Object {
		p.Arguments = json.RawMessage("{}")
	}
	raw, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": p.Text}}})
	if err != nil {
		return Worded{}, false
	}
	out := s.hooks.Result(ctx, snap.world(), gateway.Result{Session: sess, Tool: p.Tool, Args: p.Arguments, Raw: raw, Now: time.Now,
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

// any reports whether there is a model to ask.
func (m *Models) any() bool {
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
