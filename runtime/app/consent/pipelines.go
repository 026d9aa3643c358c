package consent

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// addPipelines adds the pipelines, and the tools and hooks that run them, that gain a
// capability through the project's layer, or whose use of upstream tools differs from
// the configuration without it.
func (j *judge) addPipelines() {
	for _, name := range sorted(j.cfg.Pipelines) {
		gained := j.gainedAbilities(name, name)
		of := definitionDigest(j.world, j.cfg, name)
		if len(gained) == 0 && of != definitionDigest(j.world, j.base, name) {
			gained = []string{"changes which tools of upstream servers it finds or runs or which pages it reads, with what, or what it says of them"}
		}
		if len(gained) > 0 {
			j.addItem(Item{Kind: "pipeline", Path: config.JoinPath("pipelines", name), Does: gained, Of: of})
		}
	}
	for _, name := range sorted(j.cfg.Tools) {
		now, before := j.cfg.Tools[name].Pipeline, j.base.Tools[name].Pipeline
		gained := j.gainedAbilities(now, before)
		if now == before || len(gained) == 0 && definitionDigest(j.world, j.base, before) == "" {
			continue
		}
		does := "runs pipeline " + now
		if before != "" {
			does += " in place of " + before
		}
		j.add("pipeline", []string{"tools", name, "pipeline"}, append([]string{does}, gained...)...)
	}
	for _, name := range sorted(j.cfg.Hooks) {
		h, was := j.cfg.Hooks[name], j.base.Hooks[name]
		gained := j.gainedAbilities(h.Pipeline, was.Pipeline)
		of := pipelineDigest(j.world, j.cfg, h.Pipeline)
		if h == was && len(gained) == 0 && of != pipelineDigest(j.world, j.base, was.Pipeline) {
			gained = []string{"changes what your hook makes of what upstream servers say"}
		}
		if len(gained) > 0 {
			j.addItem(Item{Kind: "pipeline", Path: config.JoinPath("hooks", name, "pipeline"), Does: gained, Of: of})
		}
	}
}

// definitionDigest returns the digest of a pipeline, the pipelines it runs and their roles, or "" if none of them sees or
// runs upstream tools or reads pages. For those, which tools run, with what arguments, and what becomes of the
// results is part of what is allowed. Limits and texts are not, except texts by which a model chooses tools.
func definitionDigest(w Env, c *config.Config, pipeline string) string {
	j := &judge{cfg: c, base: c, world: w}
	r := &reaching{judge: j, cfg: c, does: map[string]bool{}, seen: map[string]bool{}}
	r.visitPipeline(pipeline, config.Stage{})
	if !r.upstream && !r.pages {
		return ""
	}
	return pipelineDigest(w, c, pipeline)
}

// pipelineDigest returns the digest of a pipeline, the pipelines it runs, and their roles.
func pipelineDigest(w Env, c *config.Config, pipeline string) string {
	j := &judge{cfg: c, base: c, world: w}
	r := &reaching{judge: j, cfg: c, does: map[string]bool{}, seen: map[string]bool{}}
	r.visitPipeline(pipeline, config.Stage{})
	var all []any
	for _, name := range sorted(c.Pipelines) {
		if p := c.Pipelines[name]; r.seen[name] {
			p.Doc, p.Input, p.Budget, p.Stages = "", nil, budget.Limits{}, slices.Clone(p.Stages)
			for i := range p.Stages {
				p.Stages[i].Budget, p.Stages[i].Timeout = budget.Limits{}, 0
				all = append(all, j.roleDefinition(p.Stages[i].Role))
			}
			all = append(all, p)
		}
	}
	return digest(all)
}

// roleDefinition returns the part of a role that determines which tools it runs. If its model may run upstream tools,
// that includes the prompt, the purpose and the models themselves.
func (j *judge) roleDefinition(name string) any {
	role, known := j.cfg.Roles[name]
	if !known {
		return nil
	}
	r := &reaching{judge: j, cfg: j.cfg, does: map[string]bool{}, seen: map[string]bool{}}
	r.visitRole(role, "")
	role.Budget, role.Bounds = budget.Limits{}, nil
	if !r.upstream && !(r.pages && role.Explore) {
		role.Prompt, role.Purpose = "", ""
		return role
	}
	chain := map[string]config.Model{}
	for name := range r.seen {
		if model, ok := strings.CutPrefix(name, "model "); ok {
			chain[model] = j.cfg.Models[model]
		}
	}
	return []any{role, chain}
}

// gainedAbilities returns what the pipeline named now can do that the one named before could not without the project's layer.
func (j *judge) gainedAbilities(now, before string) []string {
	had := j.pipelineReach(j.base, before)
	var out []string
	for _, does := range slices.Sorted(maps.Keys(j.pipelineReach(j.cfg, now))) {
		if !had[does] {
			out = append(out, does)
		}
	}
	return out
}

// pipelineReach returns what a pipeline and its nested pipelines can do beyond reading the project.
func (j *judge) pipelineReach(c *config.Config, pipeline string) map[string]bool {
	r := &reaching{judge: j, cfg: c, does: map[string]bool{}, seen: map[string]bool{}}
	r.visitPipeline(pipeline, config.Stage{})
	return r.does
}

type reaching struct {
	*judge
	cfg  *config.Config
	does map[string]bool
	seen map[string]bool

	upstream bool // sees or runs tools of upstream servers
	pages    bool // reads pages
}

// visitPipeline visits the stages of a pipeline, except for those that the stage by which it runs switches off.
func (r *reaching) visitPipeline(name string, by config.Stage) {
	p := r.cfg.Pipelines[name]
	r.seen[name] = true
	r.visitValues(p.Output)
	for stage, s := range p.Stages {
		place := fmt.Sprintf("%q.%d", name, stage)
		if r.seen[place] || config.SwitchedOff(s.When, func(input string) config.Value { return by.With[input] }) {
			continue
		}
		r.seen[place] = true
		r.visitValues(s.Values()...)
		r.visitValues(slices.Collect(maps.Values(r.cfg.Roles[s.Role].With))...)
		switch {
		case s.Role != "":
			r.visitRole(r.cfg.Roles[s.Role], s.Task)
		case s.Builtin != "":
			r.visitBuiltin(s.Builtin)
		case s.Pipeline != "":
			r.visitPipeline(s.Pipeline, s)
		}
	}
}

// visitValues records that expressions read the session's calls. Those are not of the
// project: the client passed them to other tools.
func (r *reaching) visitValues(list ...config.Value) {
	for _, v := range list {
		if plan.ReadsConversation(v.Expr) {
			r.does["reads the calls of the session so far, with what was given to all tools"] = true
		}
	}
}

func (r *reaching) visitRole(role config.Role, asked string) {
	r.visitBuiltin(role.Ground)
	r.visitBuiltin(role.Evidence)
	if role.Fallback != nil {
		r.visitBuiltin(role.Fallback.Builtin)
	}
	for _, pattern := range role.Tools {
		for _, b := range r.world.Catalog.Match(pattern) {
			r.visitBuiltin(b.Name)
		}
	}
	for _, kind := range role.Roots {
		for _, dir := range r.base.Roots[kind] { // the project's own roots are separate items
			if !r.isNear(dir) {
				r.does["reads "+Real(r.absolute(dir))] = true
			}
		}
	}
	if asked == "" {
		asked = role.Task
	}
	if asked != task.Off || role.Explore {
		r.visitModel(role.Model)
	}
}

func (r *reaching) visitBuiltin(name string) {
	b, _ := r.world.Catalog.Get(name)
	r.upstream = r.upstream || b.Caps&(catalog.Upstream|catalog.Execute) != 0
	r.pages = r.pages || b.Caps&catalog.Network != 0
	for cap, does := range capabilities {
		if b.Caps&cap != 0 {
			r.does[does] = true
		}
	}
}

var capabilities = map[catalog.Caps]string{
	catalog.Execute:   "runs tools of upstream servers",
	catalog.Write:     "writes files into the directory of handoffs",
	catalog.Network:   "reads pages of the hosts that your network opens",
	catalog.Documents: "searches your collections",
	catalog.Annotate:  "pins quotes of your collections",
}

// visitModel records the model that a role asks, and its fallbacks. Harmless models are not
// recorded, and a model that the project declares is a separate item.
func (r *reaching) visitModel(name string) {
	if r.seen["model "+name] {
		return
	}
	r.seen["model "+name] = true
	m := r.cfg.Models[name]
	if !reflect.DeepEqual(m, r.base.Models[name]) {
		return
	}
	if !isHarmless(m, r.world.Dir) {
		r.does["asks the model "+name] = true
	}
	for _, f := range m.Fallback {
		r.visitModel(f)
	}
}
