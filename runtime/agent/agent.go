// Package agent runs one role once. Its grounding builtin finds the answer
// deterministically, so that a result exists before any model is asked, and
// stands when none is.
//
// It sees a role, an input and capabilities; it never sees the server, the
// gateway or a store.
package agent

import (
	"context"
	"errors"
	"fmt"

	"compactor/runtime/budget"
	"compactor/runtime/catalog"
	"compactor/runtime/contract"
	"compactor/runtime/model"
	"compactor/runtime/plan"
)

// Runner runs roles. The zero value is ready and asks no model.
type Runner struct {
	Line func(name string) *model.Line // the model of that name, nil for none
	Mask func(text string) string      // masks secrets in what a model is shown and in what it says
}

// Run grounds the role and bounds what comes back. A spent budget is not a
// failure: the result says that it was cut. Any other error of the grounding
// builtin is the role's.
func (Runner) Run(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (contract.Result, error) {
	v, err := role.Ground.Run(ctx, env, input)
	if err != nil {
		return spent(role, err)
	}
	res, ok := v.(contract.Result)
	if !ok { // plan.Compile has checked the type; only another catalog gets here
		return contract.Result{}, fmt.Errorf("role %s: builtin %s returned %T", role.Name, role.Ground.Name, v)
	}
	res.Bound(contract.Bounds{
		References: role.Output.References, Findings: role.Output.Findings,
		Summary: role.Output.Summary, Finding: role.Output.Finding,
	})
	return res, nil
}

func spent(role *plan.Role, err error) (contract.Result, error) {
	var ex *budget.ExhaustedError
	if !errors.As(err, &ex) {
		return contract.Result{}, err
	}
	return contract.NotFound("Not looked at: the budget of "+ex.Limit+" was used up.", fmt.Sprintf("limit hit: %d %s", ex.Max, ex.Limit)), nil
}
