package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// Exploring: before the question is asked, a model may look around with the tools that
// its role grants. What it says meanwhile decides nothing. The places it looked at become
// candidates behind those that the builtins found, and the question that follows is the
// same as without exploring: numbers, for text that is shown with them. So a model that
// explores badly only costs time and tool calls.

const (
	exploreWindow = 24_000 // tokens of window; in a smaller one exploring would crowd out the answer
	exploreShare  = 0.6    // of the remaining time, and 1/2 of the remaining budget: the rest is for the answer
	turnsMost     = 12     // per exploration
	dullMost      = 3      // consecutive turns without anything new
)

// explore lets the model look around, if its role allows that, and returns list with the places it looked at appended.
// On any failure it keeps the places seen until then, and leaves a note if there are none.
func (t *roleRun) explore(ctx context.Context, found contract.Result, list []task.Candidate) []task.Candidate {
	if !t.role.Explore || len(t.role.Tools) == 0 || ctx.Err() != nil {
		return list
	}
	if p := t.role.Task.Pointing; p != nil && p.Raise && found.Confidence == contract.High {
		return list // nothing would rise
	}
	var seen *places
	var until time.Time
	if deadline, ok := ctx.Deadline(); ok {
		until = time.Now().Add(time.Duration(exploreShare * float64(time.Until(deadline))))
	}
	err := t.chain.Try(ctx, func(g *model.Limiter) error {
		e, err := t.newExpedition(ctx, g, list, until)
		if err != nil {
			return err
		}
		err = e.run(ctx)
		if seen = e.seen; e.made > 0 {
			return nil
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		t.unexplored = t.mask(t.failureReason(err))
	}
	if seen == nil {
		return list
	}
	more := seen.bestCandidates(list)
	fetchExcerpts(ctx, t.role, t.extra, more, linesFor(more))
	seen.prependAbove(more)
	return append(list[:len(list):len(list)], more...)
}

// exploreNearby names the place where exploring leads when the builtins found nothing. Like nearest it keeps "not found": the
// reader decides about nearby places.
func (t *roleRun) exploreNearby(ctx context.Context, found contract.Result) contract.Result {
	list := t.explore(ctx, found, nil)
	if len(list) == 0 {
		return found
	}
	points, _, err := t.askPoints(ctx, list)
	if err != nil || len(points) == 0 || !t.confirmPick(ctx, list, points[0].ID) {
		return found
	}
	near := " Looking around, the nearest is " + list[points[0].ID].Ref + "."
	out := clone(found)
	if most := t.role.Bounds["summary"].Bytes; most == 0 || len(out.Summary)+len(near) <= most {
		out.Summary += near
	}
	return out
}

// toolLoop is one exploration with one model.
type toolLoop struct {
	*roleRun // with only part of the budget
	gate     *model.Limiter
	info     model.Info
	window   int
	until    time.Time // zero for no limit
	tools    []tool
	talk     talk
	seen     *places
	asked    map[string]*call // keyed by name and arguments
	before   int              // tokens of the previous request: servers have those cached
	made     int              // calls that were run
	dull     int
}

func (t *roleRun) newExpedition(ctx context.Context, g *model.Limiter, list []task.Candidate, until time.Time) (*toolLoop, error) {
	if !until.IsZero() && time.Now().After(until) {
		return nil, notDone(g)
	}
	info, err := g.Info(ctx)
	if err != nil {
		return nil, err
	}
	window := g.Window(info)
	if window < exploreWindow {
		return nil, &model.Error{Kind: model.Overflow, Model: g.Name, Do: "load it with a larger context",
			Message: fmt.Sprintf("a window of %d tokens is too small to look around, which takes %d", window, exploreWindow)}
	}
	env := *t.env
	env.Ledger = t.env.Ledger.Portion(0.5)
	own := *t
	own.env = &env
	e := &toolLoop{roleRun: &own, gate: g, info: info, window: window, until: until, tools: toolsOf(t.role), seen: newPlaces(), asked: map[string]*call{}}
	e.talk = e.newTalk(list)
	return e, nil
}

func notDone(g *model.Limiter) error {
	return &model.Error{Kind: model.TooSlow, Model: g.Name, Message: "not done in the time to look around"}
}

// run takes turns until the model has seen enough or must stop.
func (e *toolLoop) run(all context.Context) error {
	// It ends with a cancellation rather than a deadline: a model that is cut off while
	// it looks around does not count as one that fails to answer.
	ctx, cancel := context.WithCancel(all)
	defer cancel()
	if !e.until.IsZero() {
		defer time.AfterFunc(time.Until(e.until), cancel).Stop()
	}
	for range turnsMost {
		more, err := e.takeTurn(ctx)
		if ctx.Err() != nil && all.Err() == nil {
			return notDone(e.gate)
		}
		if err != nil || !more {
			return err
		}
		if e.dull >= dullMost {
			return nil
		}
	}
	return nil
}

// takeTurn runs one turn: the model's reply, and the results of its calls.
func (e *toolLoop) takeTurn(ctx context.Context) (more bool, err error) {
	said, err := e.sendTalk(ctx)
	switch {
	case model.Is(err, model.Unsupported) && e.talk.native:
		e.talk.native = false
		return true, nil
	case model.Is(err, model.Overflow) && e.window > exploreWindow/2: // its tokenizer counts more than our estimate
		e.window = e.window * 2 / 3
		return true, nil
	case err != nil:
		return false, err
	}
	next := e.readCalls(said)
	if len(next.calls) == 0 {
		if e.talk.native && !e.info.CanTell && len(e.talk.turns) == 0 { // its server may ignore tools
			e.talk.native = false
			return true, nil
		}
		e.seen.recordNamed(next.text)
		return false, nil
	}
	e.runCalls(ctx, &next)
	e.talk.turns = append(e.talk.turns, next)
	return ctx.Err() == nil, ctx.Err()
}

// Token limits of one turn's reply: enough for a few calls, and for thoughts before them.
const (
	callsOut = 500
	thinkOut = 1500
)

// sendTalk sends the conversation so far, if there is time and budget for a reply.
func (e *toolLoop) sendTalk(ctx context.Context) (*model.Reply, error) {
	out := callsOut
	if slices.Contains(e.info.Can, model.CanThink) {
		out = thinkOut
	}
	req, in, err := e.buildRequest(min(out, e.replyMost(out)))
	if err != nil {
		return nil, err
	}
	if err := e.inTime(in-e.before, &req); err != nil {
		return nil, err
	}
	settle, err := e.reserveTokens(in, &req)
	if err != nil {
		return nil, err
	}
	said, err := e.chat(ctx, e.gate, req, in)
	settle(replyTokens(said))
	if err != nil {
		e.env.Tally.Add(func(u *catalog.ModelUse) { u.Failed++ })
		return nil, err
	}
	e.before = in
	return said, nil
}

// inTime limits a reply to the length that the model can write in the remaining time.
func (e *toolLoop) inTime(fresh int, req *model.Request) error {
	pace := e.pace(e.gate)
	if e.until.IsZero() || pace.In <= 0 || pace.Out <= 0 {
		return nil
	}
	left := time.Until(e.until).Seconds()
	req.MaxTokens = min(req.MaxTokens, int((left-float64(max(fresh, 0))/pace.In)*pace.Out))
	if req.MaxTokens < replyLeast {
		return &model.Error{Kind: model.TooSlow, Model: e.gate.Name,
			Message: fmt.Sprintf("reads %.0f and writes %.0f tokens a second, too slow to look around in %.0f s", pace.In, pace.Out, left)}
	}
	return nil
}
