// Package agent runs one role once. Where a builtin grounds the role, it finds the
// answer deterministically, so that a result exists before any model is asked, and
// stands when none is; what a model says improves on it only where the text it was
// shown carries it. A role without such a builtin has its model make a value of
// its input, which a program checks, and a fallback that stands where that fails.
//
// It is the loop and the ladder: what a model is told, how its reply is applied
// and checked is runtime/pipeline/task's, how text of others is marked is agent/fence's. It
// sees a role, an input and capabilities; it never sees the server, the gateway or
// a store.
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
	Chain func(name string) *model.Chain // the model of that name, nil for none
	Mask  func(role, text string) string // masks secrets in what a role's model is shown and in what the role says; nil masks nothing
}

// Run answers for the role: a contract.Result where a builtin grounds it and its
// task improves on that, else a map that fits the role's output. Nothing that a
// model does is a failure: what stands without it then is the answer, with a note.
// An error is the grounding builtin's, the fallback's, or says that nothing stands
// in the model's place.
func (r Runner) Run(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (any, error) {
	if role.Task.Form == nil && role.Ground.Name != "" {
		return r.grounded(ctx, role, env, input)
	}
	return r.made(ctx, role, env, input)
}

// grounded runs the builtin and has the model improve on what it found. A spent
// budget is not a failure: the result says that it was cut.
func (r Runner) grounded(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (any, error) {
	v, err := role.Ground.Run(ctx, env, input)
	if err != nil {
		return spent(err)
	}
	res, ok := v.(contract.Result)
	if !ok { // plan.Compile has checked the type; only another catalog gets here
		return contract.Result{}, fmt.Errorf("role %s: builtin %s returned %T", role.Name, role.Ground.Name, v)
	}
	if t := r.turn(role, env, input, questionOf(role, input)+followed(res)); t != nil {
		better, err := t.withModel(ctx, res)
		if err != nil && ownFallback(role) {
			return r.fallback(ctx, role, env, input, nil, t.mask(t.reason(err)))
		}
		if res = better; err != nil {
			res.Note(without + t.mask(t.reason(err)))
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

// What a note says where no model answered.
const (
	without = "answered without the model: "
	noModel = "none is configured"
)

// ownFallback reports whether something else than what the grounding builtin found
// stands in the model's place.
func ownFallback(role *plan.Role) bool {
	f := role.Fallback
	return f.Builtin.Name != "" || f.Value != nil || f.Code != ""
}

// turn is what the role has to do with its model; nil where it has none.
func (r Runner) turn(role *plan.Role, env *catalog.Env, input map[string]any, question string) *turn {
	if r.Chain == nil || !role.Asks() {
		return nil
	}
	chain := r.Chain(role.Model)
	if chain == nil {
		return nil
	}
	extra := *env
	extra.Ledger = env.Ledger.Portion(0.5)
	return &turn{Runner: r, role: role, env: env, extra: &extra, chain: chain, input: input, question: question}
}

// withModel is the result with what a model adds to it; with an error it is as it
// was found.
func (t *turn) withModel(ctx context.Context, found contract.Result) (out contract.Result, err error) {
	ctx, cancel := until(ctx, t.env.Until)
	defer cancel()
	defer func() {
		if recover() != nil {
			out, err = found, errBroke
		}
	}()
	if out, err = t.assist(ctx, found); err != nil {
		return found, err
	}
	if len(t.role.Checks) == 0 {
		return out, nil
	}
	return t.verifyResult(ctx, found, out)
}

// errBroke is a mistake of ours, which is told as those of models are.
var errBroke = errors.New("internal error while reading the model's reply; please report it")

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

// questionOf is what a role is asked: the input that its task calls the question,
// else the first text of what it is given, those first that it must be given.
func questionOf(role *plan.Role, input map[string]any) string {
	if s := textAt(input, role.Task.Asked); s != "" {
		return s
	}
	for _, must := range []bool{true, false} {
		for _, f := range inputs(role) {
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

// followed tells the question that this one follows up, where the builtin read it so.
func followed(res contract.Result) string {
	if res.Follows == "" {
		return ""
	}
	return " (asked after: " + res.Follows + ")"
}

// spent is the answer where the budget ended the grounding builtin; any other error
// of it is the role's.
func spent(err error) (contract.Result, error) {
	var ex *budget.ExhaustedError
	if !errors.As(err, &ex) {
		return contract.Result{}, err
	}
	return contract.NotFound("Not looked at: the budget of "+ex.Limit+" was used up.", fmt.Sprintf("limit hit: %d %s", ex.Max, ex.Limit)), nil
}

// uses are the checks of a role as task.Verify takes them. last says that the model
// is not asked again, so that what is wrong goes.
func uses(role *plan.Role, last bool) []task.Use {
	out := make([]task.Use, len(role.Checks))
	for i, c := range role.Checks {
		out[i] = task.Use{Check: c.Check, Fields: c.Fields, Most: c.Most, Fail: c.Fail}
		if last && c.Fail == task.Retry {
			out[i].Fail = task.Drop
		}
	}
	return out
}
