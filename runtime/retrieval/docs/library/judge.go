package library

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/rerank"
)

// LegJudge is the name of a model's verdict in breakdowns.
const LegJudge = "judge"

// addVerdicts adds the verdicts of a model on the best passages, as one more leg. Without verdicts the
// order is kept, and a note gives the reason.
func (a *Answer) addVerdicts(ctx context.Context, q Query) error {
	some := a.Found[:min(len(a.Found), q.Judge.Top)]
	if len(some) < 2 {
		return nil
	}
	texts := make([]string, len(some))
	for i, f := range some {
		texts[i] = strings.Join(append([]string{f.Document.Title}, f.Section...), " › ") + "\n" + f.Text
	}
	ctx, span := event.Start(ctx, event.Event{Kind: event.Rerank})
	scores, err := q.Judge.Scores(ctx, q.Text, texts)
	recordVerdicts(span, some, scores, err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		a.Notes = append(a.Notes, "not judged by a model: it did not answer within "+q.Judge.Time.String())
		return nil
	case err != nil:
		a.Notes = append(a.Notes, "not judged by a model: "+err.Error())
		return nil
	}
	for i := range some {
		part := index.LegScore{Leg: LegJudge, Raw: float64(scores[i]), Best: rerank.Most, Weight: q.Judge.Weight}
		part.Score = part.Weight * part.Raw / part.Best
		some[i].Legs = append(slices.Clone(some[i].Legs), part)
		some[i].Score += part.Score
	}
	slices.SortStableFunc(a.Found, func(x, y Found) int { return cmp.Compare(y.Score, x.Score) })
	return nil
}

// recordVerdicts records which passages a model has judged, and the scores. The text of an error may be the
// model's, and is not recorded.
func recordVerdicts(span *event.Span, some []Found, scores []int, err error) {
	if span == nil {
		return
	}
	span.Name, _, _ = strings.Cut(some[0].Document.URI, "/") // the collection
	var list []string
	for i, f := range some {
		at := f.ID + "@" + f.Document.Version
		if err == nil {
			at += "=" + strconv.Itoa(scores[i])
		}
		list = append(list, at)
	}
	span.Attrs = append(span.Attrs, slog.Int("judged", len(some)), slog.Any("passages", event.ID(strings.Join(list, " "))))
	switch {
	case err == nil:
		span.End(event.OK, "")
	case errors.Is(err, context.DeadlineExceeded):
		span.End(event.Failed, "TIMEOUT")
	default:
		span.End(event.Failed, "MODEL_BROKEN")
	}
}

// expansionOf returns words of the best passages of a search with the question alone.
func (at *loaded) expansionOf(ctx context.Context, v View, q Query, allow *index.Set) ([]index.More, error) {
	res, err := at.index.Search(ctx, index.Query{Text: q.Text, Limit: index.FeedbackPassages, Weights: index.Weights{index.LegBM25: 1}, Allow: allow})
	if err != nil {
		return nil, err
	}
	var best []index.Top
	for _, h := range res.Hits {
		d, n := at.documentOf(h.Passage)
		c, err := v.Content(ctx, d.Content)
		if err != nil {
			return nil, err
		}
		if n < len(c.Chunks) {
			k := c.Chunks[n]
			best = append(best, index.Top{Text: d.Title + "\n" + c.Text[k.Start:k.End], Score: h.Score})
		}
	}
	return at.index.Expand(q.Text, best, q.Expand), nil
}
