package sandbox

import (
	"slices"
	"strings"
)

// anchorGuards returns the guards that come from the directories above a root: the user's patterns, which also start from
// those, and the built-in paths that begin there, so that gh/hosts.yml is denied if .config is the root.
func anchorGuards(deny *denyList, root string, above []string) []guard {
	out := deny.begunAbove(root)
	if deny.deny == nil {
		return out
	}
	own := &denyList{deny: deny.deny}
	for _, dir := range above {
		real, err := realDir(dir)
		if err != nil {
			continue
		}
		if at, ok := pathWithin(real, root); ok && at != "." {
			out = append(out, guard{deny: own, under: ".", above: at})
		}
	}
	return out
}

// begunAbove returns a guard for each built-in path that begins with the last components of the root's own path.
func (d *denyList) begunAbove(root string) []guard {
	folded := "/" + foldPath(slashPath(root))
	var out []guard
	for _, r := range d.builtin.rules {
		for n := 2; n < len(r.segments) && r.segments[0] == "**"; n++ {
			begin := strings.Join(r.segments[1:n], "/")
			known := slices.ContainsFunc(out, func(g guard) bool { return g.above == begin })
			if !known && strings.HasSuffix(folded, "/"+begin) {
				out = append(out, guard{deny: &denyList{builtin: d.builtin, allow: d.allow}, under: ".", above: begin})
			}
		}
	}
	return out
}
