package agent

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// widenMost limits the candidates that a model's own words may add.
const widenMost = 4

// widen asks for search words if the question's own found nothing certain, and appends their findings to the
// candidates. They decide nothing: the findings still have to be chosen and confirmed.
func (t *roleRun) widen(ctx context.Context, found contract.Result, list []task.Candidate) []task.Candidate {
	if found.Confidence == contract.High {
		return list
	}
	more, _, _ := t.searchAgain(ctx) // a failure to get words shows up again when the model is asked to choose
	known := map[string]bool{}
	for _, c := range list {
		known[contract.ParseReference(c.Ref).Path] = true
	}
	added := 0
	for _, c := range task.CandidatesOf(more) {
		if path := contract.ParseReference(c.Ref).Path; path != "" && !known[path] && added < widenMost {
			known[path] = true
			c.New = true
			list = append(list, c)
			added++
		}
	}
	return list
}

// nearest reports where the model's words lead if the question's lead nowhere. It keeps "not found", without
// references: the thing asked for does not exist, and the reader decides about nearby places.
func (t *roleRun) nearest(ctx context.Context, found contract.Result) (contract.Result, error) {
	more, words, err := t.searchAgain(ctx)
	if err != nil || len(more.KeyFindings) == 0 || more.Confidence == contract.Low {
		return found, err
	}
	out := clone(found)
	by := "By the model's words"
	// The model would have made up any place or link among them.
	if words = slices.DeleteFunc(words, func(w string) bool { return strings.ContainsAny(w, `/\:`) }); len(words) > 0 {
		by = "By the words " + strings.Join(words, ", ")
	}
	near := " " + by + " the nearest is " + more.KeyFindings[0].Text + "."
	if most := t.role.Bounds["summary"].Bytes; most == 0 || len(out.Summary)+len(near) <= most {
		out.Summary += near
	}
	return out, nil
}

// searchAgain grounds the role on search words of the model. The error says why it got no words.
func (t *roleRun) searchAgain(ctx context.Context) (contract.Result, []string, error) {
	asked := t.role.Task.Asked
	if t.role.Ground.In.Field(asked) == nil {
		return contract.Result{}, nil, nil
	}
	words, err := t.searchWords(ctx)
	if err != nil || len(words) == 0 {
		return contract.Result{}, nil, err
	}
	input := maps.Clone(t.input)
	input[asked] = strings.Join(words, " ")
	v, err := t.role.Ground.Run(ctx, t.extra, input)
	more, ok := v.(contract.Result)
	if err != nil || !ok {
		return contract.Result{}, nil, nil
	}
	return more, words, nil
}

// searchWords returns the model's search words, without those in the question.
func (t *roleRun) searchWords(ctx context.Context) ([]string, error) {
	search := t.role.Task.Pointing.Search
	value, err := t.ask(ctx, func(room int) (string, *schema.Schema) {
		return search.Question(task.Shortened(t.question, room/4)), search.Shape()
	}, search.TokensIn, search.TokensOut)
	if err != nil {
		return nil, err
	}
	return search.Words(t.question, value), nil
}
