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

// widenMost is how many candidates a model's own words may add.
const widenMost = 4

// widen asks for search words where the question's own did not find anything
// sure, and adds what they find behind the other candidates. They decide
// nothing: what they bring has to be chosen, and confirmed.
func (t *turn) widen(ctx context.Context, found contract.Result, list []task.Candidate) []task.Candidate {
	if found.Confidence == contract.High {
		return list
	}
	more, _, _ := t.searchAgain(ctx) // why it has no words it says again when it is asked to choose
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

// nearest says where the model's words lead when the question's lead nowhere.
// It stays "not found", without references: what was asked for is not there,
// and what is near is for the reader to judge.
func (t *turn) nearest(ctx context.Context, found contract.Result) (contract.Result, error) {
	more, words, err := t.searchAgain(ctx)
	if err != nil || len(more.KeyFindings) == 0 || more.Confidence == contract.Low {
		return found, err
	}
	out := clone(found)
	by := "By the model's words"
	// A place or a link among them would be one that it made up.
	if words = slices.DeleteFunc(words, func(w string) bool { return strings.ContainsAny(w, `/\:`) }); len(words) > 0 {
		by = "By the words " + strings.Join(words, ", ")
	}
	near := " " + by + " the nearest is " + more.KeyFindings[0].Text + "."
	if most := t.role.Bounds["summary"].Bytes; most == 0 || len(out.Summary)+len(near) <= most {
		out.Summary += near
	}
	return out, nil
}

// searchAgain grounds the role on search words of the model. The error says why
// there are none.
func (t *turn) searchAgain(ctx context.Context) (contract.Result, []string, error) {
	asked := t.role.Task.Asked
	if t.role.Ground.In.Field(asked) == nil {
		return contract.Result{}, nil, nil
	}
	words, err := t.words(ctx)
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

// words are what the model would search for, without what the question has.
func (t *turn) words(ctx context.Context) ([]string, error) {
	search := t.role.Task.Pointing.Search
	value, err := t.ask(ctx, func(room int) (string, *schema.Schema) {
		return search.Question(task.Shortened(t.question, room/4)), search.Shape()
	}, search.TokensIn, search.TokensOut)
	if err != nil {
		return nil, err
	}
	return search.Words(t.question, value), nil
}
