package service

import (
	"context"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// layers returns the directories of the configuration, lowest precedence first.
func (o Options) layers() []config.Layer {
	if len(o.Layers) == 0 && o.Dir != "" {
		return []config.Layer{{Dir: o.Dir, Display: o.Display}}
	}
	return o.Layers
}

// load reads the configuration with o.Load, or config.Load if that is nil.
func (o Options) load(ctx context.Context) (*config.Config, diag.List, error) {
	load := o.Load
	if load == nil {
		load = config.Load
	}
	return load(ctx, config.Options{Defaults: o.Defaults, Layers: o.layers()})
}

// consentEnv returns the environment for consent checks.
func (o Options) consentEnv(cat catalog.Catalog) consent.Env {
	return consent.Env{Place: o.Place, Work: o.Work, Roots: slices.Concat(slices.Collect(maps.Values(o.Roots))...), Catalog: cat, Variable: o.Variable}
}

// judgeReach returns the reach of a project's configuration, and the part of it that the user has not allowed yet.
// p is the compiled configuration, or nil.
func (o Options) judgeReach(cfg *config.Config, cat catalog.Catalog, p *plan.Plan) (all, held *consent.Effects) {
	env := o.consentEnv(cat)
	env.Plan = p
	all = consent.Of(cfg, env)
	if o.Whole {
		return all, nil
	}
	return all, all.Held(consent.Allowed(o.State), o.Dir)
}

// Judge returns the reach of a project's configuration and the held part of it, without opening anything.
func Judge(ctx context.Context, opt Options) (all, held *consent.Effects, err error) {
	cfg, _, err := opt.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	cat, err := catalog.Of(opt.Builtins(func(s string) string { return s })...)
	if err != nil {
		return nil, nil, err
	}
	opt.Whole = false
	all, held = opt.judgeReach(cfg, cat, nil)
	return all, held, nil
}

// compileRestrained compiles a configuration without its held items. If the rest of the
// project's layer is not valid alone, the whole layer is dropped.
func (o Options) compileRestrained(cfg *config.Config, held *consent.Effects, cat catalog.Catalog) (*plan.Plan, diag.List) {
	if p, _ := plan.Compile(consent.Restrained(cfg, held, o.consentEnv(cat)), cat); p != nil {
		return p, nil
	}
	return plan.Compile(cfg.Base, cat)
}

// Held returns the items of the project's configuration that await the user's consent,
// or nil.
func (s *Snapshot) Held() *consent.Effects { return s.held }

// AllowWith returns the command by which a user allows the held items.
func (s *Snapshot) AllowWith() string { return s.opt.Command() }

// allowsServer reports whether a server may be started or connected to. It is checked each
// time, since the files that it runs may have changed after they were allowed.
func (s *Snapshot) allowsServer(server config.Server) bool {
	switch {
	case s.Plan.Config.Servers[server.Name].Held:
		return false
	case !server.Project, s.opt.Project == "":
		return true
	case s.held.Holds("servers", server.Name):
		return false
	}
	return s.reach.Fresh(server, s.opt.consentEnv(s.Plan.Catalog))
}
