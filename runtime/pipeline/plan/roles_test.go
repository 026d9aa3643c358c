package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// ownRoles are roles of all kinds: without a builtin, with one and an output of
// their own, and with a fallback of each kind.
const ownRoles = `
roles: reviewer: {
	purpose: "review"
	ground:  "code.locate"
	task:    "free"
	#input: {question: string, focus?: string}
	#output: {risk: "low" | "high", findings: [...{quote: string, line: int}]}
	prompt: "Review {{ input.question }}{{ input.focus != nil ? ' for ' + input.focus : '' }}. Use {{ '{{' }}."
	bounds: findings: 3
	verify: {quotes: "retry", tokens: {most: 90, fields: ["findings.quote"], fail: "fallback"}}
	fallback: value: "{risk: 'high', findings: [{quote: input.question, line: 1}]}"
}
roles: finder: {
	purpose: "find"
	task:    "free"
	prompt:  "Find it. {}"
	#input: {question: string, most: int | *3}
	#output: {summary: string, references: [...string], key_findings: [...string], confidence: "low" | "med" | "high", notes: string | null}
	fallback: {builtin: "code.locate", with: limit: "input.most"}
}
roles: thinker: {purpose: "think", task: "free", prompt: "Think.", #output: thought: string}
roles: refuser: {purpose: "refuse", task: "off", prompt: "Refuse.", #output: thought: string, fallback: error: "NO_THOUGHT"}
pipelines: mine: {
	#input: question: string
	stages: {
		review: {role: "reviewer", with: question: "input.question"}
		off: {role: "reviewer", task: "off", with: question: "input.question"}
		find: {role: "finder", each: "review.value.findings", with: question: "item.quote"}
	}
	output: "{risk: review.value.risk, lines: map(review.value.findings, .line), found: map(find.value, .value.summary)}"
}
`

func TestRolesHaveTypes(t *testing.T) {
	p := compiled(t, ownRoles)
	for name, want := range map[string][2]string{
		"reviewer": {"{question: string, focus?: string}", `{risk: "low" | "high", findings: [...{quote: string, line: int}]}`},
		"thinker":  {"{}", "{thought: string}"},
		"locator":  {p.Roles["locator"].Ground.In.Line(), p.Roles["locator"].Ground.Out.Line()},
	} {
		r := p.Roles[name]
		if got := [2]string{r.In.Line(), r.Out.Line()}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := p.Pipelines["mine"].Result.Line(); got != `{risk: "low" | "high", lines: [..._], found: [..._]}` {
		t.Errorf("the pipeline gives %s", got)
	}
}

func TestRoleIsResolved(t *testing.T) {
	p := compiled(t, ownRoles)
	reviewer := p.Roles["reviewer"]
	if d := cmp.Diff(map[string]plan.Bound{"findings": {Entries: 3}}, reviewer.Bounds); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]plan.Bound{"references": {Entries: 16}, "key_findings": {Entries: 12, Bytes: 240}, "summary": {Bytes: 600}}, p.Roles["locator"].Bounds); d != "" {
		t.Error(d)
	}
	var checks []string
	for _, c := range reviewer.Checks {
		checks = append(checks, c.Name+" "+c.Fail)
	}
	if d := cmp.Diff([]string{"quotes " + task.Retry, "tokens " + task.Fallback}, checks); d != "" {
		t.Error(d)
	}
	if !reviewer.Asks() || reviewer.Ground.Name != "code.locate" {
		t.Error("the role has a task and a builtin")
	}
	if off := p.Pipelines["mine"].Stage("off").Role; off.Asks() || off.Ground.Name != "" || off.Fallback.Value == nil {
		t.Errorf("a stage that asks nothing runs what nobody sees: %+v", off.Ground.Name)
	}
	if again := p.Roles["reviewer"]; again.Ground.Name == "" {
		t.Error("a stage changed the role itself")
	}
	if final := p.Pipelines["mine"].Stage("find").Final; !final {
		t.Error("the output reads it")
	}
}

func TestFallbacks(t *testing.T) {
	p := compiled(t, ownRoles)
	env, err := p.Roles["reviewer"].Env(map[string]any{"question": "x"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Roles["reviewer"].Fallback.Value.Eval(env)
	if d := cmp.Diff(map[string]any{"risk": "high", "findings": []any{map[string]any{"quote": "x", "line": 1}}}, v); d != "" || err != nil {
		t.Error(err, d)
	}
	found := p.Roles["finder"].Fallback
	if found.Builtin.Name != "code.locate" || found.With["limit"] == nil || found.With["question"] == nil || len(found.With) != 2 {
		t.Errorf("%+v", found)
	}
	if f := p.Roles["thinker"].Fallback; f.Code != plan.Unanswered || f.Message == "" {
		t.Errorf("%+v", f)
	}
	if f := p.Roles["refuser"].Fallback; f.Code != "NO_THOUGHT" || f.Message == "" {
		t.Errorf("%+v", f)
	}
	if f := p.Roles["locator"].Fallback; f.Builtin.Name != "" || f.Value != nil || f.Code != "" {
		t.Errorf("what the builtin found stands by itself: %+v", f)
	}
}

func TestPrompts(t *testing.T) {
	p := compiled(t, ownRoles)
	if !p.Roles["finder"].Prompt.Plain() || p.Roles["reviewer"].Prompt.Plain() {
		t.Error("plain is what has no expressions")
	}
	for focus, want := range map[any]string{nil: "Review x. Use {{.", "speed": "Review x for speed. Use {{."} {
		env, err := p.Roles["reviewer"].Env(map[string]any{"question": "x", "focus": focus})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, part := range p.Roles["reviewer"].Prompt.Parts {
			text := part.Text
			if part.Program != nil {
				v, err := part.Program.Eval(env)
				if err != nil {
					t.Fatal(err)
				}
				text, _ = v.(string)
			}
			got += text
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What a stage with a role of its own type came to is seen as that type, also where
// it failed.
func TestOutputsOfRolesAreSeen(t *testing.T) {
	p := compiled(t, ownRoles)
	s := p.Pipelines["mine"].Stage("review")
	env := map[string]any{}
	s.Set(env, plan.Result{Status: string(contract.Failed)})
	seen, _ := env["review"].(map[string]any)
	if d := cmp.Diff(map[string]any{"risk": "", "findings": []any{}}, seen["value"]); d != "" {
		t.Error(d)
	}
}
