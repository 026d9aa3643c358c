package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// roleRun holds what one run of a role needs to talk to models.
type roleRun struct {
	Runner
	role     *plan.Role
	env      *catalog.Env
	extra    *catalog.Env // for reading on behalf of the model only: a part of what is left, so that enough remains for the rest
	chain    *model.Chain
	input    map[string]any
	question string

	unexplored string           // why the model could not look around; "" if it did or need not
	shown      string           // the candidates' text as last shown to the model
	parts      []string         // shown, split by candidate
	candidates []task.Candidate // the candidates in shown
}

// prompt builds the user part of a request in at most room tokens, and the schema that the reply must have.
type prompt func(room int) (text string, shape *schema.Schema)

// Below these numbers of tokens nothing useful can be asked or said.
const (
	promptLeast = 160
	replyLeast  = 60
)

// ask sends a prompt of at most in tokens to the role's model, or to its fallbacks, and
// returns a reply of at most out tokens in the wanted form. The role's token budget overrides
// both. The text of any error can be shown; ask never takes longer than the context.
func (t *roleRun) ask(ctx context.Context, build prompt, in, out int) (value map[string]any, err error) {
	if left, limited := t.env.Ledger.TokensInLeft(); limited { // a budget overrides our own defaults
		in = promptShare(left)
	}
	out = t.replyMost(out)
	err = t.chain.Try(ctx, func(g *model.Limiter) error {
		var err error
		value, err = t.askOne(ctx, g, build, in, out)
		return err
	})
	return value, err
}

// promptShare returns how many of the tokens left a prompt may have: the rest is for a question that may follow.
func promptShare(left int) int { return left * 2 / 3 }

// replyMost returns how many tokens a reply may have: the role's limit, or else out, and
// no more than the stage and its pipeline allow.
func (t *roleRun) replyMost(out int) int {
	out = cmp.Or(t.role.Budget.TokensOut, out)
	if limit := t.env.Ledger.Limits().TokensOut; limit > 0 {
		out = min(out, limit)
	}
	return out
}

func (t *roleRun) askOne(ctx context.Context, g *model.Limiter, build prompt, in, out int) (map[string]any, error) {
	info, err := g.Info(ctx)
	if err != nil {
		return nil, err
	}
	window := g.Window(info)
	room, out, err := t.fitTokens(ctx, g, window, in, out)
	if err != nil {
		return nil, err
	}
	req, shape, err := t.buildRequest(g, build, window, room, out)
	if err != nil {
		return nil, err
	}
	value, text, err := t.exchange(ctx, g, req, shape)
	switch {
	case model.Is(err, model.Overflow): // its tokenizer counts more than our estimate
		if req, shape, err = t.buildRequest(g, build, window, room/2, out); err == nil {
			value, _, err = t.exchange(ctx, g, req, shape)
		}
	case isMismatch(err) && ctx.Err() == nil:
		value, _, err = t.exchange(ctx, g, retryRequest(g, req, t.mask(text), err, window), shape)
	}
	return value, err
}

// fitTokens returns how many tokens a prompt and its reply may have, given the window, the
// remaining time and the model's speed so far.
func (t *roleRun) fitTokens(ctx context.Context, g *model.Limiter, window, in, out int) (room, reply int, err error) {
	out = min(out, window/4)
	room = min(window-out, in)
	if room < promptLeast {
		return 0, 0, tooSmall(g, room)
	}
	if out < replyLeast {
		return 0, 0, &model.Error{Kind: model.Overflow, Model: g.Name, Do: "load it with a larger context, or raise the role's budget.tokens_out",
			Message: fmt.Sprintf("the %d tokens that a reply may have are too few", out)}
	}
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline).Seconds()
		pace := t.pace(g)
		if pace.Out > 0 {
			out = min(out, int(left*0.6*pace.Out))
		}
		if pace.In > 0 {
			write := left * 0.3 // used if its writing speed is unknown
			if pace.Out > 0 {
				write = float64(out) / pace.Out
			}
			room = min(room, int((left-write)*pace.In))
		}
		if out < replyLeast || room < promptLeast {
			return 0, 0, &model.Error{Kind: model.TooSlow, Model: g.Name,
				Message: fmt.Sprintf("reads %.0f and writes %.0f tokens a second, too slow for the %.0f s left", pace.In, pace.Out, left)}
		}
	}
	return room, out, nil
}

// pace returns how fast the model was before. In a deterministic run it reports nothing,
// because the pace must not influence the result.
func (t *roleRun) pace(g *model.Limiter) model.Pace {
	if t.env.Deterministic {
		return model.Pace{}
	}
	return g.Pace()
}

// buildRequest builds a prompt that fits room tokens together with its surroundings, and
// leaves room for the reply in the window.
func (t *roleRun) buildRequest(g *model.Limiter, build prompt, window, room, out int) (model.Request, *schema.Schema, error) {
	for part := room; part >= promptLeast/2; part = part * 3 / 4 {
		text, shape := build(part)
		req := model.Request{MaxTokens: out, Schema: &model.Schema{Name: t.role.Name, JSON: shape.JSON()}, Messages: []model.Message{
			{Role: model.System, Content: t.mask(t.systemPrompt() + "\n" + t.role.Task.Rules)}, {Role: model.User, Content: t.mask(text)}}}
		if n := g.Estimate(req); n <= room && n+out <= window {
			return req, shape, nil
		}
	}
	return model.Request{}, nil, tooSmall(g, room)
}

func tooSmall(g *model.Limiter, room int) error {
	return &model.Error{Kind: model.Overflow, Model: g.Name, Do: "load it with a larger context, or raise the role's budget.tokens_in",
		Message: fmt.Sprintf("the %d tokens that a prompt may have are too few", room)}
}

// retryRequest returns a request to answer once more, quoting only the mistake.
func retryRequest(g *model.Limiter, req model.Request, text string, err error, window int) model.Request {
	const quoted = 300
	said := text[:min(len(text), quoted)]
	more := req
	more.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)],
		model.Message{Role: model.Assistant, Content: sanitize.Neutral(strings.ToValidUTF8(said, ""))},
		model.Message{Role: model.User, Content: "That does not have the form: " + sanitize.Neutral(err.Error()) + ". Answer again with the JSON object only."})
	if g.Estimate(more)+more.MaxTokens > window {
		return req
	}
	return more
}

// exchange sends one request and reads the reply. If the reply does not have the right
// form, its text is returned too.
func (t *roleRun) exchange(ctx context.Context, g *model.Limiter, req model.Request, shape *schema.Schema) (map[string]any, string, error) {
	in := g.Estimate(req)
	settle, err := t.reserveTokens(in, &req)
	if err != nil {
		return nil, "", err
	}
	said, err := t.chat(ctx, g, req, in)
	settle(replyTokens(said))
	text := said.Text()
	if err != nil && strings.TrimSpace(text) == "" {
		t.env.Tally.Add(func(u *catalog.ModelUse) { u.Failed++ })
		return nil, "", err
	}
	// If a reply was cut off by the deadline or a broken connection, its complete part counts.
	value, rung, bad := reply.JSON(text, shape)
	if bad != nil {
		t.env.Tally.Add(func(u *catalog.ModelUse) { u.Failed++ })
		return nil, text, errors.Join(bad, err)
	}
	t.env.Tally.Add(func(u *catalog.ModelUse) { u.Answered(said.Model, string(rung)) })
	return value, text, nil
}

// chat sends a request of in tokens; it reports progress and counts usage.
func (t *roleRun) chat(ctx context.Context, g *model.Limiter, req model.Request, in int) (*model.Reply, error) {
	w := t.startWatch(ctx, g.Name, in)
	defer w.stop()
	said, err := g.Chat(model.For(ctx, t.role.Task.Purpose()), req, w.countPiece)
	t.countTokens(said)
	return said, err
}

// reserveTokens reserves a step, the prompt's tokens and the reply's from the budget before they are
// spent. The reply may be as long as the budget allows; settle takes its actual length.
func (t *roleRun) reserveTokens(in int, req *model.Request) (settle func(written int), err error) {
	most, settle, err := t.env.Ledger.ReserveOut(req.MaxTokens, replyLeast)
	if err != nil {
		return nil, err
	}
	if err = t.env.Ledger.Step(1); err == nil {
		err = t.env.Ledger.TokensIn(in)
	}
	if err != nil {
		settle(0)
		return nil, err
	}
	req.MaxTokens = most
	t.env.Tally.Add(func(u *catalog.ModelUse) { u.Calls++ })
	return settle, nil
}

// replyTokens returns the number of tokens in a reply: an estimate if its server does not
// report it, or was cut off before it could.
func replyTokens(said *model.Reply) int {
	if said == nil {
		return 0
	}
	if said.Usage.Out > 0 {
		return said.Usage.Out
	}
	n := model.Estimate(said.Reasoning) + model.Estimate(said.Content)
	for _, c := range said.Calls {
		n += model.Estimate(c.Name) + model.Estimate(c.Arguments)
	}
	return n
}

func (t *roleRun) countTokens(said *model.Reply) {
	if said == nil {
		return
	}
	t.env.Tally.Add(func(u *catalog.ModelUse) {
		u.TokensIn += said.Usage.In
		u.TokensOut += said.Usage.Out
	})
}

func isMismatch(err error) bool {
	var m *reply.Mismatch
	return errors.As(err, &m)
}

func (t *roleRun) mask(text string) string {
	if t.Mask == nil {
		return text
	}
	return t.Mask(t.role.Name, text)
}

// reasonMost limits the reason why a model did not answer, in bytes.
const reasonMost = 160

// failureReason returns in a few words why a role answers without its model. A deterministic run
// says only that a server failed: ports and waiting times differ between runs.
func (t *roleRun) failureReason(err error) string {
	var e *model.Error
	var spent *budget.ExhaustedError
	switch {
	case model.Is(err, model.Unrecorded): // in full: it shows what differs
		return err.Error()
	case errors.As(err, &e) && t.env.Deterministic && (e.Kind == model.Unreachable || e.Kind == model.Busy || e.Kind == model.Broken):
		return "model " + e.Model + " did not answer"
	case errors.As(err, &e): // doctor gives the remedy: a note costs tokens in every answer
		message, _, _ := strings.Cut(e.Message, ": dial tcp")
		return contract.Shorten("model "+e.Model+": "+message, reasonMost)
	case errors.As(err, &spent):
		return fmt.Sprintf("the limit of %d %s is reached", spent.Max, spent.Limit)
	case errors.Is(err, context.DeadlineExceeded):
		return "the model was not done in time"
	case isMismatch(err):
		return "the model's reply could not be used"
	}
	return err.Error()
}
