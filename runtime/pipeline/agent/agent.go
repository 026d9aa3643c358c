package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// Runner runs roles. The zero value is ready and asks no model.
type Runner struct {
	Chain func(name string) *model.Chain // returns the model with that name, or nil
	Mask  func(role, text string) string // masks secrets in the role's prompts and replies; nil masks nothing
}

// Run answers for the role: a contract.Result if a builtin grounds it and its task
// improves on that, otherwise a map that fits the role's output. A model's failure is
// never an error: the result without a model is then the answer, with a note. An error
// comes from the grounding builtin or the fallback, or says that there is nothing to use
// in place of the model.
func (r Runner) Run(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (any, error) {
	if role.Task.Form == nil && role.Ground.Name != "" {
		return r.runGrounded(ctx, role, env, input)
	}
	return r.runFreeform(ctx, role, env, input)
}

// runGrounded runs the builtin and lets the model improve on its findings. An exhausted budget is not an error: the result
// says that it was cut short.
func (r Runner) runGrounded(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (any, error) {
	v, err := role.Ground.Run(ctx, env, input)
	if err != nil {
		return spentResult(env, err)
	}
	res, ok := v.(contract.Result)
	if !ok { // plan.Compile has checked the type; only a different catalog can get here
		return contract.Result{}, fmt.Errorf("role %s: builtin %s returned %T", role.Name, role.Ground.Name, v)
	}
	if t := r.newTurn(role, env, input, questionOf(role, input)+followNote(res)); t != nil {
		better, err := t.withModel(ctx, res)
		if err != nil && ownFallback(role) {
			return r.fallback(ctx, role, env, input, nil, t.mask(t.failureReason(err)))
		}
		if res = better; err != nil {
			res.Note(without + t.mask(t.failureReason(err)))
		}
	} else if role.Asks() && ownFallback(role) {
		return r.fallback(ctx, role, env, input, nil, noModel)
	}
	if len(role.Redaction) > 0 {
		r.maskResult(role, &res)
	}
	boundResult(role, &res)
	return res, nil
}

// Texts of a note when no model answered.
const (
	without = "answered without the model: "
	noModel = "none is configured"
)

// ownFallback reports whether the role replaces the model with something other than the findings of its grounding
// builtin.
func ownFallback(role *plan.Role) bool {
	f := role.Fallback
	return f.Builtin.Name != "" || f.Value != nil || f.Code != ""
}

// newTurn returns the roleRun of the role with its model, or nil without a model.
func (r Runner) newTurn(role *plan.Role, env *catalog.Env, input map[string]any, question string) *roleRun {
	if r.Chain == nil || !role.Asks() {
		return nil
	}
	chain := r.Chain(role.Model)
	if chain == nil {
		return nil
	}
	extra := *env
	extra.Ledger = env.Ledger.Portion(0.5)
	return &roleRun{Runner: r, role: role, env: env, extra: &extra, chain: chain, input: input, question: question}
}

// withModel returns the result with the model's additions; on error it returns the result as found.
func (t *roleRun) withModel(ctx context.Context, found contract.Result) (out contract.Result, err error) {
	ctx, cancel := withDeadline(ctx, t.env.Until)
	defer cancel()
	defer func() {
		if recover() != nil {
			out, err = found, errBroke
		}
	}()
	defer func() { t.noteStarved(ctx, err) }()
	if out, err = t.assist(ctx, found); err != nil {
		return found, err
	}
	if len(t.role.Checks) == 0 {
		return out, nil
	}
	return t.verifyResult(ctx, found, out)
}

// errBroke reports a bug of ours, handled like a failure of the model.
var errBroke = errors.New("internal error while reading the model's reply; please report it")

// noteStarved records in the ledger that the model did not answer for lack of time or tokens.
func (t *roleRun) noteStarved(ctx context.Context, err error) {
	var spent *budget.ExhaustedError
	left, limited := t.env.Ledger.TokensInLeft()
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded), model.Is(err, model.TooSlow):
		t.env.Ledger.Starve(fmt.Errorf("%w: %w", context.DeadlineExceeded, err))
	case errors.As(err, &spent):
		t.env.Ledger.Starve(err)
	case limited && promptShare(left) < promptLeast:
		t.env.Ledger.Starve(t.env.Ledger.TokensIn(left + 1)) // refused: the error says whose limit it is
	}
}

// withDeadline limits a model's part so that time remains for the answer without it.
func withDeadline(ctx context.Context, share time.Time) (context.Context, context.CancelFunc) {
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

// questionOf returns the question for a role: the input that its task calls the question,
// or else its first text input, required ones first.
func questionOf(role *plan.Role, input map[string]any) string {
	if s := textAt(input, role.Task.Asked); s != "" {
		return s
	}
	for _, must := range []bool{true, false} {
		for _, f := range inputFields(role) {
			if s := textAt(input, f.Name); s != "" && f.Required == must {
				return s
			}
		}
	}
	return ""
}

func textAt(input map[string]any, name string) string {
	s, _ := input[name].(string)
	return s
}

// followNote returns the question that this one follows up, if the builtin recognized one.
func followNote(res contract.Result) string {
	if res.Follows == "" {
		return ""
	}
	return " (asked after: " + res.Follows + ")"
}

// spentResult returns the answer for a grounding builtin that ran out of budget; other errors
// are returned unchanged.
func spentResult(env *catalog.Env, err error) (contract.Result, error) {
	var ex *budget.ExhaustedError
	if !errors.As(err, &ex) {
		return contract.Result{}, err
	}
	env.Ledger.Starve(err)
	return contract.NotFound("Not looked at: the budget of "+ex.Limit+" was used up.", fmt.Sprintf("limit hit: %d %s", ex.Max, ex.Limit)), nil
}

// checksOf returns the checks of a role for task.Verify. last means that the model is not
// asked again, so what would be retried is dropped.
func checksOf(role *plan.Role, last bool) []task.Use {
	out := make([]task.Use, len(role.Checks))
	for i, c := range role.Checks {
		out[i] = task.Use{Check: c.Check, Fields: c.Fields, Most: c.Most, Fail: c.Fail}
		if last && c.Fail == task.Retry {
			out[i].Fail = task.Drop
		}
	}
	return out
}
