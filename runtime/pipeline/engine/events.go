package engine

import (
	"context"
	"log/slog"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// withViews returns a context whose events feed the run's tally, its probe and its progress watchers.
func (r *run) withViews(ctx context.Context) context.Context {
	kinds := []event.Kind{event.Model}
	if r.req.Progress != nil {
		kinds = append(kinds, event.Stage)
	}
	if r.req.Probe != nil {
		kinds = append(kinds, event.Builtin)
	}
	return event.WithView(ctx, func(e event.Event) {
		switch e.Kind {
		case event.Model:
			r.tally.View(e)
		case event.Stage:
			if p, is := e.Detail.(catalog.Progress); is {
				r.req.Progress(p)
			}
		case event.Builtin:
			r.req.Probe.View(e)
		}
	}, kinds...)
}

// progressIn returns the function by which a stage reports its progress as events of its context.
func progressIn(ctx context.Context) func(catalog.Progress) {
	return func(p catalog.Progress) {
		if !event.Wants(ctx, event.Stage) {
			return
		}
		p.Stage = event.StageOf(ctx)
		event.Emit(ctx, event.Event{Kind: event.Stage, Phase: event.Step, Message: p.Message, Attrs: progressAttrs(p), Detail: p})
	}
}

// countIn returns the function by which a stage reports the use of its models.
func countIn(ctx context.Context) func(catalog.ModelUse) {
	return func(by catalog.ModelUse) {
		event.Emit(ctx, event.Event{Kind: event.Model, Phase: event.Step, Message: by.String(), TokensIn: by.TokensIn, TokensOut: by.TokensOut, Detail: by})
	}
}

func progressAttrs(p catalog.Progress) []slog.Attr {
	if p.Total == 0 {
		return nil
	}
	return []slog.Attr{slog.Int("done", p.Done), slog.Int("total", p.Total)}
}

// begin emits the Begin event of a stage.
func (g *schedule) begin(ctx context.Context, s *plan.Stage) (context.Context, *event.Span) {
	e := event.Event{Kind: event.Stage, Name: s.Runs(), Stage: g.prefix + s.Name}
	if s.Role != nil {
		e.Role = s.Role.Name
	}
	if event.Wants(ctx, event.Stage) {
		p := catalog.Progress{Stage: e.Stage, Message: s.Title(), Done: g.countDone(), Total: len(g.p.Stages)}
		e.Attrs, e.Detail = progressAttrs(p), p
	}
	return event.Start(ctx, e)
}

// endStage emits the End event of a stage.
func endStage(span *event.Span, res plan.Result, err error) {
	if span == nil {
		return
	}
	span.Attrs = nil
	if len(res.Rounds) > 0 {
		span.Attrs = []slog.Attr{slog.Int("rounds", len(res.Rounds))}
	}
	if list, is := res.Value.([]plan.Result); is && err == nil {
		span.Attrs = append(span.Attrs, slog.Int("items", len(list)))
	}
	catalog.End(span, err)
}

// emitSkipped emits that a stage did not run, and why.
func (g *schedule) emitSkipped(ctx context.Context, s *plan.Stage, why string) {
	event.Emit(ctx, event.Event{Kind: event.Stage, Name: s.Runs(), Stage: g.prefix + s.Name, Outcome: event.Skipped, Message: "stage skipped: " + why})
}
