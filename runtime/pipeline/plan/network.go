package plan

import (
	"maps"
	"slices"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// checkReaders reports, each at its place, the parts of a pipeline that would read pages while
// the configuration opens no host, or search documents while it has no collection.
func (c *compiler) checkReaders(p *Pipeline) {
	if !c.cfg.Network.Open() || len(c.cfg.Collections) == 0 {
		c.visitReaders(p, map[*Pipeline]bool{})
	}
}

// visitReaders visits the stages and permissions that read pages or documents.
func (c *compiler) visitReaders(p *Pipeline, seen map[*Pipeline]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	for _, s := range p.Stages {
		if isLeftOut(s, c.cfg.Collections) {
			continue
		}
		c.visitReaders(s.Pipeline, seen)
		switch {
		case s.Role != nil:
			c.readingRole(s.Role)
		case s.Kind == BuiltinStage:
			c.reportClosed(s.Builtin, "pipelines", p.Name, "stages", s.Name, "builtin")
		}
	}
}

// isLeftOut reports whether a stage does not run with these collections. A condition that reads more
// is taken for one that needs some.
func isLeftOut(s *Stage, collections map[string]config.Collection) bool {
	if s.When == nil || !slices.Contains(s.When.Reads, envCollections) {
		return false
	}
	if len(s.When.Reads) > 1 {
		return len(collections) == 0
	}
	names := []any{}
	for _, name := range slices.Sorted(maps.Keys(collections)) {
		names = append(names, name)
	}
	runs, err := s.When.Test(map[string]any{envCollections: names})
	return err == nil && !runs
}

func (c *compiler) readingRole(r *Role) {
	c.reportClosed(r.Ground, "roles", r.Name, "ground")
	c.reportClosed(r.Evidence, "roles", r.Name, "evidence")
	c.reportClosed(r.Fallback.Builtin, "roles", r.Name, "fallback", "builtin")
	for i, name := range r.Role.Tools {
		for _, g := range r.Tools {
			if g.By == name {
				c.reportClosed(g.Builtin, "roles", r.Name, "tools", strconv.Itoa(i))
			}
		}
	}
}

func (c *compiler) reportClosed(b catalog.Builtin, path ...string) {
	if b.Caps&catalog.Documents != 0 && len(c.cfg.Collections) == 0 {
		d := c.at("C152", path...)
		d.Message = b.Name + " searches documents, and the configuration has no collection"
		d.Help = "name one, such as collections: guide: roots: [\"docs\"], or give the tools that run it surface: \"collections\", which leaves them out until then"
		c.report(d)
	}
	if b.Caps&catalog.Network == 0 || c.cfg.Network.Open() {
		return
	}
	d := c.at("C147", path...)
	d.Message = b.Name + " reads pages, and the configuration opens no host"
	d.Help = "open one in your own configuration, such as network: hosts: \"docs.example.org\": {}, or give the tools that run it surface: \"network\", which leaves them out until then"
	c.report(d)
}

// onTraffic reports a hook that reads pages: it runs unasked, on data from servers.
func (c *compiler) onTraffic(hook string, p *Pipeline) {
	r := reach{c: c, seen: map[*Stage]bool{}}
	r.addPipeline(p, nil)
	if r.caps&catalog.Network == 0 {
		return
	}
	d := c.at("C147", "hooks", hook, "pipeline")
	d.Message = "pipeline " + p.Name + " reads pages, which no hook does: it runs by itself, on what servers say"
	d.Help = "run it by a tool"
	c.report(d)
}
