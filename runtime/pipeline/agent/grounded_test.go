package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
)

// grounding are roles over the shipped builtins that say more than those shipped.
const grounding = `
roles: valued: {
	purpose: "find the place", ground: "code.locate", task: "choose", evidence: "code.excerpts"
	prompt: "Choose what answers this: {{ input.question }}. Nothing else."
}
roles: terse: {
	purpose: "find the place", ground: "code.locate", task: "choose", evidence: "code.excerpts", prompt: "Choose."
	verify: tokens: {fields: ["key_findings"], most: 3}
	bounds: {references: {entries: 9, each: 100}, notes: 60}
}
roles: strict: {
	purpose: "find the place", ground: "code.locate", task: "choose", prompt: "Choose."
	fallback: {error: "NO_MODEL", message: "a model must choose"}
}`

// Where the builtins are sure, no model is asked to choose.
func TestASureLocatorAsksNobody(t *testing.T) {
	h := newHouse(t, nil)
	s := always(`{"points": []}`)
	got := h.run(t, context.Background(), s.runner(), h.env(), "locator", map[string]any{"question": "where is NewPool defined?"})
	if got.Confidence != contract.High {
		t.Fatalf("confidence %s", got.Confidence)
	}
	if n := len(s.requests()); n > 0 {
		t.Errorf("asked %d times", n)
	}
}

func TestAPromptWithTheQuestion(t *testing.T) {
	h := newHouseWith(t, grounding, nil)
	s := always(`{"points": []}`)
	h.run(t, context.Background(), s.runner(), h.env(), "valued", map[string]any{"question": vague})
	seen := s.requests()
	if len(seen) == 0 {
		t.Fatal("nothing was vague")
	}
	last := seen[len(seen)-1]
	if text := last.Messages[1].Content; !strings.HasPrefix(text, "Choose what answers this: "+vague+". Nothing else.\n\nQuestion: ") {
		t.Errorf("the user's part is %.200q", text)
	}
	if system := last.Messages[0].Content; !strings.HasPrefix(system, "find the place\n") || strings.Contains(system, vague) {
		t.Errorf("the system's part is %q", system)
	}
}

// Checks of a grounded role judge what the model adds; what was found stays.
func TestChecksOfAResult(t *testing.T) {
	h := newHouseWith(t, grounding, nil)
	without := h.run(t, context.Background(), agent.Runner{}, h.env(), "terse", map[string]any{"question": vague})
	if len(without.KeyFindings) < 3 {
		t.Fatalf("%+v", without)
	}
	env := h.env()
	says := picks(without.References[2], "Run of the Pool lets callers wait for slots of struct type")
	with := h.run(t, context.Background(), says.runner(), env, "terse", map[string]any{"question": vague})
	for _, f := range with.KeyFindings {
		if strings.Contains(f.Text, "lets callers wait") {
			t.Errorf("a note that is too long stays: %q", f.Text)
		}
	}
	if lost := keeps(contract.Texts(with.KeyFindings), contract.Texts(without.KeyFindings)); lost != "" {
		t.Errorf("lost %s", lost)
	}
	if n := env.Tally.Use().Dropped; n != 1 {
		t.Errorf("%d dropped", n)
	}
}

func TestAFallbackInPlaceOfWhatWasFound(t *testing.T) {
	h := newHouseWith(t, grounding, nil)
	down := &scripted{window: 8192, say: func(int, model.Request) (string, error) {
		return "", &model.Error{Kind: model.Unreachable, Model: "default", Message: "nobody listens"}
	}}
	for name, r := range map[string]agent.Runner{"none": {}, "down": down.runner()} {
		_, err := r.Run(context.Background(), h.plan.Roles["strict"], h.env(), map[string]any{"question": asked})
		if codeOf(err) != "NO_MODEL" || !strings.Contains(fmt.Sprint(err), "a model must choose") {
			t.Errorf("%s: %v", name, err)
		}
	}
	got := h.run(t, context.Background(), always(`{"points": []}`).runner(), h.env(), "strict", map[string]any{"question": asked})
	if len(got.References) == 0 {
		t.Errorf("%+v", got)
	}
}
