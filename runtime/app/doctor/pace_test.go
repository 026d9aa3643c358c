package doctor

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// paced reads and writes at a speed, or is never done.
type paced struct{ in, out float64 }

func (p paced) Chat(ctx context.Context, req model.Request, _ func(model.Delta)) (*model.Reply, error) {
	if p.out == 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	n := model.EstimateRequest(req)
	first := time.Duration(float64(n) / p.in * float64(time.Second))
	return &model.Reply{Content: "1 2 3", Usage: model.Usage{In: n, Out: req.MaxTokens, First: first,
		Total: first + time.Duration(float64(req.MaxTokens)/p.out*float64(time.Second))}}, nil
}

func (paced) Embed(context.Context, []string) ([][]float32, error) { return nil, nil }

func (paced) Info(context.Context) (model.Info, error) {
	return model.Info{Model: "m", Window: 8192, Loaded: true}, nil
}

func TestAModelThatIsTooSlowForARole(t *testing.T) {
	cfg := &config.Config{Models: map[string]config.Model{"default": {Provider: "openai"}}, Roles: map[string]config.Role{
		"writer": {Model: "default", Task: "answer", Budget: budget.Limits{Time: 25 * time.Second}}}}
	for _, c := range []struct {
		name    string
		paced   paced
		level   Level
		has, do string
	}{
		{"fast", paced{900, 60}, Good, "m, 8192 tokens of context", ""},
		{"slow", paced{50, 4}, Warn, "slow: it reads 50 and writes 4 tokens a second, so that the writer needs some 80 s and has 25", "roles.writer.budget.time"},
		{"never", paced{}, Warn, "slow: not done with a small question after 8s", "smaller model"},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := checkEndpoint(t.Context(), cfg, "default", model.NewLimiter("default", c.paced, 0, 0))
			if got.Level != c.level || !strings.Contains(got.Found, c.has) || !strings.Contains(got.Do, c.do) {
				t.Errorf("%s: %+v", c.name, got)
			}
		})
	}
}
