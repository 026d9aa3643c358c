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

// usage describes the tools that a session was shown, and those it used.
type usage struct {
	Known  bool // whether the tools it was shown are known
	Shown  int
	Used   int   // number of tools that were called
	Hidden int   // of these, tools called although they were not shown
	Tools  []use // most called first
	More   int   // of Tools, left out
	Idle   []string
	Left   int // of Idle, left out
}

// use is one tool that was called.
type use struct {
	Name    string
	Times   int
	Failed  int
	Hidden  bool
	Through string // our tool that called it
}

// usageOf determines which tools a session called. A call that one of our own tools passed
// on to an upstream server counts as that server's tool, called through ours.
func (d *dash) usageOf(s timeline.Session, spans []timeline.Span, ours map[string]bool) usage {
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
		if at.Times++; isFailed(x) {
			at.Failed++
		}
	}
	d.fillUsage(&u, called, idle)
	return u
}

// ownTools returns the names of the tools that belong to no upstream server.
func (s State) ownTools() map[string]bool {
	out := map[string]bool{}
	for _, t := range s.Tools {
		if t.Server == "" {
			out[t.Name] = true
		}
	}
	return out
}

// fillUsage fills the lists of a usage in a form that may be shown.
func (d *dash) fillUsage(u *usage, called map[string]*use, idle map[string]bool) {
	for _, c := range called {
		u.Tools = append(u.Tools, use{d.safeLine(c.Name, shortText), c.Times, c.Failed, c.Hidden, d.safeLine(c.Through, shortText)})
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
		u.Idle = append(u.Idle, d.safeLine(name, shortText))
	}
	slices.Sort(u.Idle)
	if n := len(u.Idle) - maxIdle; n > 0 {
		u.Idle, u.Left = u.Idle[:maxIdle], n
	}
}
