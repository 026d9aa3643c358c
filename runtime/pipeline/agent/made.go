package agent

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// runFreeform lets the model make a value from the role's input, and from the findings of its grounding builtin, if any.
func (r Runner) runFreeform(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (any, error) {
	input = role.In.WithDefaults(input)
	var found any
	if role.Ground.Name != "" {
		v, err := role.Ground.Run(ctx, env, input)
		if err != nil {
			if v, err = spentResult(env, err); err != nil {
				return nil, err
			}
		}
		found = v
	}
	t := r.newTurn(role, env, input, questionOf(role, input))
	if t == nil {
		why := noModel
		if !role.Asks() {
			why = ""
		}
		return r.fallback(ctx, role, env, input, found, why)
	}
	value, err := t.makeValue(ctx, found)
	if err != nil {
		if ctx.Err() != nil { // the client no longer waits
			return nil, ctx.Err()
		}
		return r.fallback(ctx, role, env, input, found, t.mask(t.failureReason(err)))
	}
	value, _ = contract.Outside(value).(map[string]any)
	return r.cleanOutput(role, value), nil
}

// errUseless reports a reply that has the right form but nothing usable.
var errUseless = errors.New("the model's reply could not be used")

// makeValue asks the model, and asks once more if a check says that it is worthwhile.
func (t *roleRun) makeValue(ctx context.Context, found any) (value map[string]any, err error) {
	ctx, cancel := withDeadline(ctx, t.env.Until)
	defer cancel()
	defer func() {
		if recover() != nil {
			value, err = nil, errBroke
		}
	}()
	defer func() { t.noteStarved(ctx, err) }()
	c, err := t.caseOf(ctx, found)
	if err != nil {
		return nil, err
	}
	value, v, err := t.askOnce(ctx, c, "", false)
	if err == nil && v.Retry != "" {
		value, v, err = t.askOnce(ctx, c, v.Retry, true)
	}
	switch {
	case err != nil:
		return nil, err
	case v.Failed != "":
		return nil, checkError(v)
	}
	return value, nil
}

func checkError(v task.Verdict) error {
	return errors.New("the model's reply failed the check " + v.Failed)
}

// caseOf collects the data for the prompt.
func (t *roleRun) caseOf(ctx context.Context, found any) (*task.Case, error) {
	written, err := t.promptTemplate()
	if err != nil {
		return nil, err
	}
	c := &task.Case{Prompt: written, Told: t.systemPrompt(), Question: t.question, Input: t.input, In: t.role.In, Out: t.role.Out}
	res, _ := found.(contract.Result)
	list := task.CandidatesOf(res)
	list = t.explore(ctx, res, list)
	fetchExcerpts(ctx, t.role, t.extra, list, linesFor(list))
	c.Candidates = list
	return c, nil
}

// askOnce asks once. wrong, unless empty, describes the mistake of the previous reply; last means that no other attempt
// follows.
func (t *roleRun) askOnce(ctx context.Context, c *task.Case, wrong string, last bool) (map[string]any, task.Verdict, error) {
	asked := t.role.Task
	out := asked.TokensOut
	if asked.Form.TokensOut != nil {
		out = asked.Form.TokensOut(c)
	}
	var q task.Question
	said, err := t.ask(ctx, func(room int) (string, *schema.Schema) {
		q = asked.Form.Put(c, room)
		if wrong != "" {
			q.Text += "\n\nAn answer before failed a check: " + sanitize.Neutral(wrong) + ". Answer without that."
		}
		return q.Text, q.Shape
	}, asked.TokensIn, out)
	if err != nil {
		return nil, task.Verdict{}, err
	}
	said, blanks := task.Said(said, q.Shape)
	value, gone, ok := asked.Form.Apply(c, q, said)
	t.countDropped(blanks + gone)
	if !ok {
		return nil, task.Verdict{}, errUseless
	}
	v := task.Verify(ctx, checksOf(t.role, last), value, t.role.Out, t.evidenceFor(c, q))
	if v.Retry == "" {
		t.countDropped(v.Dropped)
	}
	return v.Value, v, nil
}

// evidenceFor returns the data against which a reply is checked.
func (t *roleRun) evidenceFor(c *task.Case, q task.Question) *task.Evidence {
	e := &task.Evidence{Shown: t.mask(q.Shown), Candidates: c.Texts(), Tree: treeOf(t.env)}
	for _, cand := range c.Candidates[:min(q.Count, len(c.Candidates))] {
		e.Candidates = append(e.Candidates, namesOfCandidate(cand)...)
	}
	return e
}

// namesOfCandidate returns the texts by which a candidate may be named.
func namesOfCandidate(c task.Candidate) []string {
	var out []string
	for _, s := range []string{c.Ref, c.Head} {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// verifyResult applies the role's checks to a result that a model has improved on. If it
// is unusable, the result as found is returned.
func (t *roleRun) verifyResult(ctx context.Context, found, out contract.Result) (contract.Result, error) {
	plain, err := plan.Plain(out, t.role.Out)
	value, ok := plain.(map[string]any)
	if err != nil || !ok {
		return found, err
	}
	own := append([]string{t.shown, found.Summary}, slices.Concat(found.References, contract.Texts(found.KeyFindings))...)
	e := &task.Evidence{Shown: t.mask(strings.Join(own, "\n")), Tree: treeOf(t.env)}
	for _, c := range t.candidates {
		e.Candidates = append(e.Candidates, namesOfCandidate(c)...)
	}
	v := task.Verify(ctx, checksOf(t.role, true), value, t.role.Out, e)
	if v.Failed != "" {
		return found, checkError(v)
	}
	out, gone := dropAdded(found, out, v.Value)
	t.countDropped(gone)
	return out, nil
}

// inputFields returns the input fields of a role.
func inputFields(role *plan.Role) []schema.Field {
	if role.In == nil {
		return nil
	}
	return role.In.Fields
}
