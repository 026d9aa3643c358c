package engine

import (
	"cmp"
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
	Message: fmt.Sprintf("all repeated stages of the request have run %d rounds together, the most there may be; lower repeat.max, or max of an each around it", maxRounds)}

// Further reasons why a round is the last.
const (
	endedTime   = "out of time"
	endedBudget = "budget used up"
	endedSize   = "results too large"
	endedRounds = "too many rounds in the request"
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
	past, err := s.NewRounds(env)
	if err != nil {
		return plan.Result{}, nil, err
	}
	r := &repetition{schedule: g, stage: s, outer: ctx, ledger: ledger, past: past, result: plan.Result{Status: string(contract.OK)}}
	ctx, cancel := withTime(ctx, stageLimits(s).Time)
	defer cancel()
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
	inRound, span := beginRound(ctx, s, n, r.past.Max)
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
	gain, stageErr := r.judge(ctx, n, one, err, booked)
	if stageErr == nil && r.ended == "" {
		r.checkRoom(ctx, booked, count)
	}
	endRound(span, r.ended, gain, cmp.Or(err, stageErr))
	return stageErr
}

// roundDeadline returns the time until which the models of a round may work: they share the time of the pipeline
// with the stages that follow, and that of the stage with its further rounds.
func (r *repetition) roundDeadline(ctx context.Context, n int) time.Time {
	s := r.stage
	left, after := s.AsksOf(r.past.Max-n+1), s.Asks-s.AsksOf(s.Repeat.Max)
	ofPipeline, ofStage := r.modelDeadline(r.outer, left+after, s.OwnAsks()), r.modelDeadline(ctx, left, s.OwnAsks())
	if ofPipeline.IsZero() || ofStage.Before(ofPipeline) {
		return ofStage
	}
	return ofPipeline
}

// judge decides what a round counts for, and whether it is the last by its outcome. It returns an error if the
// stage fails.
func (r *repetition) judge(ctx context.Context, n int, one plan.Result, err error, booked *budget.Ledger) (gain any, stageErr error) {
	tooLarge := r.past.Add(one)
	switch {
	case err != nil && n == 1:
		return nil, err
	case err != nil:
		r.endWith(err)
		return nil, nil
	case n > 1 && r.isStarved(ctx, booked):
		r.endWith(booked.Starved())
		return nil, nil
	}
	r.result.Value = one.Value
	if r.ended, gain, stageErr = r.past.Test(); stageErr == nil && r.ended == "" && tooLarge != nil {
		r.endWith(tooLarge)
		r.ended = endedSize
	}
	return gain, stageErr
}

// isStarved reports whether a round left work undone that a further round would not do either. A pipeline's own
// budget does not count: the next round has as much.
func (r *repetition) isStarved(ctx context.Context, booked *budget.Ledger) bool {
	var spent *budget.ExhaustedError
	err := booked.Starved()
	if errors.As(err, &spent) {
		return booked.Refused() != nil
	}
	if p := r.stage.Pipeline; err != nil && p != nil && p.Budget.Time > 0 {
		end, limited := ctx.Deadline()
		return limited && end.Sub(r.engine.now()) < p.Budget.Time
	}
	return err != nil
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
	case err == errRounds:
		r.ended = endedRounds
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
func beginRound(ctx context.Context, s *plan.Stage, n, most int) (context.Context, *event.Span) {
	progressIn(ctx)(catalog.Progress{Message: fmt.Sprintf("round %d of at most %d", n, most), Done: n - 1, Total: most})
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
