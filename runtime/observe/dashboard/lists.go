package dashboard

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

const maxListed = 300 // tools on the page of lists

// Lists describes the lists of upstream tools that all kept sessions were given, and how
// the sessions used them.
type Lists struct {
	Known    bool // whether this is kept at all
	Since    time.Time
	Sessions int // that called a tool
	Listed   int // of these, sessions that were listed upstream tools
	Shown    int // total number of tools on their last lists
	Offered  int // total number of tools available to them
	Calls    int // in sessions with a list
	Hidden   int // of these, calls of tools that were not listed
	Tools    []ListedTool
	Profiles []ListedProfile // with which sessions were served; none if there are no profiles
}

// ListedProfile describes the lists of the sessions of one profile.
type ListedProfile struct {
	Name                            string // "" for sessions without one
	Sessions, Listed, Calls, Hidden int    // as in Lists
}

// ListedTool is one tool of an upstream server.
type ListedTool struct {
	Name     string // "server/tool"
	Listed   int    // sessions that had it on their last list
	Used     int    // sessions that called it
	Missed   int    // sessions that called it although it was not listed
	Calls    int
	LastUsed time.Time // zero for never
}

// listsBody has the data of the page of lists.
type listsBody struct {
	Lists
	Each, Of int // average number of tools listed, and available
	More     int // of Tools, left out
	Idle     int // tools that were listed and never called
}

func (d *dash) serveLists(w http.ResponseWriter, r *http.Request) {
	l, err := d.opt.Source.Lists(r.Context())
	if err != nil {
		d.sendProblem(w, http.StatusInternalServerError, "What is kept of the use of tools cannot be read: "+d.safeLine(err.Error(), 500), "See what is wrong with the store: compactor doctor")
		return
	}
	b := listsBody{Lists: l}
	if l.Listed > 0 {
		b.Each, b.Of = (l.Shown+l.Listed/2)/l.Listed, (l.Offered+l.Listed/2)/l.Listed
	}
	b.Tools = slices.Clone(l.Tools)
	slices.SortFunc(b.Tools, func(x, y ListedTool) int {
		for _, by := range [][2]int{{x.Missed, y.Missed}, {x.Used, y.Used}, {x.Listed, y.Listed}} {
			if by[0] != by[1] {
				return by[1] - by[0]
			}
		}
		return strings.Compare(x.Name, y.Name)
	})
	for _, t := range b.Tools {
		if t.Used == 0 {
			b.Idle++
		}
	}
	if n := len(b.Tools) - maxListed; n > 0 {
		b.Tools, b.More = b.Tools[:maxListed], n
	}
	for i := range b.Tools {
		b.Tools[i].Name = d.safeLine(b.Tools[i].Name, shortText)
	}
	d.sendPage(w, http.StatusOK, "lists", page{Title: "Lists of tools", At: "lists", Body: b})
}
