package sandbox

import (
	"slices"
	"strings"
)

// guard applies the rules of another root to the part of this one that both show.
type guard struct {
	deny *denyList
	// under is where the other root starts in this one, "." when it starts here or above.
	under string
	// above is where this root starts in the other one, "." when it starts there or above.
	above string
}

// denied checks a path of the guarded root against the other root's rules.
func (g guard) denied(path string, k kind) bool {
	if g.under != "." {
		if path == g.under {
			return false
		}
		rest, ok := strings.CutPrefix(path, g.under+"/")
		if !ok {
			return false
		}
		path = rest
	}
	if g.above != "." && path == "." {
		return g.deny.denied(g.above, kindDir)
	}
	if g.above != "." {
		path = g.above + "/" + path
	}
	return g.deny.denied(path, k)
}

// deniedAs reports whether a plain path is secret according to this root or one that overlaps it.
func (r *Root) deniedAs(path string, k kind) bool {
	return r.deny.denied(path, k) || r.deniedByGuard(path, k)
}

// deniedIn does what deniedAs does, for a path whose directory is known not to be denied.
func (r *Root) deniedIn(path string, k kind) bool {
	return r.deny.deniedIn(path, k) || r.deniedByGuard(path, k)
}

func (r *Root) deniedByGuard(path string, k kind) bool {
	for _, g := range r.guards {
		if g.denied(path, k) {
			return true
		}
	}
	return false
}

// guardedBy returns a view of the root to which the rules of the others also apply where they overlap.
func (r *Root) guardedBy(others []*Root) *Root {
	view := *r
	view.guards = slices.Clip(r.guards) // the guards of the set that it came from still apply
	for _, o := range others {
		if o.core == r.core && o.deny == r.deny {
			continue // the same opened root, or another view of it
		}
		under, below := pathWithin(r.path, o.path)
		above, inside := pathWithin(o.path, r.path)
		if !below && !inside {
			continue
		}
		if !below {
			under = "."
		}
		if !inside {
			above = "."
		}
		view.guards = append(view.guards, guard{deny: o.deny, under: under, above: above})
		view.opt.MaxFileSize = min(view.opt.MaxFileSize, o.opt.MaxFileSize)
	}
	if len(view.guards) == len(r.guards) {
		return r
	}
	return &view
}
