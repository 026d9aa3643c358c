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

func (d *dash) tools(w http.ResponseWriter, r *http.Request) {
	b := toolsBody{State: d.harmless(d.opt.Source.State(r.Context())), Query: cutText(r.FormValue("q"), maxQuery)}
	for _, t := range b.State.Tools {
		switch {
		case t.Off != "":
			b.Off++
		case t.Shown:
			b.Listed++
		default:
			b.Found++
		}
		if !holds(b.Query, t.Name, t.Server, t.Description) {
			continue
		}
		if len(b.Shown) == maxTools {
			b.More++
			continue
		}
		b.Shown = append(b.Shown, t)
	}
	var err error
	if b.Sessions, err = d.used(r, b.State); err != nil {
		d.unread(w, err)
		return
	}
	p := page{Title: "Servers and tools", At: "tools", Body: b}
	if d.opt.Timeline != nil {
		p.Live = Path + "live"
	}
	d.show(w, http.StatusOK, "tools", p)
}

// holds reports whether any of the texts contains the query.
func holds(query string, texts ...string) bool {
	want := strings.ToLower(query)
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), want) })
}

// harmless returns a state in a form that may be shown.
func (d *dash) harmless(s State) State {
	for i := range s.Tools {
		t := &s.Tools[i]
		t.Name, t.Server, t.Description, t.Off = d.line(t.Name, shortText), d.line(t.Server, 60), d.line(t.Description, 240), d.line(t.Off, 240)
	}
	for i := range s.Servers {
		v := &s.Servers[i]
		v.Name, v.Reached, v.Login = d.line(v.Name, 60), d.line(v.Reached, 240), d.line(v.Login, 240)
		v.Problem, v.Do = d.line(v.Problem, 600), d.line(v.Do, 300)
		for k := range v.Said {
			v.Said[k] = d.line(v.Said[k], 240)
		}
		for k := range v.Refused {
			v.Refused[k] = Refused{d.line(v.Refused[k].Tool, 60), d.line(v.Refused[k].Why, 240)}
		}
	}
	for i := range s.Models {
		m := &s.Models[i]
		m.Name, m.Provider, m.Found = d.line(m.Name, 60), d.line(m.Provider, 60), d.line(m.Found, 240)
		m.Problem, m.Do = d.line(m.Problem, 600), d.line(m.Do, 300)
	}
	for i := range s.Collections {
		c := &s.Collections[i]
		c.Name, c.Description, c.Version, c.Stage = d.line(c.Name, 60), d.line(c.Description, 240), d.line(c.Version, 40), d.line(c.Stage, 20)
		c.Problem, c.Do = d.line(c.Problem, 600), d.line(c.Do, 300)
		for k := range c.Problems {
			c.Problems[k] = d.line(c.Problems[k], 240)
		}
	}
	for i := range s.Hooks {
		s.Hooks[i].Last = d.line(s.Hooks[i].Last, 300)
	}
	return s
}

// used returns the tools that the newest sessions called.
func (d *dash) used(r *http.Request, state State) ([]usedBy, error) {
	if d.opt.Timeline == nil {
		return nil, nil
	}
	list, err := d.opt.Timeline.Sessions(r.Context(), timeline.Query{Limit: usedSessions})
	if err != nil {
		return nil, err
	}
	var out []usedBy
	ours := state.ours()
	for _, s := range list {
		_, spans, err := d.opt.Timeline.Session(r.Context(), s.ID)
		if err != nil {
			continue // swept meanwhile
		}
		row := d.row(s)
		u := usedBy{Title: row.Title, Client: row.Client, Address: Path + "sessions/" + s.ID}
		u.usage = d.usage(s, spans, ours)
		if n := len(u.Tools) - usedTools; n > 0 {
			u.Tools, u.More = u.Tools[:usedTools], u.More+n
		}
		if len(u.Tools) > 0 {
			out = append(out, u)
		}
	}
	return out, nil
}
