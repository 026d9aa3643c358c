package plan

import (
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// RequestRoots and RequestLimits are inputs that the request itself obeys, whatever its
// pipeline does with them.
const (
	RequestRoots  = "roots"
	RequestLimits = "constraints"
)

// reportUnread warns about values that are sent or computed for nothing: inputs of a pipeline, and outputs of its stages,
// that no expression reads.
func (g *graph) reportUnread() {
	if g.p.Output == nil || g.diags.HasErrors() { // an expression that does not compile reads nothing
		return
	}
	read, whole := g.inputsRead()
	for _, f := range g.p.Input.Fields {
		if whole || read[f.Name] || f.Name == RequestRoots || f.Name == RequestLimits {
			continue
		}
		for _, path := range g.declaredAt(f.Name) {
			d := g.at("C145", path...)
			d.Severity = diag.Warning
			d.Message = "nothing in pipeline " + g.p.Name + " reads input \"" + f.Name + "\""
			d.Help = "read it as input." + f.Name + " in a stage, or leave it out"
			g.report(d)
		}
	}
	for _, s := range g.p.Stages {
		if s.Read || g.p.Whole() == s.Name || slices.Contains(g.p.Output.Reads, s.Name) || hasEffects(s) {
			continue
		}
		d := g.at("C145", g.stagePath(s.Name)...)
		d.Severity = diag.Warning
		d.Message = "nothing reads what stage \"" + s.Name + "\" gives"
		d.Help = "read it as " + s.Name + ".value in a later stage or in output, or leave the stage out"
		g.report(d)
	}
}

// inputsRead returns the inputs that expressions read; whole is true if one reads all of them.
func (g *graph) inputsRead() (read map[string]bool, whole bool) {
	read = map[string]bool{}
	for _, p := range g.allPrograms() {
		whole = whole || p.whole || slices.Contains(p.Reads, envAll)
		for _, name := range p.inputs {
			read[name] = true
		}
	}
	return read, whole
}

// allPrograms returns the programs of the pipeline.
func (g *graph) allPrograms() []*Program {
	list := []*Program{g.p.Output}
	for _, s := range g.p.Stages {
		list = append(list, s.When, s.Each, s.Fallback)
		list = slices.AppendSeq(list, maps.Values(s.With))
		if s.Repeat != nil {
			list = append(list, s.Repeat.Limit, s.Repeat.Until, s.Repeat.Gain)
		}
	}
	return slices.DeleteFunc(list, func(p *Program) bool { return p == nil })
}

// declaredAt returns the paths at which an input of the pipeline is written: its own, or
// those of the tools that run it.
func (g *graph) declaredAt(input string) [][]string {
	if g.cfg.Input != nil {
		return [][]string{{"pipelines", g.p.Name, "input", input}}
	}
	var out [][]string
	for _, name := range slices.Sorted(maps.Keys(g.compiler.cfg.Tools)) {
		t := g.compiler.cfg.Tools[name]
		if t.Pipeline == g.p.Name && t.Input != nil && t.Input.Field(input) != nil {
			out = append(out, []string{"tools", name, "input", input})
		}
	}
	return out
}

// hasEffects reports whether a stage has effects other than its output.
func hasEffects(s *Stage) bool {
	const does = catalog.Write | catalog.Annotate | catalog.Execute
	switch {
	case s.Kind == PipelineStage:
		return s.Pipeline != nil && slices.ContainsFunc(s.Pipeline.Stages, hasEffects)
	case s.Role != nil:
		return s.Role.Caps()&does != 0
	}
	return s.Builtin.Caps&does != 0
}
