package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
)

// What breaks while a model is asked costs what the model would have added.
func TestWhatBreaksIsNotTheAnswer(t *testing.T) {
	h := newHouse(t, nil)
	without := h.locate(t, agent.Runner{}, vague)
	broken := &scripted{window: 8192, say: func(int, model.Request) (string, error) { panic("index out of range") }}
	got := h.locate(t, broken.runner(), vague)
	if lost := keeps(got.References, without.References); lost != "" {
		t.Errorf("lost %s", lost)
	}
	if !strings.Contains(notes(got), "answered without the model") {
		t.Errorf("the note does not say so: %q", notes(got))
	}
}

// That the model was not there is said also where nothing was found.
func TestNothingFoundAndNoModel(t *testing.T) {
	h := newHouse(t, nil)
	const nothing = "zyxwvut qqrrss"
	if without := h.locate(t, agent.Runner{}, nothing); len(without.References) > 0 || len(without.KeyFindings) > 0 {
		t.Fatalf("the question does not test this: %+v", without)
	}
	gone := &scripted{window: 8192, say: func(int, model.Request) (string, error) {
		return "", &model.Error{Kind: model.Unreachable, Model: "default", Message: "nobody listens"}
	}}
	got := h.locate(t, gone.runner(), nothing)
	if !strings.Contains(notes(got), "model default did not answer") {
		t.Errorf("the notes do not say that the model was not there: %q", notes(got))
	}
}

// Words that a model would search for leave no place that it made up.
func TestSearchWordsInventNoPlace(t *testing.T) {
	h := newHouse(t, nil)
	const nothing = "zyxwvut qqrrss"
	for _, word := range []string{"pool/workers.go:12 NewPool", "https://pool.example/workers", "../pool workers NewPool"} {
		m := &scripted{window: 8192, say: func(_ int, req model.Request) (string, error) {
			return `{"words": ["` + word + `", "NewPool", "workers"]}`, nil
		}}
		got := h.locate(t, m.runner(), nothing)
		if strings.Contains(got.Summary, strings.Fields(word)[0]) {
			t.Errorf("%q left: %q", word, got.Summary)
		}
	}
}

// What a model makes the builtins read besides is not taken from those that
// come after.
func TestAModelsSearchLeavesTheBudget(t *testing.T) {
	h := newHouse(t, hidden)
	input := map[string]any{"question": vague}
	plain, helped := h.env(), h.env()
	h.run(t, context.Background(), agent.Runner{}, plain, "locator", input)
	helped.Ledger = budget.New(budget.Limits{Files: plain.Ledger.Usage().Files})
	m := always(`{"words": ["Turnstile"]}`)
	h.run(t, context.Background(), m.runner(), helped, "locator", input)
	if u := helped.Ledger.Usage(); len(u.Hit) > 0 {
		t.Errorf("limits %v are reported as hit, which cut nothing of the answer", u.Hit)
	}
}

// A reply's budget that is small is not a model that is slow.
func TestASmallBudgetIsNoSlowModel(t *testing.T) {
	for name, user := range map[string]string{
		"budget": `roles: locator: budget: tokens_out: 50`,
		"window": ``,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouseWith(t, user, nil)
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			m := always(`{"points": []}`)
			if name == "window" {
				m.window = 200
			}
			got := h.run(t, ctx, m.runner(), h.env(), "locator", map[string]any{"question": vague})
			if n := notes(got); !strings.Contains(n, "too few") || strings.Contains(n, "a second") {
				t.Errorf("note %q", n)
			}
		})
	}
}

// The reply's budget of a stage and of its pipeline holds as the role's does.
func TestTheStagesBudgetOfTheReply(t *testing.T) {
	h := newHouse(t, nil)
	env := h.env()
	env.Ledger = budget.New(budget.Limits{TokensOut: 100}).Child(budget.Limits{})
	m := always(`{"points": []}`)
	h.run(t, context.Background(), m.runner(), env, "locator", map[string]any{"question": vague})
	if !slices.ContainsFunc(m.requests(), func(r model.Request) bool { return r.MaxTokens > 0 }) {
		t.Fatal("nothing was asked")
	}
	for _, r := range m.requests() {
		if r.MaxTokens > 100 {
			t.Errorf("asked for %d tokens, of 100", r.MaxTokens)
		}
	}
}

// A deterministic run asks the same however fast the model is.
func TestExploringDeterministically(t *testing.T) {
	h := newHouseWith(t, exploring, hidden)
	m := native("gate/turnstile.go:4", grepFor("Turnstile"), grepFor("Enter"))
	slow := m.do
	m.do = func(n int, req model.Request) (*model.Reply, error) {
		said, err := slow(n, req)
		said.Usage = model.Usage{In: 1000, Out: 10, First: 100 * time.Millisecond, Total: 1100 * time.Millisecond}
		return said, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	h.run(t, ctx, m.runner(), h.env(), "locator", map[string]any{"question": vague})
	if len(m.around) < 2 {
		t.Fatalf("%d turns", len(m.around))
	}
	for _, r := range m.around {
		if r.MaxTokens != m.around[0].MaxTokens {
			t.Errorf("%d tokens of a reply, then %d", m.around[0].MaxTokens, r.MaxTokens)
		}
	}
}

// What a deterministic run says of a server that fails holds no port and no waiting
// time; any other run says what it knows.
func TestTheNoteOfAFailingServer(t *testing.T) {
	h := newHouse(t, nil)
	const said = "read tcp 127.0.0.1:40312->127.0.0.1:1234: connection reset"
	for _, kind := range []string{model.Unreachable, model.Busy, model.Broken} {
		down := &scripted{window: 8192, say: func(int, model.Request) (string, error) {
			return "", &model.Error{Kind: kind, Model: "default", Message: said}
		}}
		env := h.env()
		if got := notes(h.run(t, context.Background(), down.runner(), env, "locator", map[string]any{"question": vague})); got != "answered without the model: model default did not answer" {
			t.Errorf("%s: deterministic: %q", kind, got)
		}
		env.Deterministic = false
		if got := notes(h.run(t, context.Background(), down.runner(), env, "locator", map[string]any{"question": vague})); !strings.Contains(got, said) {
			t.Errorf("%s: %q", kind, got)
		}
	}
}
