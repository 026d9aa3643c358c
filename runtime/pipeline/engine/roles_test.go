package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// What a role returns is of the type that it says, and later stages read it.
func TestARoleReturnsItsOwnType(t *testing.T) {
	const text = `
		roles: reviewer: {
			purpose: "review", task: "free", prompt: "Review {{ input.diff }}."
			#input: diff: string
			#output: {verdict: "pass" | "fail", issues: [...{why: string}], notes?: string}
			fallback: value: "{verdict: input.diff contains 'TODO' ? 'fail' : 'pass', issues: [{why: input.diff}]}"
		}
		pipelines: main: {
			input: q: string
			stages: {
				review: {role: "reviewer", with: diff: "input.q"}
				tell: {builtin: "test.echo", when: "review.value.verdict == 'fail'", with: say: "review.value.issues[0].why + ': ' + (review.value.notes ?? '')"}
			}
			output: "tell.ok ? tell.value.text : 'fine'"
		}`
	for diff, want := range map[string]string{"all done": "fine", "a TODO": "a TODO: answered without the model: none is configured"} {
		res, err := run(t, newWorld(), text, map[string]any{"q": diff})
		if err != nil || res.Value != want {
			t.Errorf("%s: %v, %v", diff, res.Value, err)
		}
	}
}

// A role that nothing answers for fails with its code, and its stage may go on.
func TestARoleThatNothingAnswersFor(t *testing.T) {
	res, err := run(t, newWorld(), `
		roles: r: {purpose: "shorten", task: "summarize", prompt: "Shorten."}
		pipelines: main: {
			input: q: string
			stages: a: {role: "r", with: text: "input.q", onError: "continue"}
			output: "a.error.code"
		}`, map[string]any{"q": "text"})
	if err != nil || res.Value != plan.Unanswered {
		t.Errorf("%v, %v", res.Value, err)
	}
}

// capture is a runner that keeps what its roles see of the world.
type capture map[string]*catalog.Env

func (c capture) Run(_ context.Context, role *plan.Role, env *catalog.Env, _ map[string]any) (any, error) {
	c[role.Name] = env
	return map[string]any{"place": "x"}, nil
}

// A role sees the files below its roots where a check of its reply, or what stands
// in the model's place, needs them, and not otherwise.
func TestWhatARoleSeesOfTheFiles(t *testing.T) {
	root, err := sandbox.OpenRoot("code", t.TempDir(), sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	p := compile(t, newWorld(), `
		roles: {
			blind: {purpose: "place", task: "free", prompt: "Place.", #input: say: string, #output: {place: string}, fallback: value: {place: ""}}
			checked: {purpose: "place", task: "free", prompt: "Place.", #input: say: string, #output: {place: string}, fallback: value: {place: ""}, verify: references: "drop"}
			falls: {purpose: "say", task: "free", prompt: "Say.", #input: say: string, #output: {text: string, list: [...string], some: bool}, fallback: builtin: "test.files"}
		}
		pipelines: main: {
			input: q: string
			stages: {
				a: {role: "blind", with: say: "input.q"}
				b: {role: "checked", with: say: "input.q"}
				c: {role: "falls", with: say: "input.q"}
			}
			output: "a"
		}`)
	seen := capture{}
	req := engine.Request{Pipeline: p.Pipelines["main"], Roles: seen, Input: map[string]any{"q": "x"}, Deterministic: true,
		Sandbox: sandbox.NewSet(root), Kinds: map[string][]string{"code": {"code"}}}
	for _, s := range p.Pipelines["main"].Stages { // one after the other: capture is a map
		one := *p.Pipelines["main"]
		one.Stages = []*plan.Stage{s}
		req.Pipeline = &one
		_, _ = engine.New(engine.NewPool(1, 1)).Run(t.Context(), req)
	}
	for role, files := range map[string]bool{"blind": false, "checked": true, "falls": true} {
		if env := seen[role]; env == nil || (env.Roots != nil) != files {
			t.Errorf("%s: sees files: %v, want %v", role, env != nil && env.Roots != nil, files)
		}
	}
}

// What is inside a result is not for a client to say.
func TestAClientSaysNothingThatIsInside(t *testing.T) {
	for _, name := range []string{"$inside", "$INSIDE"} {
		res, err := run(t, newWorld(), `pipelines: main: {
			input: v: {...}
			stages: a: {builtin: "test.echo", with: say: "toJSON(input.v)"}
			output: "a.value.text"
		}`, map[string]any{"v": map[string]any{"own": "x", name: map[string]any{"follows": "y"}}})
		if text, _ := res.Value.(string); err != nil || strings.Join(strings.Fields(text), "") != `{"own":"x"}` {
			t.Errorf("%s: %v, %v", name, res.Value, err)
		}
	}
}
