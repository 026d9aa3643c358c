package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// assist lets a model improve on the builtins' findings, in a few one-shot questions. The result keeps everything that
// it held without the model, in the same order except for one reference that may rise: a model that is wrong, slow or
// malicious costs time, but never the answer. If the role's bounds are full, a reference found only by the model's
// words replaces the last.
func (t *roleRun) assist(ctx context.Context, found contract.Result) (contract.Result, error) {
	p := t.role.Task.Pointing
	if p.Unsure && found.Confidence == contract.High && !ownFallback(t.role) {
		return found, nil // asking would cost seconds for the same answer
	}
	if len(found.References) == 0 && len(found.KeyFindings) == 0 {
		if p.Search != nil {
			return t.addNearby(ctx, found)
		}
		return found, nil // nothing to explain or to answer from
	}
	list := task.CandidatesOf(found)
	if p.Search != nil {
		list = t.widen(ctx, found, list)
	}
	list = t.explore(ctx, found, list)
	part := list
	if p.Bodies > 0 {
		part = list[:min(len(list), p.Bodies)]
	}
	fetchExcerpts(ctx, t.role, t.extra, part, linesFor(part))
	list = task.WithoutShown(list)
	points, g, err := t.askPoints(ctx, list)
	if err != nil {
		return found, err
	}
	im := t.newImprover(g)
	points = t.recheck(ctx, im, points, t.parts)
	out := clone(found)
	if t.unexplored != "" {
		out.Note("answered without looking around: " + t.unexplored)
	}
	if !p.Raise {
		im.Tell(&out, list, points)
	} else {
		im.Annotate(&out, list, points)
		t.raiseFirst(ctx, &out, list, points)
	}
	return out, nil
}

// addNearby adds a nearby place to a result without findings.
func (t *roleRun) addNearby(ctx context.Context, found contract.Result) (contract.Result, error) {
	near, err := t.nearest(ctx, found)
	out := t.exploreNearby(ctx, near)
	if err != nil && out.Summary == found.Summary {
		return found, err
	}
	return out, nil
}

// linesFor returns how many lines of text to fetch for each candidate: a single candidate
// is shown whole, many only in part.
func linesFor(list []task.Candidate) int {
	return max(160/max(len(list), 1), 16)
}

// fetchExcerpts fetches the text behind the candidates, at most lines lines for each. A candidate
// whose text cannot be read is kept without it.
func fetchExcerpts(ctx context.Context, role *plan.Role, env *catalog.Env, list []task.Candidate, lines int) {
	if role.Evidence.Name == "" {
		return
	}
	var refs []any
	for _, c := range list {
		if c.Ref != "" && c.Lines == nil {
			refs = append(refs, c.Ref)
		}
	}
	if len(refs) == 0 {
		return
	}
	v, err := role.Evidence.Run(ctx, env, map[string]any{"references": refs, "lines": lines})
	got, ok := v.(contract.Excerpts)
	if err != nil && !ok {
		return
	}
	for _, e := range got.Excerpts {
		for i := range list {
			if list[i].Ref == e.Reference {
				list[i].Lines, list[i].First = strings.Split(e.Text, "\n"), e.First
			}
		}
	}
}

// askPoints asks the model about the candidates and reads its statements about them.
func (t *roleRun) askPoints(ctx context.Context, list []task.Candidate) ([]task.Point, []*task.Grounds, error) {
	var parts []string
	shown := ""
	asked := t.role.Task
	p := asked.Pointing
	written, err := t.promptTemplate()
	if err != nil {
		return nil, nil, err
	}
	value, err := t.ask(ctx, func(room int) (string, *schema.Schema) {
		lead := ""
		if written != nil {
			lead, _ = written(room / 3)
			lead += "\n\n"
		}
		question := task.Shortened(t.question, room/4)
		rest := lead + p.Question(question, fence.Wrap("", question))
		parts = task.Pack(list, room-task.Roughly(rest, t.systemPrompt(), asked.Rules))
		shown = strings.Join(parts, "\n")
		return lead + p.Question(question, fence.Wrap(shown, question)), p.Shape(len(parts))
	}, asked.TokensIn, asked.TokensOut)
	if err != nil {
		return nil, nil, err
	}
	t.shown, t.parts, t.candidates = shown, parts, list[:len(parts)]
	ours := strings.Join([]string{t.systemPrompt(), asked.Rules, p.Ask, p.Example()}, "\n")
	grounds := make([]*task.Grounds, len(parts))
	for i, part := range parts {
		grounds[i] = task.NewGrounds(t.question, ours, part)
	}
	return p.Points(value, len(parts)), grounds, nil
}

// raiseFirst moves the first candidate that the model pointed at up, once confirmed.
func (t *roleRun) raiseFirst(ctx context.Context, out *contract.Result, list []task.Candidate, points []task.Point) {
	if len(points) == 0 || points[0].ID == 0 {
		return
	}
	pick := points[0].ID
	if list[pick].Ref != "" && t.confirmPick(ctx, list, pick) {
		task.Rise(out, list[pick])
	}
}

// confirmPick asks again about the picked candidate among the first of the ranking, at a
// different position than before and neither first nor last. A model that goes by the
// position in the list, not by the content, does not pick the same one twice.
func (t *roleRun) confirmPick(ctx context.Context, list []task.Candidate, pick int) bool {
	var few []task.Candidate
	for i := range list {
		if i != pick && len(few) < 3 {
			few = append(few, list[i])
		}
	}
	slices.Reverse(few)
	at := 1
	if pick == 1 {
		at = 2
	}
	few = slices.Insert(few, min(at, len(few)), list[pick])
	points, _, err := t.askPoints(ctx, few)
	return err == nil && len(points) > 0 && few[points[0].ID].Ref == list[pick].Ref
}

// newImprover returns an Improver that accepts the model's claims as far as the text shown
// for the candidate supports them. It counts the claims that are dropped.
func (t *roleRun) newImprover(shown []*task.Grounds) task.Improver {
	return task.Improver{Question: t.question, Summary: t.role.Bounds["summary"].Bytes, Finding: t.role.Bounds["key_findings"].Bytes,
		Claim: func(id int, text string) string {
			out := shown[id].Claim(t.mask(text), task.NoteMost)
			if out == "" && strings.TrimSpace(text) != "" {
				t.countDropped(1)
			}
			return out
		}}
}

func (t *roleRun) countDropped(n int) {
	t.env.Tally.Add(func(u *catalog.ModelUse) { u.Dropped += n })
}

func clone(r contract.Result) contract.Result {
	r.References, r.KeyFindings = slices.Clone(r.References), slices.Clone(r.KeyFindings)
	return r
}
