package doctor

import (
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/app/supervise"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// checkDependencies asks compactor supervise how the dependencies are.
func checkDependencies(ctx context.Context, list map[string]config.Dependency, opt service.Options) (out []Check) {
	if len(list) == 0 {
		return nil
	}
	statuses, runs := supervise.Find(ctx, supervise.Socket(opt.Dir))
	for _, name := range sorted(list) {
		i := slices.IndexFunc(statuses, func(st supervise.Status) bool { return st.Name == name })
		switch {
		case !runs:
			if c := checkProgram(ctx, list[name].Program); c.Level == Bad {
				c.Subject = "dependency " + name
				out = append(out, c)
				continue
			}
			out = append(out, Check{"dependency " + name, Warn, "compactor supervise does not run", "start it in another terminal with: compactor supervise"})
		case i < 0:
			out = append(out, Check{"dependency " + name, Warn, "unknown to the compactor supervise that runs", "start that again: it reads the configuration once"})
		case statuses[i].State == supervise.Ready && statuses[i].Addr != "":
			out = append(out, Check{Subject: "dependency " + name, Level: Good, Found: "ready at " + statuses[i].Addr})
		case statuses[i].State == supervise.Ready:
			out = append(out, Check{Subject: "dependency " + name, Level: Good, Found: "ready"})
		default:
			found := statuses[i].State
			if statuses[i].Problem != "" {
				found += ": " + statuses[i].Problem
			}
			out = append(out, Check{"dependency " + name, Bad, found, "see what it writes in the terminal of compactor supervise"})
		}
	}
	return out
}
