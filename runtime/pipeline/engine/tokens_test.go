package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
)

// wordy writes replies of as many tokens as it is told, or as it may.
type wordy struct {
	reports int // tokens that it says it wrote; 0 where its server says nothing
	text    string

	mu    sync.Mutex
	asked []int // MaxTokens of each request
}

func (w *wordy) Chat(_ context.Context, req model.Request, _ func(model.Delta)) (*model.Reply, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, req.MaxTokens)
	return &model.Reply{Model: "wordy", Content: fmt.Sprintf(`{"text": %q}`, w.text), Usage: model.Usage{Out: w.reports}}, nil
}

func (w *wordy) Embed(context.Context, []string) ([][]float32, error) {
	return nil, &model.Error{Kind: model.Unsupported}
}

func (w *wordy) Info(context.Context) (model.Info, error) {
	return model.Info{Model: "wordy", Window: 8192}, nil
}

// What models write in one stage is taken from what they may write in the next.
func TestStagesShareTheTokensOfReplies(t *testing.T) {
	const text = `
		roles: teller: {
			purpose: "tell", task: "free", prompt: "Tell."
			#input: say: string
			#output: {text: string, notes?: string}
			fallback: value: {text: "nothing"}
		}
		pipelines: main: {
			input: q: string
			budget: tokens_out: LIMIT
			stages: {
				one: {role: "teller", with: say: "input.q"}
				two: {role: "teller", with: say: "one.value.text"}
			}
			output: "two.value.text + ': ' + (two.value.notes ?? '')"
		}`
	for name, c := range map[string]struct {
		limit string
		m     *wordy
		asked int // MaxTokens of the second request; 0 where there is none
		value string
		hit   string
	}{
		"as reported":    {"400", &wordy{reports: 250, text: "told"}, 150, "told: ", "[]"},
		"too few left":   {"400", &wordy{reports: 350, text: "told"}, 0, "nothing: answered without the model: the limit of 400 tokens_out is reached", "[tokens_out]"},
		"more than told": {"400", &wordy{reports: 900, text: "told"}, 0, "nothing: answered without the model: the limit of 400 tokens_out is reached", "[tokens_out]"},
		"not reported":   {"400", &wordy{text: strings.Repeat("word ", 400)}, 0, "nothing: answered without the model: the limit of 400 tokens_out is reached", "[tokens_out]"},
	} {
		t.Run(name, func(t *testing.T) {
			p := compile(t, newWorld(), strings.Replace(text, "LIMIT", c.limit, 1))
			chain := &model.Chain{Limiters: []*model.Limiter{model.NewLimiter("default", c.m, 0, 0)}}
			res, err := engine.New(engine.NewPool(2, 2)).Run(t.Context(), engine.Request{Pipeline: p.Pipelines["main"],
				Roles: agent.Runner{Chain: func(string) *model.Chain { return chain }}, Input: map[string]any{"q": "x"}, Deterministic: true})
			if err != nil {
				t.Fatal(err)
			}
			if res.Value != c.value || fmt.Sprint(res.Usage.Hit) != c.hit {
				t.Errorf("%v, limits hit: %v", res.Value, res.Usage.Hit)
			}
			second := 0
			if len(c.m.asked) > 1 {
				second = c.m.asked[1]
			}
			if c.m.asked[0] != 400 || second != c.asked {
				t.Errorf("asked for %d tokens", c.m.asked)
			}
		})
	}
}
