package plan

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Hints are the MCP annotations of a tool as sent to clients.
type Hints struct{ ReadOnly, Destructive, Idempotent, OpenWorld bool }

// hintsOf derives annotations from the reach of the tool's pipeline, and from additional claims of the configuration. A
// client may run read-only tools without asking its user, so a claim cannot make a tool look safer than it is.
func (c *compiler) hintsOf(t *Tool) Hints {
	r := reach{c: c, seen: map[*Stage]bool{}}
	r.addPipeline(t.Pipeline, nil)
	executes := r.caps&catalog.Execute != 0
	t.Reach = r.caps
	h := Hints{ReadOnly: r.caps&(catalog.Write|catalog.Annotate|catalog.Execute) == 0, Destructive: executes, Idempotent: !executes,
		OpenWorld: executes || r.far || r.caps&catalog.Network != 0}
	claims := t.Annotations
	c.applyClaim(t.Name, "readOnly", &h.ReadOnly, claims.ReadOnly, false)
	c.applyClaim(t.Name, "destructive", &h.Destructive, claims.Destructive, true)
	c.applyClaim(t.Name, "idempotent", &h.Idempotent, claims.Idempotent, false)
	c.applyClaim(t.Name, "openWorld", &h.OpenWorld, claims.OpenWorld, true)
	return h
}

// applyClaim applies a claimed hint if it is at least as careful as the derived one.
func (c *compiler) applyClaim(tool, field string, found, said *bool, careful bool) {
	if said == nil || *said == *found {
		return
	}
	if *said == careful {
		*found = *said
		return
	}
	d := c.at("C133", "tools", tool, "annotations", field)
	d.Message = "the tool cannot be said to be so: its pipeline can " + abilities[field]
	d.Help = "leave it out: what the pipeline can reach says it"
	c.report(d)
}

var abilities = map[string]string{
	"readOnly":    "write files, pin quotes or run tools of upstream servers",
	"destructive": "run tools of upstream servers, which may delete",
	"idempotent":  "run tools of upstream servers, which may do more each time",
	"openWorld":   "run tools of upstream servers, read pages or ask a model elsewhere",
}

// reach collects what the stages of a pipeline can do.
type reach struct {
	c    *compiler
	seen map[*Stage]bool
	caps catalog.Caps
	far  bool // asks a model that is not on this machine
}

// addPipeline adds the stages of a pipeline, except for those that the stage by which it runs switches off.
func (r *reach) addPipeline(p *Pipeline, by *Stage) {
	if p == nil {
		return
	}
	for _, s := range p.Stages {
		if !r.seen[s] && !by.switchesOff(s) {
			r.seen[s] = true
			r.addStage(s)
		}
	}
}

func (r *reach) addStage(s *Stage) {
	r.caps |= s.Builtin.Caps
	r.addPipeline(s.Pipeline, s)
	if s.Role != nil {
		r.addRole(s.Role)
	}
}

// switchesOff reports whether a stage that runs a pipeline keeps a stage of it from running; see config.SwitchedOff.
func (s *Stage) switchesOff(inner *Stage) bool {
	return s != nil && config.SwitchedOff(inner.When.text(), func(input string) config.Value {
		if p := s.With[input]; p != nil {
			return config.Value{Expr: p.Source, Literal: p.Literal}
		}
		return config.Value{}
	})
}

func (r *reach) addRole(role *Role) {
	r.caps |= role.Caps()
	if !role.Asks() && !role.Explore {
		return
	}
	chain := []string{role.Model}
	for i := 0; i < len(chain); i++ {
		m := r.c.cfg.Models[chain[i]]
		r.far = r.far || !m.OnThisMachine()
		for _, f := range m.Fallback {
			if !slices.Contains(chain, f) {
				chain = append(chain, f)
			}
		}
	}
}
