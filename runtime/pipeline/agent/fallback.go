package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// fallback returns the role's answer without a model: the role's own fallback, else the findings of its grounding
// builtin, else an error with a code. why says what happened to the model if there was to be one; it is put into the
// notes if the output has any.
func (r Runner) fallback(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any, found any, why string) (any, error) {
	value, err := r.instead(ctx, role, env, input, found, why)
	if err != nil {
		return nil, err
	}
	if why != "" {
		addNote(role.Out, value, without+why)
	}
	return r.cleanOutput(role, value), nil
}

func (r Runner) instead(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any, found any, why string) (map[string]any, error) {
	f := role.Fallback
	switch {
	case f.Code != "":
		return nil, unansweredError(f.Code, f.Message, why)
	case f.Value != nil:
		seen, err := role.Env(input)
		if err != nil {
			return nil, err
		}
		v, err := f.Value.Eval(seen)
		if err != nil {
			return nil, fmt.Errorf("fallback of role %s: %w", role.Name, err)
		}
		return toOutput(role, v, nil)
	case f.Builtin.Name != "":
		given, err := fallbackInput(role, input)
		if err != nil {
			return nil, err
		}
		v, err := f.Builtin.Run(ctx, env, given)
		if err != nil {
			return nil, err
		}
		return toOutput(role, v, f.Builtin.Out)
	case found != nil:
		return toOutput(role, found, role.Ground.Out)
	}
	return nil, unansweredError(plan.Unanswered, "role "+role.Name+" has no model that answers; set models."+role.Model+", or give the role a fallback", why)
}

// unansweredError returns the error of a role without an answer.
func unansweredError(code, message, why string) error {
	if why != "" {
		message += " (" + why + ")"
	}
	return &contract.Error{Name: "RoleError", Code: code, Message: message}
}

// fallbackInput evaluates the inputs of the fallback's builtin.
func fallbackInput(role *plan.Role, input map[string]any) (map[string]any, error) {
	seen, err := role.Env(input)
	if err != nil {
		return nil, err
	}
	out := make(map[string]any, len(role.Fallback.With))
	for name, p := range role.Fallback.With {
		v, err := p.Eval(seen)
		if err != nil {
			return nil, fmt.Errorf("fallback of role %s: input %s: %w", role.Name, name, err)
		}
		out[name] = v
	}
	return out, nil
}

// toOutput converts a value of our own, not a model's, to the role's output.
func toOutput(role *plan.Role, v any, of *schema.Schema) (map[string]any, error) {
	if of == nil {
		of = role.Out
	}
	plain, err := plan.Plain(v, of)
	if err != nil {
		return nil, fmt.Errorf("role %s: %w", role.Name, err)
	}
	m, ok := contract.Outside(plain).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("role %s: what stands without a model is %T, want an object", role.Name, plain)
	}
	got, err := reply.Fit(m, role.Out)
	if err != nil {
		return nil, fmt.Errorf("role %s: what stands without a model does not fit its output: %w", role.Name, err)
	}
	return got.Value, nil
}

// addNote adds a remark if the output has a text field for it.
func addNote(out *schema.Schema, value map[string]any, text string) {
	f := out.Field("notes")
	if f == nil || f.Schema.Type != schema.String || len(f.Schema.Enum) > 0 || f.Schema.Pattern != "" {
		return
	}
	if have, _ := value["notes"].(string); have != "" && !strings.Contains(have, text) {
		text = have + "; " + text
	}
	if f.Schema.MaxLen != nil && len(text) > *f.Schema.MaxLen {
		return
	}
	value["notes"] = text
}
