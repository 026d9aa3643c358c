package gateway

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// find resolves the name of a tool as models write it.
func (g *Gateway) find(ctx context.Context, name, server string) (*tool, error) {
	name = strings.TrimSpace(name)
	if t := g.catalog.Load().lookup(name, server); t != nil {
		if !t.from.isOutdated() {
			return t, nil
		}
		g.awaitListing(ctx, t.from) // the current list decides
	}
	if t := g.findRecalled(ctx, name, server); t != nil {
		return t, nil
	}
	if name == "" {
		return nil, g.catalog.Load().notFound(name, server, g.echoInput)
	}
	if e := g.meantServer(name, server); e != nil {
		if err := g.demandListing(ctx, e); err != nil {
			return nil, err
		}
	} else {
		g.settle(ctx) // a server that was never asked may have it
	}
	c := g.currentCatalog()
	if t := c.lookup(name, server); t != nil {
		return t, nil
	}
	return nil, c.notFound(name, server, g.echoInput)
}

// currentCatalog returns the catalog with every known list: another call may have stored a list without rebuilding the catalog
// yet.
func (g *Gateway) currentCatalog() *Catalog {
	c := g.catalog.Load()
	for _, s := range c.servers {
		if e := g.entry(s.Name); e == nil || s.Known {
			continue
		} else if l, _ := e.known(); l != nil {
			g.rebuild()
			return g.catalog.Load()
		}
	}
	return c
}

// findRecalled searches the lists stored by earlier runs, so that a new process waits for no other server than the
// tool's own. The current list is fetched in the background, as for every stored list.
func (g *Gateway) findRecalled(ctx context.Context, name, server string) *tool {
	recalled := g.takeUp(ctx)
	if len(recalled) == 0 {
		return nil
	}
	t := g.catalog.Load().lookup(name, server)
	for _, e := range recalled {
		if t == nil || t.from == e {
			g.spawn(func(life context.Context) { g.renewRecalled(life, e) })
		}
	}
	return t
}

// awaitListing waits a short time for a server's changed list.
func (reg *registry) awaitListing(ctx context.Context, e *serverEntry) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, _ = reg.fetchListing(ctx, e)
}

// lookup finds a tool by its listed name, by server and name, or by its own name if only one tool has it, with this
// case or else ignoring case. A name that begins with a server's name never finds a tool of another server.
func (c *Catalog) lookup(name, server string) *tool {
	if t := c.byName[name]; t != nil && (server == "" || server == t.Server) {
		return t
	}
	of, all := claimOwners(c.claims, name, server)
	var found, same []*tool
	for _, u := range c.Tools.List {
		switch {
		case len(all) > 0 && !slices.Contains(all, u.Server), !strings.EqualFold(u.Listed, name) && !answersAs(u, u.Called(), name):
			continue
		case len(of) > 0 && !slices.Contains(of, u.Server):
			return nil // a server with a shorter name could be meant as well
		}
		found = append(found, c.byName[u.Listed])
		if u.Called() == name {
			same = append(same, c.byName[u.Listed])
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(same) == 1 && !slices.ContainsFunc(found, func(t *tool) bool { return t.Server != same[0].Server && !strings.EqualFold(t.Called(), name) }):
		return same[0]
	}
	return nil // no match, or several
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// SearchForIt is the advice in an error about an unknown tool. It names no tool, because which tool searches depends on
// the configuration.
const SearchForIt = "search for it"

// nearest is a tool that may have been meant, for programs.
type nearest struct {
	Nearest string `json:"nearest"`
}

// notFound returns the error for an unknown tool. It names the nearest tool, of the given server or of all, and the
// servers whose tools are not known yet.
func (c *Catalog) notFound(name, server string, echo func(string) string) error {
	e := &contract.Error{Name: "NotFoundError", Code: CodeNotFound, Message: fmt.Sprintf("there is no tool %q", echo(name)),
		Data: &contract.ErrorData{Server: echo(server), Tool: echo(name)}}
	if name == "" {
		e.Message = "tool is missing: which one? " + SearchForIt
		return e
	}
	if t := c.findRenamed(name, server); t != nil {
		return renamedError(t, echo(name))
	}
	if server != "" {
		e.Message += " at server " + echo(server)
		if _, ok := c.byServer[server]; !ok {
			e.Message += ", which is not known"
		}
	}
	if why := c.refusalReason(name, server); why != "" {
		e.Message = why
		return e
	}
	of, _ := claimOwners(c.claims, name, server)
	at := strings.Join(of[:min(len(of), 1)], "")
	var several, others []string
	for _, u := range c.Tools.List {
		switch {
		case !u.Enabled || !answersAs(u, u.Called(), name):
		case len(of) == 0 || slices.Contains(of, u.Server):
			several = append(several, u.Listed)
		case server == "":
			others = append(others, u.Listed)
		}
	}
	near := c.nearestName(name, at)
	if len(several) == 1 {
		near = several[0]
	}
	switch {
	case len(several) > 1:
		e.Message = fmt.Sprintf("%d tools are called %s: name it %s", len(several), echo(name), strings.Join(several, " or "))
	case near != "":
		e.Data.Details = nearest{near}
		e.Message += "; did you mean " + near + "?"
	default:
		e.Message += "; " + SearchForIt
	}
	if len(others) > 0 {
		e.Message += fmt.Sprintf(" (a name that begins with %s is of that server; another's tool that could be meant is called %s)", at, strings.Join(others[:min(len(others), 3)], " or "))
	}
	if at == "" {
		e.Message += unknownNote(c.Tools)
	}
	return e
}

// nearestName returns the listed name of the tool with the most similar name, of one server or of all, or "" if there is
// none.
func (c *Catalog) nearestName(name, at string) string {
	var own, listed []string
	for _, t := range c.Tools.List {
		if t.Enabled && (at == "" || at == t.Server) {
			own, listed = append(own, t.Called()), append(listed, t.Listed)
		}
	}
	if near := diag.Nearest(name, listed); near != "" {
		return near
	}
	if i := slices.Index(own, diag.Nearest(name, own)); i >= 0 {
		return listed[i]
	}
	return ""
}
