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

// What a model is tried with: enough to read that its speed shows, and little to
// write. A model that is not done in the time is slow.
const (
	trialLines = 30
	trialOut   = 24
	trialTime  = 8 * time.Second
)

// slowness tells of a loaded model that it cannot be done in the time that its roles
// have; "" where it can, or where it could not be tried.
func slowness(ctx context.Context, cfg *config.Config, g *model.Limiter, roles []string) (found, do string) {
	if len(roles) == 0 {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	start := time.Now()
	_, err := g.Chat(ctx, trial(), nil)
	pace := g.Pace()
	switch {
	case err != nil && ctx.Err() == nil:
		return "", "" // what is wrong then is not its speed
	case pace.In <= 0 || pace.Out <= 0:
		if err == nil || time.Since(start) < trialTime/2 {
			return "", ""
		}
		return fmt.Sprintf("slow: not done with a small question after %s", trialTime), "load a smaller model, or give it the GPU; until then the builtins answer alone"
	}
	for _, name := range roles {
		role := cfg.Roles[name]
		need, has := seconds(role.Task, pace), role.Budget.Time
		if has > 0 && need > has {
			return fmt.Sprintf("slow: it reads %.0f and writes %.0f tokens a second, so that the %s needs some %.0f s and has %.0f", pace.In, pace.Out, name, need.Seconds(), has.Seconds()),
				fmt.Sprintf("load a smaller model, or raise roles.%s.budget.time; it is given shorter prompts, or the builtins answer alone", name)
		}
	}
	return "", ""
}

// seconds is how long a usual question of a task takes.
func seconds(name string, pace model.Pace) time.Duration {
	t, ok := task.All().Get(name)
	if !ok {
		return 0
	}
	const usual = 0.5 // of the longest reply
	return time.Duration((float64(t.TokensIn)/pace.In + usual*float64(t.TokensOut)/pace.Out) * float64(time.Second))
}

// trial is a question whose answer is known to be long enough.
func trial() model.Request {
	var b strings.Builder
	for i := range trialLines {
		fmt.Fprintf(&b, "Line %d says that item %d stands on shelf %d of the store.\n", i+1, i*7, i%5)
	}
	b.WriteString("\nCount from one to twenty.")
	return model.Request{MaxTokens: trialOut, Messages: []model.Message{{Role: model.User, Content: b.String()}}}
}
