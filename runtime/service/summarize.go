package service

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/rawjson"
	"github.com/compactor-mcp/compactor/runtime/session"
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

// noteRoom is what a hook keeps of a bound for the line under a summary, which is
// taken off here: nothing is kept that it could lead to.
const noteRoom = 48

// noteBegins is what that line begins with.
const noteBegins = "\n[compactor: "

// Who made a short text of no model: its structure, or nobody, where nothing could
// be made of it.
const (
	byStructure = "structure"
	byNobody    = "none"
)

// Worded is a text as the hook on results makes it short for this configuration,
// with the models that there are; by is who made it. Nothing comes of a text where
// no model is configured, none has said anything of it that holds, or no hook runs:
// then the structure of the text is all there is to go by.
func (s *Service) Worded(ctx context.Context, p Printed) (text, by string, ok bool) {
	snap := s.acquire()
	defer snap.lease.release()
	if !snap.Models.any() {
		return "", "", false
	}
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
		return "", "", false
	}
	out := s.hooks.Result(ctx, snap.world(), gateway.Result{Session: sess, Tool: p.Tool, Args: p.Arguments, Raw: raw, Now: time.Now,
		Summaries: &config.Summaries{Threshold: 1, Limit: p.Most + noteRoom}})
	if out.Summary == nil || out.Summary.By == byNobody || out.Summary.By == byStructure {
		return "", "", false
	}
	blocks, err := rawjson.Items(rawjson.Get(out.Raw, "content"))
	if err != nil || len(blocks) == 0 {
		return "", "", false
	}
	text = rawjson.GetText(blocks[0], "text")
	if i := strings.LastIndex(text, noteBegins); i >= 0 {
		text = text[:i]
	}
	return text, out.Summary.By, strings.TrimSpace(text) != "" && ctx.Err() == nil
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
