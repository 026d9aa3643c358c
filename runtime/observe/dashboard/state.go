package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

const (
	maxTools     = 500
	usedSessions = 12 // sessions whose tools are shown
	usedTools    = 12 // per session
)

// toolsBody has the data of the tools page.
type toolsBody struct {
	State
	Query    string
	Shown    []Tool
	More     int
	Listed   int
	Found    int
	Off      int
	Sessions []usedBy
}

// usedBy describes what one session used.
type usedBy struct {
	Title, Address, Client string
	usage
}

func (d *dash) serveTools(w http.ResponseWriter, r *http.Request) {
	b := toolsBody{State: d.sanitizeState(d.opt.Source.State(r.Context())), Query: cutText(r.FormValue("q"), maxQuery)}
	for _, t := range b.State.Tools {
		switch {
		case t.Off != "":
			b.Off++
		case t.Shown:
			b.Listed++
		default:
			b.Found++
		}
		if !containsQuery(b.Query, t.Name, t.Server, t.Description) {
			continue
		}
		if len(b.Shown) == maxTools {
			b.More++
			continue
		}
		b.Shown = append(b.Shown, t)
	}
	var err error
	if b.Sessions, err = d.recentlyUsed(r, b.State); err != nil {
		d.timelineError(w, err)
		return
	}
	p := page{Title: "Servers and tools", At: "tools", Body: b}
	if d.opt.Timeline != nil {
		p.Live = Path + "live"
	}
	d.sendPage(w, http.StatusOK, "tools", p)
}

// containsQuery reports whether any of the texts contains the query.
func containsQuery(query string, texts ...string) bool {
	want := strings.ToLower(query)
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), want) })
}

// sanitizeState returns a state in a form that may be shown.
func (d *dash) sanitizeState(s State) State {
	for i := range s.Tools {
		t := &s.Tools[i]
		t.Name, t.Server, t.Description, t.Off = d.safeLine(t.Name, shortText), d.safeLine(t.Server, 60), d.safeLine(t.Description, 240), d.safeLine(t.Off, 240)
	}
	for i := range s.Servers {
		v := &s.Servers[i]
		v.Name, v.Reached, v.Login = d.safeLine(v.Name, 60), d.safeLine(v.Reached, 240), d.safeLine(v.Login, 240)
		v.Problem, v.Do = d.safeLine(v.Problem, 600), d.safeLine(v.Do, 300)
		for k := range v.Said {
			v.Said[k] = d.safeLine(v.Said[k], 240)
		}
		for k := range v.Refused {
			v.Refused[k] = Refused{d.safeLine(v.Refused[k].Tool, 60), d.safeLine(v.Refused[k].Why, 240)}
		}
	}
	for i := range s.Models {
		m := &s.Models[i]
		m.Name, m.Provider, m.Found = d.safeLine(m.Name, 60), d.safeLine(m.Provider, 60), d.safeLine(m.Found, 240)
		m.Problem, m.Do = d.safeLine(m.Problem, 600), d.safeLine(m.Do, 300)
	}
	for i := range s.Collections {
		c := &s.Collections[i]
		c.Name, c.Description, c.Version, c.Stage = d.safeLine(c.Name, 60), d.safeLine(c.Description, 240), d.safeLine(c.Version, 40), d.safeLine(c.Stage, 20)
		c.Problem, c.Do = d.safeLine(c.Problem, 600), d.safeLine(c.Do, 300)
		for k := range c.Problems {
			c.Problems[k] = d.safeLine(c.Problems[k], 240)
		}
	}
	for i := range s.Hooks {
		s.Hooks[i].Last = d.safeLine(s.Hooks[i].Last, 300)
	}
	return s
}

// recentlyUsed returns the tools that the newest sessions called.
func (d *dash) recentlyUsed(r *http.Request, state State) ([]usedBy, error) {
	if d.opt.Timeline == nil {
		return nil, nil
	}
	list, err := d.opt.Timeline.Sessions(r.Context(), timeline.Query{Limit: usedSessions})
	if err != nil {
		return nil, err
	}
	var out []usedBy
	ours := state.ownTools()
	for _, s := range list {
		_, spans, err := d.opt.Timeline.Session(r.Context(), s.ID)
		if err != nil {
			continue // swept meanwhile
		}
		row := d.newRow(s)
		u := usedBy{Title: row.Title, Client: row.Client, Address: Path + "sessions/" + s.ID}
		u.usage = d.usageOf(s, spans, ours)
		if n := len(u.Tools) - usedTools; n > 0 {
			u.Tools, u.More = u.Tools[:usedTools], u.More+n
		}
		if len(u.Tools) > 0 {
			out = append(out, u)
		}
	}
	return out, nil
}
