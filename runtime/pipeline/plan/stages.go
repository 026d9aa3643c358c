package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// compilePipelines compiles all graphs. Those that others run as a stage come first, so that a
// stage's output type is known when it is used.
func (c *compiler) compilePipelines() {
	done := map[string]int{} // 1 means in progress, 2 done
	var visit func(name string, trail []string)
	visit = func(name string, trail []string) {
		if done[name] == 2 {
			return
		}
		if done[name] == 1 {
			c.pipelineCycle(append(trail, name))
			return
		}
		done[name] = 1
		for _, s := range c.cfg.Pipelines[name].Stages {
			if _, ok := c.cfg.Pipelines[s.Pipeline]; ok {
				visit(s.Pipeline, append(trail, name))
			}
		}
		c.compilePipeline(c.plan.Pipelines[name], c.cfg.Pipelines[name])
		done[name] = 2
	}
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Pipelines)) {
		visit(name, nil)
	}
}

func (c *compiler) pipelineCycle(trail []string) {
	trail = trail[slices.Index(trail, trail[len(trail)-1]):]
	d := c.at("C115", "pipelines", trail[0])
	d.Message = "pipelines run each other in a circle: " + strings.Join(trail, " -> ")
	c.report(d)
}

// graph is one pipeline during compilation.
type graph struct {
	*compiler
	p      *Pipeline
	cfg    config.Pipeline
	stages map[string]*Stage
	order  []string // as written

	outcomes map[string]*schema.Schema // by stage, once compiled
	lacking  map[string][]schema.Field // by stage: inputs whose expressions have been reported
}

func (c *compiler) compilePipeline(p *Pipeline, cfg config.Pipeline) {
	g := &graph{compiler: c, p: p, cfg: cfg, stages: map[string]*Stage{}, outcomes: map[string]*schema.Schema{}, lacking: map[string][]schema.Field{}}
	if g.tooMany() {
		return
	}
	for _, s := range cfg.Stages {
		g.order = append(g.order, s.Name)
		g.stages[s.Name] = g.resolveStage(s)
		if slices.Contains([]string{envInput, envRoots, envCollections, envSession, envItem, envPrevious, envRounds}, s.Name) {
			d := g.at("C125", g.stagePath(s.Name)...)
			d.Message = "a stage cannot be called " + s.Name + ": expressions mean something else by it"
			d.Help = "give the stage another name"
			g.report(d)
		}
	}
	if !g.sort() {
		return
	}
	for _, s := range p.Stages {
		g.compilePrograms(s, g.sourceOf(s.Name))
	}
	g.compileOutput()
	g.reportUnread()
	g.checkBudgets()
	g.countAsks()
}

// Limits on stages; they are written by hand.
const (
	maxStages    = 500 // of one pipeline
	maxAllStages = 5_000
)

// tooMany reports a pipeline too long to be written by hand: compiling it would take
// longer than reading it.
func (g *graph) tooMany() bool {
	d := g.at("C132", "pipelines", g.p.Name, "stages")
	d.Help = "run one stage over a list with each"
	switch all := g.seen + len(g.cfg.Stages); {
	case len(g.cfg.Stages) > maxStages:
		d.Message = fmt.Sprintf("has %d stages; a pipeline has %d at most", len(g.cfg.Stages), maxStages)
	case all > maxAllStages:
		d.Message = fmt.Sprintf("brings all pipelines to %d stages; a configuration has %d at most", all, maxAllStages)
	default:
		g.seen = all
		return false
	}
	g.report(d)
	return true
}

func (g *graph) sourceOf(name string) config.Stage {
	i := slices.IndexFunc(g.cfg.Stages, func(s config.Stage) bool { return s.Name == name })
	return g.cfg.Stages[i]
}

func (g *graph) stagePath(stage string, field ...string) []string {
	return append([]string{"pipelines", g.p.Name, "stages", stage}, field...)
}

// resolveStage resolves the role, builtin or pipeline that a stage runs.
func (g *graph) resolveStage(s config.Stage) *Stage {
	out := &Stage{Name: s.Name, Max: s.Max, Repeat: g.resolveRepeat(s), JoinAll: s.Join == "all", Budget: s.Budget, Timeout: s.Timeout,
		Retry: s.Retry, OnError: s.OnError, With: map[string]*Program{}, Out: &schema.Schema{}}
	switch {
	case s.Role != "":
		out.Kind = RoleStage
		r, ok := g.plan.Roles[s.Role]
		if !ok {
			g.reportUnknown("C101", "role", s.Role, slices.Sorted(maps.Keys(g.plan.Roles)), g.stagePath(s.Name, "role")...)
			return out
		}
		if s.Task != "" && s.Task != r.Role.Task {
			other := *r
			r = &other
			g.resolveAnswer(r, s.Task, g.stagePath(s.Name, "task"))
		}
		out.Role, out.Builtin = r, r.Ground
		if r.Out != nil {
			out.Out = r.Out
		}
	case s.Builtin != "":
		out.Kind = BuiltinStage
		b, ok := g.cat.Get(s.Builtin)
		if !ok {
			g.reportUnknown("C102", "builtin", s.Builtin, g.cat.Names(), g.stagePath(s.Name, "builtin")...)
			return out
		}
		out.Builtin, out.Out = b, b.Out
	default:
		out.Kind = PipelineStage
		p, ok := g.plan.Pipelines[s.Pipeline]
		if !ok {
			g.reportUnknown("C105", "pipeline", s.Pipeline, slices.Sorted(maps.Keys(g.plan.Pipelines)), g.stagePath(s.Name, "pipeline")...)
			return out
		}
		out.Pipeline, out.Out = p, p.Result
	}
	return out
}

// compilePrograms compiles a stage's expressions against its environment: the input, the roots
// and every stage before it.
func (g *graph) compilePrograms(s *Stage, src config.Stage) {
	env := g.env(s)
	within := env // of one run
	given := setting{looked: conditionPaths(g.stagesBefore(s))}
	if src.When != "" {
		s.When = g.compile(src.When, env, true, given, s.Name, "when")
	}
	given = given.withCondition(s.When)
	if src.Each != "" {
		s.Each = g.compile(src.Each, env, false, given, s.Name, "each")
		if s.Each == nil { // already reported; later stages still see a list
			s.Each = &Program{Source: src.Each, Type: &schema.Schema{}}
		}
		within = withFields(env, schema.Field{Name: envItem, Schema: g.eachItem(s)})
	}
	if s.Repeat != nil {
		value := s.Out
		if s.Kind == BuiltinStage && s.Builtin.Shape != nil {
			value = &schema.Schema{} // not known before its inputs
		}
		within = withFields(within, roundFields(value)...)
	}
	g.compileInputs(s, src, within, given)
	g.resolveShape(s)
	if s.Repeat != nil {
		g.compileRepeat(s, src.Repeat, env, given)
	}
	if s.OnError == OnErrorFallback && src.Fallback.IsZero() && (s.Role == nil || s.Role.Fallback.Code != "") {
		d := g.at("C118", g.stagePath(s.Name, "onError")...)
		d.Message = "onError is \"fallback\", but the stage has no fallback"
		d.Help = "write fallback: the expression to use instead; a role with a builtin or a fallback of its own needs none"
		g.report(d)
	}
	if !src.Fallback.IsZero() {
		s.Fallback = g.valueAt(src.Fallback, env, s.Out, given, g.stagePath(s.Name, "fallback"), g.stages)
	}
}

func (g *graph) eachItem(s *Stage) *schema.Schema {
	switch t := s.Each.Type; t.Type {
	case schema.Array:
		if t.Items != nil {
			return t.Items
		}
	case schema.Any:
	default:
		d := g.at("C117", g.stagePath(s.Name, "each")...)
		d.Message = "each is " + describe(t) + ", want a list"
		g.report(d)
	}
	return &schema.Schema{}
}

func (s *Stage) describeTarget() string {
	switch {
	case s.Kind == PipelineStage && s.Pipeline != nil:
		return "pipeline " + s.Pipeline.Name
	case s.Role != nil:
		return "role " + s.Role.Name
	}
	return "builtin " + s.Builtin.Name
}

func (g *graph) compile(src string, env *schema.Schema, cond bool, given setting, stage string, field ...string) *Program {
	return g.compileAt(src, env, cond, given, g.stagePath(stage, field...), g.stages)
}

// stagesBefore returns the stages that come before s.
func (g *graph) stagesBefore(s *Stage) []*Stage {
	var out []*Stage
	for name := range g.ancestors(s) {
		out = append(out, g.stages[name])
	}
	return out
}

// compileOutput compiles the pipeline's result. A bare stage name means its value.
func (g *graph) compileOutput() {
	env := g.env(nil)
	path := []string{"pipelines", g.p.Name, "output"}
	v := g.cfg.Output
	if s, ok := g.stages[v.Expr]; ok {
		v.Expr = s.Name + ".value"
	}
	if v.IsZero() {
		d := g.at("C121", path[:2]...)
		d.Message = "pipeline has no output"
		d.Help = "write output: the name of the stage whose value is the reply"
		g.report(d)
		return
	}
	if g.p.Output = g.valueAt(v, env, &schema.Schema{}, setting{looked: conditionPaths(g.p.Stages)}, path, g.stages); g.p.Output == nil {
		return
	}
	g.p.Result = g.p.Output.Type
	for _, s := range g.p.Stages {
		idle := s.Kind != PipelineStage && s.Builtin.Name != "" && s.Builtin.Caps&catalog.Roots == 0
		s.Final = s.Repeat == nil && (idle || slices.Contains(g.p.Output.Reads, s.Name)) // rounds would use up the time
	}
	g.markRead()
}

// markRead marks the stages that expressions see: the others need not be made readable.
func (g *graph) markRead() {
	seen := map[string]bool{}
	for _, p := range g.allPrograms() {
		if p == g.p.Output && g.p.Whole() != "" {
			continue
		}
		for _, name := range p.Reads {
			seen[name] = true
		}
	}
	g.p.ReadsSession = seen[envSession] || seen[envAll]
	for _, s := range g.p.Stages {
		s.Read = seen[s.Name] || seen[envAll]
	}
}
