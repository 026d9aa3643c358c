package consent

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// addWords adds the texts of tools that the chat model sees, and obeys. A tool that the
// project disables shows none.
func (j *judge) addWords() {
	for _, name := range sorted(j.cfg.Tools) {
		t, was := j.toolVersions(name)
		if !t.Enabled || was.Enabled && toolText(t) == toolText(was) {
			continue
		}
		does := []string{"tells the chat model: " + quote(t.Description)}
		if t.Title != "" {
			does = append(does, "is titled "+quote(t.Title))
		}
		if t.Instructions != "" && t.Instructions != was.Instructions {
			does = append(does, "instructs the chat model: "+quote(t.Instructions))
		}
		for _, side := range []struct {
			of       string
			now, was *schema.Schema
		}{{"input", t.Input, was.Input}, {"output", t.Output, was.Output}} {
			if text := schemaText(side.now); text != "" && text != schemaText(side.was) {
				does = append(does, side.of+" is described as "+text)
			}
		}
		j.add("words", []string{"tools", name}, does...)
	}
}

// toolVersions returns a tool with and without the project's layer: as clients see it, or as
// written if one of the configurations does not compile.
func (j *judge) toolVersions(name string) (now, was plan.Tool) {
	if j.now != nil && j.was != nil {
		return j.now[name], j.was[name]
	}
	written := func(t config.Tool) plan.Tool { return plan.Tool{Tool: t, Input: t.Input, Output: t.Output} }
	return written(j.cfg.Tools[name]), written(j.base.Tools[name])
}

// changesServersOnly reports whether the project's layer changes nothing but servers,
// dependencies and roots, which the texts of tools do not depend on.
func changesServersOnly(cfg *config.Config) bool {
	alone, base := *cfg, *cfg.Base
	for _, c := range []*config.Config{&alone, &base} {
		c.Servers, c.Dependencies, c.Roots, c.Source, c.Base = nil, nil, nil, nil, nil
	}
	return reflect.DeepEqual(alone, base)
}

// toldBy returns the tools of a configuration with the schemas from their pipelines, or
// nil if it does not compile.
func toldBy(cfg *config.Config, w Env) map[string]plan.Tool {
	p, _ := w.Compile(cfg)
	if p == nil {
		return nil
	}
	out := map[string]plan.Tool{}
	for _, t := range slices.Concat(p.Tools, p.Closed) { // the network may be opened later
		out[t.Name] = *t
	}
	return out
}

// addInserts adds texts that the project inserts into the output of others: replacements for what its patterns mask,
// which could rewrite the output, and tags on upstream tools.
func (j *judge) addInserts() {
	for _, name := range sorted(j.cfg.Redaction.Patterns) {
		p := j.cfg.Redaction.Patterns[name]
		if p.Replace != "" && p.Replace != j.base.Redaction.Patterns[name].Replace {
			j.add("words", []string{"redaction", "patterns", name}, "writes "+quote(p.Replace)+" in place of what matches "+quote(p.Regex)+", in all that leaves")
		}
	}
	for i, r := range j.cfg.ProjectRules {
		if len(r.Tags) > 0 {
			j.add("words", []string{"toolRules", strconv.Itoa(len(j.cfg.ToolRules) + i)}, ruleLine(r))
		}
	}
}

// toolText returns everything that a client sees of a tool, for comparison.
func toolText(t plan.Tool) string {
	return fmt.Sprintf("%q %q %q %q %q %v", t.Title, t.Description, t.Instructions, schemaText(t.Input), schemaText(t.Output), t.Surface)
}

func schemaText(s *schema.Schema) string {
	if s == nil {
		return ""
	}
	return string(s.JSON())
}
