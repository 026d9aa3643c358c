package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// roamer is a scripted endpoint that may call tools. While it looks around, do
// says what; what it is asked then, closing says.
type roamer struct {
	window  int
	can     []model.Ability
	tell    bool
	do      func(turn int, req model.Request) (*model.Reply, error)
	closing func(req model.Request) string

	mu           sync.Mutex
	around, then []model.Request
}

const choosingForm = `"points": [`

func (r *roamer) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (*model.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := req.Messages[len(req.Messages)-1].Content
	if req.Schema != nil {
		r.then = append(r.then, req)
		text := `{"words": []}`
		if strings.Contains(last, choosingForm) {
			text = `{"points": []}`
			if r.closing != nil {
				text = r.closing(req)
			}
		}
		return &model.Reply{Content: text}, nil
	}
	r.around = append(r.around, req)
	said, err := r.do(len(r.around)-1, req)
	if errors.Is(err, errHang) {
		r.mu.Unlock()
		<-ctx.Done()
		r.mu.Lock()
		return nil, ctx.Err()
	}
	return said, err
}

func (r *roamer) Embed(context.Context, []string) ([][]float32, error) { return nil, errors.New("no") }

func (r *roamer) Info(context.Context) (model.Info, error) {
	return model.Info{Model: "roamer", Window: r.window, Can: r.can, CanTell: r.tell}, nil
}

func (r *roamer) runner() agent.Runner {
	line := &model.Chain{Limiters: []*model.Limiter{model.NewLimiter("default", r, 0, 0)}}
	return agent.Runner{Chain: func(string) *model.Chain { return line }}
}

// native does one call after the other and then says last.
func native(last string, calls ...model.ToolCall) *roamer {
	return &roamer{window: 32768, tell: true, can: []model.Ability{model.CanTools},
		do: func(n int, _ model.Request) (*model.Reply, error) {
			if n < len(calls) {
				return &model.Reply{Calls: calls[n : n+1]}, nil
			}
			return &model.Reply{Content: last}, nil
		}}
}

func grepFor(pattern string) model.ToolCall {
	return model.ToolCall{Name: "code_grep", Arguments: fmt.Sprintf(`{"pattern": %q}`, pattern)}
}

const exploring = `roles: {locator: explore: true, analyzer: explore: true, synthesizer: {explore: true, tools: ["code.read", "code.grep"]}}`

// hidden is what the question's words do not lead to.
var hidden = map[string]string{"gate/turnstile.go": "package gate\n\n// Turnstile parks callers.\ntype Turnstile struct{ cap int }\n\n// Enter parks the caller while the turnstile is taken.\nfunc (t *Turnstile) Enter() {}\n"}

// all is everything that requests say.
func all(reqs ...model.Request) string {
	var b strings.Builder
	for _, r := range reqs {
		for _, m := range r.Messages {
			b.WriteString(m.Content + "\n")
			for _, c := range m.Calls {
				b.WriteString(c.Name + c.Arguments + "\n")
			}
		}
	}
	return b.String()
}

func (h *house) vaguely(t *testing.T, r *roamer) (contract.Result, catalog.ModelUse) {
	t.Helper()
	return h.vaguelyAs(t, "locator", r)
}

func (h *house) vaguelyAs(t *testing.T, role string, r *roamer) (contract.Result, catalog.ModelUse) {
	t.Helper()
	env := h.env()
	input := map[string]any{"question": vague}
	res := h.run(t, context.Background(), r.runner(), env, role, input)
	holds(t, h, role, h.run(t, context.Background(), agent.Runner{}, h.env(), role, input), res)
	return res, env.Tally.Use()
}

// scout is a role that may look around with more tools than the shipped ones.
const scout = `roles: scout: {
	purpose: "look around", ground: "code.locate", task: "choose", evidence: "code.excerpts", explore: true
	tools: ["code.*"], prompt: "Choose the candidates that answer the question."
}`
