package recording

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// miss returns the error for a request that is not recorded, and names the nearest one that is.
func (p *Player) miss(asked Exchange) error {
	e := &model.Error{Kind: model.Unrecorded, Do: p.anew}
	what := asked.Method + " " + asked.Path
	best, found := p.nearest(asked)
	if !found {
		e.Message = fmt.Sprintf("%s has no %s; it has %s", p.path, what, p.ways())
		return e
	}
	e.Message = fmt.Sprintf("%s has no such %s; the nearest, line %d, differs first at %s",
		p.path, what, best+1, firstDifference(p.all[best].Request, asked.Request))
	return e
}

// nearest returns the recorded request that shares most of its text with the given one, among those
// with the same method and path; the first if several do.
func (p *Player) nearest(asked Exchange) (int, bool) {
	best, most, found := 0, -1, false
	want := leavesOf(asked.Request)
	for i, e := range p.all {
		if e.Method != asked.Method || e.Path != asked.Path {
			continue
		}
		if n := agreement(leavesOf(e.Request), want); !found || n > most {
			best, most, found = i, n, true
		}
	}
	return best, found
}

// ways lists the methods and paths in a recording, at most five.
func (p *Player) ways() string {
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

// agreement returns the bytes that two requests share, minus those they do not.
func agreement(a, b map[string]string) int {
	same, total := 0, 0
	for path, x := range a {
		total += len(path) + len(x)
		if y, there := b[path]; there {
			same += len(path) + shared(x, y)
		}
	}
	for path, y := range b {
		total += len(path) + len(y)
	}
	return 2*same - total
}

// shared returns the number of bytes that two texts have in common at their beginning and end.
func shared(a, b string) int {
	n := prefix(a, b)
	a, b = a[n:], b[n:]
	m := 0
	for m < len(a) && m < len(b) && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return n + m
}

func prefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
