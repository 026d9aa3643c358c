package agent_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
)

// overheard keeps what passes between a role and a real model.
type overheard struct {
	model.Endpoint
	mu       sync.Mutex
	requests []model.Request
	replies  []*model.Reply
	errs     []error
}

func (o *overheard) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (*model.Reply, error) {
	said, err := o.Endpoint.Chat(ctx, req, on)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests, o.replies, o.errs = append(o.requests, req), append(o.replies, said), append(o.errs, err)
	return said, err
}

// A real model may look around as well or as badly as it can: the answer keeps
// what it had, no request is larger than the window, and what it may not call
// is not called.
func TestRealModelExplores(t *testing.T) {
	const window = 24_576
	names := modeltest.Weights(t)
	weights := names[0] // one will do: one that was trained for calls, where there is
	for _, n := range names {
		if strings.Contains(n, "qwen") {
			weights = n
		}
	}
	srv := modeltest.Llama(t, weights, modeltest.Options{Window: window})
	h := newHouseWith(t, exploring, hidden)
	real, err := openai.New(model.Options{Name: "real", URL: srv.OpenAI(), Model: srv.Model})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := real.Info(t.Context()); err != nil || info.Window < window {
		t.Skipf("%s has a window of %d tokens: %v", weights, info.Window, err)
	}
	for role, input := range map[string]map[string]any{
		"locator":  {"question": vague},
		"analyzer": {"reference": "pool/pool.go:14", "question": asked},
	} {
		t.Run(role, func(t *testing.T) { explores(t, h, real, role, input) })
	}
}

func explores(t *testing.T, h *house, real model.Endpoint, role string, input map[string]any) {
	t.Helper()
	heard := &overheard{Endpoint: real}
	runner := agent.Runner{Chain: func(string) *model.Chain {
		return &model.Chain{Limiters: []*model.Limiter{model.NewLimiter("real", heard, 0, 0)}}
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	env := h.env()
	got := h.run(t, ctx, runner, env, role, input)
	holds(t, h, role, h.run(t, ctx, agent.Runner{}, h.env(), role, input), got)
	around := 0
	for i, req := range heard.requests {
		if model.Is(heard.errs[i], model.Overflow) {
			t.Errorf("request %d is larger than the window: %v", i, heard.errs[i])
		}
		if req.Schema == nil {
			around++
			said := heard.replies[i]
			t.Logf("turn %d, %d tokens estimated, %+v: %+v %q, %v", around, model.EstimateRequest(req), said.Usage, said.Calls, said.Content, heard.errs[i])
			last := req.Messages[len(req.Messages)-1].Content
			t.Logf("told before: %s", last[:min(len(last), 1500)])
		}
	}
	if around == 0 && !strings.Contains(notes(got), "answered without looking around: ") { // this machine may be too slow
		t.Errorf("it was not asked to look around, and nothing says why; notes %q", notes(got))
	}
	t.Logf("%d tool calls, %d refused; %s; references %v", env.Tally.Use().Tools, env.Tally.Use().Refused, got.Summary, got.References)
}
