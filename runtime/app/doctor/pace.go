package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// Size of the trial question: long enough to read that the speed shows, with a short
// answer. A model that is not done within trialTime is slow.
const (
	trialLines = 30
	trialOut   = 24
	trialTime  = 8 * time.Second
)

// checkPace describes a loaded model that is too slow for the time budgets of its roles.
// It returns "" if the model is fast enough or could not be tried.
func checkPace(ctx context.Context, cfg *config.Config, g *model.Limiter, roles []string) (found, do string) {
	if len(roles) == 0 {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	start := time.Now()
	_, err := g.Chat(ctx, trialRequest(), nil)
	pace := g.Pace()
	switch {
	case err != nil && ctx.Err() == nil:
		return "", "" // the problem is not its speed
	case pace.In <= 0 || pace.Out <= 0:
		if err == nil || time.Since(start) < trialTime/2 {
			return "", ""
		}
		return fmt.Sprintf("slow: not done with a small question after %s", trialTime), "load a smaller model, or give it the GPU; until then the builtins answer alone"
	}
	for _, name := range roles {
		role := cfg.Roles[name]
		need, has := requestTime(role.Task, pace), role.Budget.Time
		if has > 0 && need > has {
			return fmt.Sprintf("slow: it reads %.0f and writes %.0f tokens a second, so that the %s needs some %.0f s and has %.0f", pace.In, pace.Out, name, need.Seconds(), has.Seconds()),
				fmt.Sprintf("load a smaller model, or raise roles.%s.budget.time; it is given shorter prompts, or the builtins answer alone", name)
		}
	}
	return "", ""
}

// requestTime returns how long a typical request of a task takes.
func requestTime(name string, pace model.Pace) time.Duration {
	t, ok := task.All().Get(name)
	if !ok {
		return 0
	}
	const usual = 0.5 // share of the longest reply
	return time.Duration((float64(t.TokensIn)/pace.In + usual*float64(t.TokensOut)/pace.Out) * float64(time.Second))
}

// trialRequest returns a request with a prompt and an answer of known size.
func trialRequest() model.Request {
	var b strings.Builder
	for i := range trialLines {
		fmt.Fprintf(&b, "Line %d says that item %d stands on shelf %d of the store.\n", i+1, i*7, i%5)
	}
	b.WriteString("\nCount from one to twenty.")
	return model.Request{MaxTokens: trialOut, Messages: []model.Message{{Role: model.User, Content: b.String()}}}
}
