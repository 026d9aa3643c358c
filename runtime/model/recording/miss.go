package recording

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// missError returns the error for a request that is not recorded, and names the nearest one that is.
func (p *Player) missError(asked Exchange) error {
	e := &model.Error{Kind: model.Unrecorded, Do: p.anew}
	what := asked.Method + " " + asked.Path
	best, found := p.nearestRecorded(asked)
	if !found {
		e.Message = fmt.Sprintf("%s has no %s; it has %s", p.path, what, p.listWays())
		return e
	}
	e.Message = fmt.Sprintf("%s has no such %s; the nearest, line %d, differs first at %s",
		p.path, what, best+1, firstDifference(p.all[best].Request, asked.Request))
	return e
}

// nearestRecorded returns the recorded request that shares most of its text with the given one, among those
// with the same method and path; the first if several do.
func (p *Player) nearestRecorded(asked Exchange) (int, bool) {
	best, most, found := 0, -1, false
	want := leavesOf(asked.Request)
	for i, e := range p.all {
		if e.Method != asked.Method || e.Path != asked.Path {
			continue
		}
		if n := agreementOf(leavesOf(e.Request), want); !found || n > most {
			best, most, found = i, n, true
		}
	}
	return best, found
}

// listWays lists the methods and paths in a recording, at most five.
func (p *Player) listWays() string {
	var out []string
	for _, e := range p.all {
		if way := e.Method + " " + e.Path; !slices.Contains(out, way) {
			out = append(out, way)
		}
	}
	slices.Sort(out)
	if len(out) > 5 {
		out = append(out[:5], "…")
	}
	return strings.Join(out, ", ")
}

// agreementOf returns the bytes that two requests share, minus those they do not.
func agreementOf(a, b map[string]string) int {
	same, total := 0, 0
	for path, x := range a {
		total += len(path) + len(x)
		if y, there := b[path]; there {
			same += len(path) + sharedBytes(x, y)
		}
	}
	for path, y := range b {
		total += len(path) + len(y)
	}
	return 2*same - total
}

// sharedBytes returns the number of bytes that two texts have in common at their beginning and end.
func sharedBytes(a, b string) int {
	n := commonPrefix(a, b)
	a, b = a[n:], b[n:]
	m := 0
	for m < len(a) && m < len(b) && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return n + m
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
