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

// consentEnv returns the environment for consent checks. Its Compile compiles each configuration once; it is not safe for
// concurrent use.
func (o Options) consentEnv(cat catalog.Catalog) consent.Env {
	type outcome struct {
		plan *plan.Plan
		list diag.List
	}
	known := map[*config.Config]outcome{}
	compile := func(cfg *config.Config) (*plan.Plan, diag.List) {
		out, ok := known[cfg]
		if !ok {
			out.plan, out.list = plan.Compile(cfg, cat)
			known[cfg] = out
		}
		return out.plan, out.list
	}
	return consent.Env{Place: o.Place, Work: o.Work, Roots: slices.Concat(slices.Collect(maps.Values(o.Roots))...), Catalog: cat, Compile: compile, Variable: o.Variable}
}

// judgeReach returns the reach of a project's configuration, and the part of it that the user has not allowed yet.
func (o Options) judgeReach(cfg *config.Config, env consent.Env) (all, held *consent.Effects) {
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
	all, held = opt.judgeReach(cfg, opt.consentEnv(cat))
	return all, held, nil
}

// compileRestrained compiles a configuration without its held items. If the rest of the
// project's layer is not valid alone, the whole layer is dropped.
func compileRestrained(cfg *config.Config, held *consent.Effects, env consent.Env) (*plan.Plan, diag.List) {
	if p, _ := env.Compile(consent.Restrained(cfg, held, env)); p != nil {
		return p, nil
	}
	return env.Compile(cfg.Base)
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

// AllowsDependency reports whether a dependency may be started, like allowsServer.
func (s *Snapshot) AllowsDependency(d config.Dependency) bool {
	return !d.Program.Project || s.opt.Project == "" ||
		!s.held.Holds("dependencies", d.Program.Name) && s.reach.FreshDependency(d, s.opt.consentEnv(s.Plan.Catalog))
}
