package trust

import (
	"fmt"
	"strconv"

	"compactor/runtime/config"
	"compactor/runtime/schema"
)

// words are what a chat model is told of a tool: it obeys them. A tool that the
// project switches off tells nothing.
func (j *judge) words() {
	for _, name := range sorted(j.cfg.Tools) {
		t := j.cfg.Tools[name]
		was, known := j.base.Tools[name]
		if !t.Enabled || known && was.Enabled && told(t) == told(was) {
			continue
		}
		does := []string{"tells the chat model: " + quote(t.Description)}
		if t.Title != "" {
			does = append(does, "is titled "+quote(t.Title))
		}
		for _, side := range []struct {
			of string
			s  *schema.Schema
		}{{"input", t.Input}, {"output", t.Output}} {
			if side.s != nil && !(known && side.of == "input" && schemaText(side.s) == schemaText(was.Input)) {
				does = append(does, side.of+" is described as "+schemaText(side.s))
			}
		}
		j.add("words", []string{"tools", name}, does...)
	}
}

// inserts are words of the project's that would stand in what others say: in place
// of what its patterns mask, which could rewrite it, and beside tools of servers.
func (j *judge) inserts() {
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

// told is all of a tool that a client is sent, for comparison.
func told(t config.Tool) string {
	return fmt.Sprintf("%q %q %q %q %v", t.Title, t.Description, schemaText(t.Input), schemaText(t.Output), t.Discovery)
}

func schemaText(s *schema.Schema) string {
	if s == nil {
		return ""
	}
	return string(s.JSON())
}
