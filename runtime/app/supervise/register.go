package supervise

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// Register has each running compactor of the same configuration connect to the upstream servers that use the address of a
// dependency, and list their tools, unless they are connected already. It returns the names of the servers that it
// connected.
func Register(ctx context.Context, controlDir, identity string, servers map[string]config.Server, d config.Dependency) []string {
	running, _, err := control.Find(ctx, controlDir)
	if err != nil {
		return nil
	}
	connected := map[string]bool{}
	for _, c := range running {
		if c.About.Configuration != identity {
			continue
		}
		list, err := c.Servers(ctx)
		if err != nil {
			continue // it is ending
		}
		for _, s := range list {
			if slices.Contains([]string{"unknown", "idle", "failing", "open"}, s.State) && uses(servers[s.Name], d) && c.Restart(ctx, s.Name) == nil {
				connected[s.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(connected))
}

// uses reports whether the settings of a server contain a variable of a dependency.
func uses(s config.Server, d config.Dependency) bool {
	if d.Program.Project && !s.Project {
		return false // see Value
	}
	texts := slices.Concat([]string{s.URL}, s.Args, slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.Headers)))
	variable := "${" + config.AddrVariable(d.Program.Name)
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.Contains(text, variable+"}") || strings.Contains(text, variable+":-")
	})
}
