// Package doctor checks for problems before they occur, and suggests remedies. It
// changes nothing.
package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model/discover"
)

// Level is the outcome of a check.
type Level string

// The outcomes of a check.
const (
	Good Level = "ok"
	Warn Level = "warning"
	Bad  Level = "error"
)

// Check is the result of one check.
type Check struct {
	Subject string `json:"subject"`
	Level   Level  `json:"level"`
	Found   string `json:"found"`
	Do      string `json:"do,omitempty"` // the remedy, if any
}

// Run runs all checks. It asks configured endpoints, and the usual local addresses of
// model servers, what they offer; nothing else is sent.
func Run(ctx context.Context, opt service.Options) []Check {
	out := []Check{configDir(opt)}
	snap, diags, err := service.Load(ctx, opt)
	out = append(out, checkConfiguration(diags, err)...)
	out = append(out, checkEditors(opt)...)
	out = append(out, checkInstalls(ctx, opt.Work, opt.Version)...)
	if snap == nil {
		return out
	}
	defer snap.Close()
	if held := snap.Held(); held != nil {
		out = append(out, Check{"trust", Warn, fmt.Sprintf("%s came with a project and is not trusted yet: %s", opt.Display, strings.Join(held.Paths(), ", ")),
			"review and allow it with: " + opt.Command()})
	}
	out = append(out, checkRoots(ctx, snap)...)
	out = append(out, checkHistory(ctx, snap)...)
	out = append(out, checkModels(ctx, snap, discover.Places)...)
	out = append(out, checkUpstreams(ctx, snap, opt)...)
	out = append(out, checkDependencies(ctx, snap.Plan.Config.Dependencies, opt)...)
	out = append(out, checkCollections(ctx, snap)...)
	out = append(out, checkNetwork(snap.Plan.Config.Network)...)
	return append(out, checkArtifacts(snap.Plan.Config))
}

// Healthy reports whether no check is an error.
func Healthy(checks []Check) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool { return c.Level == Bad })
}

func configDir(opt service.Options) Check {
	if opt.Dir == "" {
		return Check{"configuration", Good, "the built-in one", "write your own with: compactor init"}
	}
	var names []string
	for _, layer := range opt.Layers {
		whose := " (yours)"
		if layer.Project {
			whose = " (this project's)"
		}
		names = append(names, layer.Display+whose)
	}
	return Check{"configuration", Good, strings.Join(names, ", "), ""}
}

func checkConfiguration(list diag.List, err error) []Check {
	if err != nil {
		return []Check{{"configuration", Bad, err.Error(), "mend it, or choose another directory with --config"}}
	}
	errs, warnings := list.Count()
	switch {
	case errs > 0:
		return []Check{{"configuration", Bad, fmt.Sprintf("%d errors; the first: %s", errs, list.Err()), "see all with: compactor validate"}}
	case warnings > 0:
		return []Check{{"configuration", Warn, fmt.Sprintf("%d warnings", warnings), "see them with: compactor validate"}}
	}
	return nil
}

func checkRoots(ctx context.Context, snap *service.Snapshot) []Check {
	var out []Check
	for i, r := range snap.Roots.Roots() {
		if i == 0 {
			out = append(out, Check{"sandbox", Good, r.Wall(), ""}, secondWall(snap))
		}
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		files, stats, err := r.Files(ctx, "")
		cancel()
		c := Check{"root " + r.Path(), Good, fmt.Sprintf("%d files; left out: %d ignored, %d denied, %d links", len(files), stats.Ignored, stats.Denied, stats.Links), ""}
		switch {
		case err != nil && len(files) == 0:
			c = Check{c.Subject, Bad, err.Error(), "name another directory in roots, or with --root"}
		case stats.Cut:
			c.Level, c.Do = Warn, "it took more than 5 s to list; name a smaller directory, or ignore build output in .gitignore"
		case len(files) == 0:
			c.Level, c.Do = Warn, "there is nothing to search; is everything ignored?"
		}
		out = append(out, c)
	}
	return out
}

// secondWall reports what the kernel restricts in addition while a question is
// answered. The doctor process itself is not restricted so much.
func secondWall(snap *service.Snapshot) Check {
	c := Check{"second wall", Good, "", ""}
	st := snap.Wall()
	if st.Why != "" {
		c.Found = "none: Landlock is not in force, for " + st.Why
		if st.Do != "" { // users must know that they are less protected than they may think
			c.Level, c.Do = Warn, st.Do
		}
		return c
	}
	c.Found = fmt.Sprintf("Landlock (version %d of its interface): research, call and serve can open the roots, the configuration, their state and notes, and what the system needs, and start nothing but git", st.ABI)
	return c
}

func checkArtifacts(cfg *config.Config) Check {
	if cfg.Artifacts.Dir == "" {
		return Check{"artifacts", Good, "off", "set artifacts: dir to keep handoffs"}
	}
	return Check{"artifacts", Good, cfg.Artifacts.Dir, ""}
}

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
