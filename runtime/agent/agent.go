// Package agent runs one role once. Its grounding builtin finds the answer
// deterministically, so that a result exists before any model is asked, and
// stands when none is. A model then chooses among what was found, explains it
// or answers from it; what it says leaves only where the text it was shown
// carries it.
//
// It sees a role, an input and capabilities; it never sees the server, the
// gateway or a store.
package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/budget"
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/plan"
)

// Runner runs roles. The zero value is ready and asks no model.
type Runner struct {
	Chain func(name string) *model.Chain // the model of that name, nil for none
	Mask  func(role, text string) string // masks secrets in what a role's model is shown and in what the role says; nil masks nothing
}

// Run grounds the role, asks its model where there is one and bounds what comes
// back. A spent budget is not a failure: the result says that it was cut. Nor is
// anything a model does: the result then is the builtin's, with a note. Any
// other error of the grounding builtin is the role's.
func (r Runner) Run(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (contract.Result, error) {
	v, err := role.Ground.Run(ctx, env, input)
	if err != nil {
		return spent(role, err)
	}
	res, ok := v.(contract.Result)
	if !ok { // plan.Compile has checked the type; only another catalog gets here
		return contract.Result{}, fmt.Errorf("role %s: builtin %s returned %T", role.Name, role.Ground.Name, v)
	}
	res = r.withModel(ctx, role, env, input, res)
	if len(role.Redaction) > 0 {
		r.masked(role, &res)
	}
	res.Bound(contract.Bounds{
		References: role.Bounds["references"].Entries, Findings: role.Bounds["key_findings"].Entries,
		Summary: role.Bounds["summary"].Bytes, Finding: role.Bounds["key_findings"].Bytes,
	})
	return res, nil
}

// masked applies the redaction patterns of the role to what it says; those of
// everything that leaves are runtime/egress's.
func (r Runner) masked(role *plan.Role, res *contract.Result) {
	if r.Mask == nil {
		return
	}
	res.Summary = r.Mask(role.Name, res.Summary)
	for i, f := range res.KeyFindings {
		res.KeyFindings[i] = r.Mask(role.Name, f)
	}
	if res.Notes != nil {
		notes := r.Mask(role.Name, *res.Notes)
		res.Notes = &notes
	}
}

// withModel is the result with what a model adds to it, or as it is with a note
// why it adds nothing.
func (r Runner) withModel(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any, res contract.Result) contract.Result {
	if r.Chain == nil || !role.Asks() {
		return res
	}
	chain := r.Chain(role.Model)
	if chain == nil {
		return res
	}
	ctx, cancel := until(ctx, env.Until)
	defer cancel()
	extra := *env
	extra.Ledger = env.Ledger.Portion(0.5)
	t := &turn{Runner: r, role: role, env: env, extra: &extra, chain: chain, input: input, question: questionOf(input) + earlier(res)}
	better, err := t.unbroken(ctx, res)
	if err != nil {
		res.Note("answered without the model: " + t.mask(reason(err)))
		return res
	}
	return better
}

// unbroken is assist, where a mistake of ours in reading what a model or its
// server said is an error like theirs.
func (t *turn) unbroken(ctx context.Context, found contract.Result) (out contract.Result, err error) {
	defer func() {
		if recover() != nil {
			out, err = found, errors.New("reading what it said broke; please report it")
		}
	}()
	return t.assist(ctx, found)
}

// until ends a model's part in time for the answer without it.
func until(ctx context.Context, share time.Time) (context.Context, context.CancelFunc) {
	end := share
	if deadline, ok := ctx.Deadline(); ok {
		const least, most = 50 * time.Millisecond, time.Second
		deadline = deadline.Add(-min(max(time.Until(deadline)/20, least), most))
		if end.IsZero() || deadline.Before(end) {
			end = deadline
		}
	}
	if end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end)
}

// questionOf is what a role is asked: the input of that name, else the text
// that its builtin is given.
func questionOf(input map[string]any) string {
	for _, name := range []string{"question", "query", "text", "component", "reference"} {
		if s, ok := input[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// earlier is the question that this one follows up, where the builtin read it so.
func earlier(res contract.Result) string {
	const says = "read as a follow-up to: "
	if res.Notes == nil {
		return ""
	}
	_, before, found := strings.Cut(*res.Notes, says)
	if !found {
		return ""
	}
	before, _, _ = strings.Cut(before, "; ")
	return " (asked after: " + before + ")"
}

func spent(role *plan.Role, err error) (contract.Result, error) {
	var ex *budget.ExhaustedError
	if !errors.As(err, &ex) {
		return contract.Result{}, err
	}
	return contract.NotFound("Not looked at: the budget of "+ex.Limit+" was used up.", fmt.Sprintf("limit hit: %d %s", ex.Max, ex.Limit)), nil
}
