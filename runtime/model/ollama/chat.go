package ollama

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Chat sends the request once. A request with tools is sent without its schema, because with both,
// Ollama's models call nothing.
func (e *Endpoint) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (*model.Reply, error) {
	who, f, err := e.settleModel(ctx)
	if err != nil {
		return nil, err
	}
	ask, err := e.buildRequest(who, f, req)
	if err != nil {
		return nil, err
	}
	r := &reading{who: who, on: on, began: time.Now()}
	call, broke := watchReply(ctx)
	err = e.client.Chat(call, ask, r.addPiece)
	switch {
	case err != nil:
		err = e.withInstalled(ctx, who, e.explainError(ctx, who, err, *broke))
	case r.done:
		err = e.checkEmpty(r)
	default: // the library treats a truncated stream as complete
		err = e.explainCut(ctx, r, *broke)
	}
	if model.Is(err, model.NotFound) {
		e.forget(ctx, who)
	}
	return r.reply(), err
}

// explainCut explains a stream that ended too early.
func (e *Endpoint) explainCut(ctx context.Context, r *reading, broke error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if broke != nil {
		return e.withName(brokenError(broke), r.who)
	}
	return e.withName(model.Error{Kind: model.Broken,
		Message: fmt.Sprintf("the reply broke off after %d characters", r.text.Len()),
		Do:      "Ollama's log says more"}, r.who)
}

// checkEmpty returns the error for a complete reply without content. Thoughts that came to an end count
// as content: some models put the answer there.
func (e *Endpoint) checkEmpty(r *reading) error {
	blank := strings.TrimSpace(r.text.String()) == ""
	thoughts := strings.TrimSpace(r.thoughts.String()) != ""
	switch {
	case !blank, len(r.calls) > 0:
		return nil
	case thoughts && r.finish == "length":
		return e.withName(model.Error{Kind: model.Empty, Message: "thinking took the whole reply",
			Do: "allow it more tokens, or choose a model that does not think"}, r.who)
	case thoughts:
		return nil
	}
	return e.withName(model.Error{Kind: model.Empty, Message: "an empty reply"}, r.who)
}

// forget makes the next request look up the model again.
func (e *Endpoint) forget(ctx context.Context, who string) {
	release, err := e.acquireLock(ctx)
	if err != nil {
		return
	}
	defer release()
	delete(e.known, who)
	if e.chosen == who {
		e.chosen = ""
	}
}

// reading assembles a reply from its pieces.
type reading struct {
	who   string
	on    func(model.Delta)
	began time.Time
	first time.Duration // until the first piece, measured here

	any            bool // a piece has arrived
	model          string
	text, thoughts strings.Builder
	calls          []model.ToolCall
	done           bool
	finish         string
	took           api.Metrics
}

func (r *reading) addPiece(c api.ChatResponse) error {
	if c.Model != "" && !sameModel(c.Model, r.who) {
		return &model.Error{Kind: model.Wrong, Message: fmt.Sprintf("%s was asked and %s answered", r.who, oneLine(c.Model)),
			Do: "look what stands between compactor and Ollama"}
	}
	if !r.any {
		r.any, r.first = true, time.Since(r.began)
	}
	if c.Model != "" {
		r.model = c.Model
	}
	r.text.WriteString(c.Message.Content)
	r.thoughts.WriteString(c.Message.Thinking)
	for _, call := range c.Message.ToolCalls {
		r.addCall(call)
	}
	if c.Done {
		r.done, r.finish, r.took = true, c.DoneReason, c.Metrics
	}
	if r.on != nil && (c.Message.Content != "" || c.Message.Thinking != "") {
		r.on(model.Delta{Text: c.Message.Content, Reasoning: c.Message.Thinking})
	}
	return nil
}

func (r *reading) addCall(c api.ToolCall) {
	id := c.ID
	if id == "" {
		id = fmt.Sprintf("call_%d", len(r.calls)+1)
	}
	r.calls = append(r.calls, model.ToolCall{ID: id, Name: c.Function.Name, Arguments: c.Function.Arguments.String()})
}

// reply returns what has arrived, or nil if nothing has.
func (r *reading) reply() *model.Reply {
	if !r.any {
		return nil
	}
	out := &model.Reply{Model: r.model, Content: r.text.String(), Reasoning: r.thoughts.String(),
		Calls: r.calls, Finish: r.finish, Usage: r.usage()}
	if out.Finish == "stop" && len(r.calls) > 0 {
		out.Finish = "tool_calls"
	}
	return out
}

// usage prefers the server's own measurements, since the clock here would differ in a replay.
func (r *reading) usage() model.Usage {
	u := model.Usage{In: max(r.took.PromptEvalCount, 0), Out: max(r.took.EvalCount, 0),
		First: r.took.LoadDuration + r.took.PromptEvalDuration, Total: r.took.TotalDuration}
	if u.First <= 0 {
		u.First = r.first
	}
	if u.Total <= 0 {
		u.Total = time.Since(r.began)
	}
	return u
}
