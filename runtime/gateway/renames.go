package gateway

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// renamedTools returns the tools of a server that the configuration renames, by their own names. It skips a new name that is
// another tool's own: a client that knows that name means the other tool.
func renamedTools(cfg config.Server, l *listing) map[string]string {
	out := map[string]string{}
	if len(cfg.Tools) == 0 {
		return out
	}
	own := map[string]bool{}
	for _, d := range l.Tools {
		own[d.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Tools)) {
		to := cfg.Tools[name].Rename
		if to == "" || !own[name] || to == name {
			continue
		}
		if freed := cfg.Tools[to].Rename; own[to] && (freed == "" || freed == to) {
			continue
		}
		out[name] = to
	}
	return out
}

// rename sets a tool's new name, or flags that the wanted one is not possible.
func (t *tool) rename(wanted, called string) {
	t.Renamed = called
	if called != "" { // it can be found by the words of both names
		t.Keywords = append(slices.Clip(t.Keywords), called)
	} else if wanted != "" && wanted != t.Name {
		t.Flags = append(t.Flags, fmt.Sprintf("name: not renamed, another tool of %s is called %s", t.Server, wanted))
	}
}

// findRenamed returns the tool that had this name before the configuration renamed it, or nil.
func (c *Catalog) findRenamed(name, server string) *tool {
	_, all := claimOwners(c.claims, name, server)
	for _, u := range c.Tools.List {
		if u.Renamed == "" || !u.Enabled || len(all) > 0 && !slices.Contains(all, u.Server) {
			continue
		}
		t := c.byName[u.Listed]
		if was := listedName(t.from.config().Prefix, u.Name); strings.EqualFold(was, name) || answersAs(u, u.Name, name) {
			return t
		}
	}
	return nil
}

// renamedError returns the error that gives a tool's new name.
func renamedError(t *tool, name string) error {
	return &contract.Error{Name: "NotFoundError", Code: CodeNotFound, Message: fmt.Sprintf("there is no tool %q: it is called %s here", name, t.Listed),
		Data: &contract.ErrorData{Server: t.Server, Tool: t.Name, Details: nearest{t.Listed}}}
}

// answersAs reports whether a name means the tool with this own name at its server.
func answersAs(u *catalog.UpstreamTool, own, name string) bool {
	if strings.EqualFold(own, name) {
		return true
	}
	rest, ok := cutPrefixFold(name, u.Server)
	if !ok {
		return false
	}
	for _, sep := range []string{separator, ".", "/", ":", "_", "-"} {
		if of, ok := strings.CutPrefix(rest, sep); ok && strings.EqualFold(of, own) {
			return true
		}
	}
	return false
}
