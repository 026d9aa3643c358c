package dashboard

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

const (
	maxUsed = 100 // tools of one session
	maxIdle = 200
)

// usage is what a session was shown of tools, and what it made of that.
type usage struct {
	Known  bool // what it was shown is known
	Shown  int
	Used   int   // tools that were called
	Hidden int   // of these, those that were called though they were not shown
	Tools  []use // the most called first
	More   int   // of Tools, that are left out
	Idle   []string
	Left   int // of Idle
}

// use is one tool that was called.
type use struct {
	Name    string
	Times   int
	Failed  int
	Hidden  bool
	Through string // the tool of ours that called it
}

// usage tells which tools a session called. A call that one of our own tools passed
// on to an upstream server is that server's tool, called through ours.
func (d *dash) usage(s timeline.Session, spans []timeline.Span, ours map[string]bool) usage {
	u := usage{Known: s.ShownAll > 0, Shown: s.ShownAll}
	asked := map[string]string{} // the tool that the request of a trace called
	for _, x := range spans {
		if x.Kind == "request" && x.Tool != "" {
			asked[x.Trace] = x.Tool
		}
	}
	idle := map[string]bool{}
	for _, name := range s.Shown {
		idle[name] = true
	}
	called := map[string]*use{}
	for i := range spans {
		x := &spans[i]
		by := use{Name: x.Tool}
		names := []string{x.Tool}
		switch {
		case x.Tool == "" || x.ID == "" || x.Kind != "request" && x.Kind != "upstream":
			continue
		case x.Kind == "upstream":
			by.Name, by.Through = x.Server+": "+x.Tool, asked[x.Trace]
			if by.Through != "" && !ours[by.Through] {
				continue // it is what the client called
			}
			names = append(names, x.Server+"__"+x.Tool)
		}
		at := called[by.Name]
		if at == nil {
			at = &by
			called[by.Name] = at
			at.Hidden = u.Known && len(s.Shown) == s.ShownAll && !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(s.Shown, n) })
			if u.Used++; at.Hidden {
				u.Hidden++
			}
			for _, n := range names {
				delete(idle, n)
			}
		}
		if at.Times++; failed(x) {
			at.Failed++
		}
	}
	d.told(&u, called, idle)
	return u
}

// ours are the names of the tools that no upstream server has.
func (s State) ours() map[string]bool {
	out := map[string]bool{}
	for _, t := range s.Tools {
		if t.Server == "" {
			out[t.Name] = true
		}
	}
	return out
}

// told makes the lists of a usage as they may be shown.
func (d *dash) told(u *usage, called map[string]*use, idle map[string]bool) {
	for _, c := range called {
		u.Tools = append(u.Tools, use{d.line(c.Name, shortText), c.Times, c.Failed, c.Hidden, d.line(c.Through, shortText)})
	}
	slices.SortFunc(u.Tools, func(a, b use) int {
		if a.Times != b.Times {
			return b.Times - a.Times
		}
		return strings.Compare(a.Name, b.Name)
	})
	if n := len(u.Tools) - maxUsed; n > 0 {
		u.Tools, u.More = u.Tools[:maxUsed], n
	}
	for name := range idle {
		u.Idle = append(u.Idle, d.line(name, shortText))
	}
	slices.Sort(u.Idle)
	if n := len(u.Idle) - maxIdle; n > 0 {
		u.Idle, u.Left = u.Idle[:maxIdle], n
	}
}
