package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// maxRounds limits the rounds of a request: repeated stages within each other multiply.
const maxRounds = 1_000

var errRounds = &contract.Error{Name: "BudgetError", Code: "BUDGET_EXHAUSTED",
	Message: fmt.Sprintf("the request has run %d rounds, and may run no more; lower repeat.max where stages repeat within each other", maxRounds)}

// Further reasons why a round is the last.
const (
	endedTime   = "out of time"
	endedBudget = "budget used up"
	endedSize   = "results too large"
	endedError  = "failed"
)

// repetition runs the rounds of a stage, one after the other.
type repetition struct {
	*schedule
	stage  *plan.Stage
	outer  context.Context // of the pipeline
	ledger *budget.Ledger
	past   *plan.Rounds
	result plan.Result
	traces []StageTrace
	ended  string // why there is no further round
}

// runRounds runs a repeated stage. Its value is that of the last round that succeeded; after the first,
// a round that left work undone for lack of time or budget does not count as such. The stage fails only if its
// first round does, if the call is canceled, or if a condition cannot be evaluated.
func (g *schedule) runRounds(ctx context.Context, s *plan.Stage, env map[string]any, ledger *budget.Ledger) (plan.Result, []StageTrace, error) {
	r := &repetition{schedule: g, stage: s, outer: ctx, ledger: ledger, past: s.NewRounds(env), result: plan.Result{Status: string(contract.OK)}}
	ctx, cancel := withTime(ctx, stageLimits(s).Time)
	defer cancel()
	var err error
	for n := 1; err == nil && r.ended == ""; n++ {
		err = r.runRound(ctx, n)
	}
	r.result.Rounds = r.past.Outcomes()
	return r.result, r.traces, err
}

// runRound runs one round. It returns an error if the stage fails.
func (r *repetition) runRound(ctx context.Context, n int) error {
	s, start := r.stage, r.engine.now()
	count := r.run.rounds.Add(1)
	inRound, span := r.beginRound(ctx, s, n)
	booked := r.ledger.Child(budget.Limits{})
	v, nested, err := r.runWithRetry(inRound, s, r.past.Env(), booked, func(ctx context.Context) time.Time { return r.roundDeadline(ctx, n) })
	one := resultOf(v, err)
	one.Timing = contract.Since(start, r.engine.now(), r.req.Deterministic)
	r.traces = append(r.traces, StageTrace{Stage: r.prefix + s.Name, Kind: s.Kind, Runs: s.Runs(), Status: one.Status, Round: n, Error: one.Error, Timing: one.Timing})
	r.traces = append(r.traces, nested...)
	if errors.Is(ctx.Err(), context.Canceled) {
		endRound(span, "", nil, ctx.Err())
		return ctx.Err()
	}
	gain, failed := r.judge(n, one, err, booked)
	if failed == nil && r.ended == "" {
		r.checkRoom(ctx, booked, count)
	}
	if err == nil {
		err = failed
	}
	endRound(span, r.ended, gain, err)
	return failed
}

// roundDeadline returns the time until which the models of a round may work: they share the time of the pipeline
// with the stages that follow, and that of the stage with its further rounds.
func (r *repetition) roundDeadline(ctx context.Context, n int) time.Time {
	now, own := r.engine.now(), r.stage.AsksFrom(n-1)-r.stage.AsksFrom(r.stage.Repeat.Max)
	of, in := modelDeadline(r.outer, now, r.stage.AsksFrom(n-1)), modelDeadline(ctx, now, own)
	if of.IsZero() || !in.IsZero() && in.Before(of) {
		return in
	}
	return of
}

// judge decides what a round counts for, and whether it is the last by its outcome. It returns an error if the
// stage fails.
func (r *repetition) judge(n int, one plan.Result, err error, booked *budget.Ledger) (gain any, failed error) {
	tooLarge := r.past.Add(one)
	switch {
	case err != nil && n == 1:
		return nil, err
	case err != nil:
		r.endWith(err)
		return nil, nil
	case n > 1 && isStarved(booked):
		r.endWith(booked.Starved())
		return nil, nil
	}
	r.result.Value = one.Value
	if r.ended, gain, failed = r.past.Test(); failed == nil && r.ended == "" && tooLarge != nil {
		r.endWith(tooLarge)
		r.ended = endedSize
	}
	return gain, failed
}

// isStarved reports whether a round left work undone that a further round would not do either. A pipeline's own
// budget does not count: the next round has as much.
func isStarved(booked *budget.Ledger) bool {
	var spent *budget.ExhaustedError
	err := booked.Starved()
	return err != nil && (!errors.As(err, &spent) || booked.Refused() != nil)
}

// checkRoom ends the rounds if nothing is left for a further one.
func (r *repetition) checkRoom(ctx context.Context, booked *budget.Ledger, rounds int64) {
	switch {
	case ctx.Err() != nil:
		r.endWith(ctx.Err())
	case booked.Refused() != nil:
		r.endWith(booked.Refused())
	case rounds >= maxRounds:
		r.endWith(errRounds)
	}
}

// endWith ends the rounds before their conditions do, because of an error.
func (r *repetition) endWith(err error) {
	status, e := contract.AsError(err)
	r.ended, r.result.Error = endedError, e
	switch {
	case status == contract.Timeout:
		r.ended = endedTime
	case e.Code == errRounds.Code:
		r.ended = endedBudget
	}
}

// resultOf returns the outcome of one run.
func resultOf(v any, err error) plan.Result {
	if err != nil {
		status, e := contract.AsError(err)
		return plan.Result{Status: string(status), Error: e}
	}
	return plan.Result{Status: string(contract.OK), Value: v}
}

// beginRound emits the Begin event of a round.
func (g *schedule) beginRound(ctx context.Context, s *plan.Stage, n int) (context.Context, *event.Span) {
	if event.Wants(ctx, event.Stage) {
		progressIn(ctx)(catalog.Progress{Message: fmt.Sprintf("round %d of at most %d", n, s.Repeat.Max), Done: n - 1, Total: s.Repeat.Max})
	}
	return event.Start(ctx, event.Event{Kind: event.Round, Name: s.Runs(), Attrs: []slog.Attr{slog.Int("round", n)}})
}

// endRound emits the End event of a round, with what it gained and why it was the last.
func endRound(span *event.Span, ended string, gain any, err error) {
	if span == nil {
		return
	}
	if gain != nil {
		span.Attrs = append(span.Attrs, slog.Any("gain", gain))
	}
	if ended != "" {
		span.Attrs = append(span.Attrs, slog.String("ended", ended))
	}
	catalog.End(span, err)
}
