package service

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// narrowRoots returns the roots that a call's "roots" selects: each entry is a root's name
// or path, or a directory below a root. An empty list means all roots, and so does one
// without a known entry, since small models make names up. Unknown entries are skipped
// with a remark. Nothing is opened by its path: a directory is a view of the opened
// root, whose rules apply in it.
func (s *Snapshot) narrowRoots(asked any) (narrowed, error) {
	n := narrowed{set: s.Roots, kinds: s.Kinds}
	list, _ := asked.([]any)
	if len(list) > 0 {
		if err := n.chooseRoots(s, list); err != nil {
			return narrowed{}, err
		}
	}
	n.dirs = map[string][]string{}
	for kind, names := range n.kinds {
		for _, r := range n.set.Roots() {
			if slices.Contains(names, r.Name()) {
				n.dirs[kind] = append(n.dirs[kind], r.Path())
			}
		}
	}
	return n, nil
}

// maxRoots bounds the directories of one call, because each is compared with each other.
const maxRoots = 64

func (n *narrowed) chooseRoots(s *Snapshot, list []any) error {
	if len(list) > maxRoots {
		return &contract.Error{Name: "RootError", Code: "ROOT_NOT_FOUND", Message: fmt.Sprintf("roots: %d directories; name %d at most, or one above them", len(list), maxRoots)}
	}
	kinds := map[string][]string{}
	var chosen []*sandbox.Root
	var unknown []string
	seen, taken := map[string]bool{}, map[string]bool{}
	for _, item := range list {
		name, ok := item.(string)
		if !ok {
			name = fmt.Sprint(item)
		}
		r, sub, ok := s.findRoot(name)
		if !ok {
			unknown = append(unknown, name)
			continue
		}
		at := r.Name() + "/" + sub
		if seen[at] {
			continue
		}
		seen[at] = true
		view := r
		if sub != "" || taken[r.Name()] {
			var err error
			if view, err = r.Sub(rootName(r.Name(), path.Base(sub), taken), cmp.Or(sub, ".")); err != nil {
				unknown = append(unknown, name)
				continue
			}
		}
		taken[view.Name()] = true
		allowKinds(kinds, s, r, view.Name())
		chosen = append(chosen, view)
	}
	if len(chosen) > 0 {
		n.set, n.kinds = sandbox.NewSet(chosen...), kinds
	}
	if len(unknown) > 0 {
		n.remark = unknownRoots(unknown, n.set)
	}
	return nil
}

// allowKinds gives a chosen root the kinds of the root that it is or lies in.
func allowKinds(kinds map[string][]string, s *Snapshot, of *sandbox.Root, name string) {
	for kind, names := range s.Kinds {
		if slices.Contains(names, of.Name()) {
			kinds[kind] = append(kinds[kind], name)
		}
	}
}

// findRoot resolves an entry: a root's name or path, or a path below a root. A relative
// path is tried below each root in order.
func (s *Snapshot) findRoot(name string) (*sandbox.Root, string, bool) {
	clean := filepath.Clean(name)
	for _, r := range s.Roots.Roots() {
		if name == r.Name() || clean == r.Path() || clean == "." {
			return r, "", true
		}
	}
	for _, r := range s.Roots.Roots() {
		if rel, ok := relativeBelow(r.Path(), clean); ok {
			return r, rel, true
		}
	}
	if filepath.IsAbs(clean) {
		return nil, "", false
	}
	for _, r := range s.Roots.Roots() {
		rel := filepath.ToSlash(clean)
		if e, err := r.Stat(rel); err == nil && e.Dir {
			return r, rel, true
		}
	}
	return nil, "", false
}

func relativeBelow(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || !filepath.IsAbs(path) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// unknownRoots returns a remark on unknown names and on the roots that were searched.
func unknownRoots(names []string, set *sandbox.Set) string {
	const most = 3
	var searched []string
	for _, r := range set.Roots() {
		searched = append(searched, r.Name())
	}
	for i, name := range names {
		names[i] = strconv.Quote(sanitize.OneLine(name, 60))
	}
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("roots: %s%s: no configured root or directory below one; searched: %s", strings.Join(names, ", "), more, strings.Join(searched, ", "))
}

// denyAnchors returns the directories that the configuration calls roots. The patterns of
// its deny list start there, even if a run uses a root below one of them.
func denyAnchors(roots map[string][]string, work string) []string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(roots)) {
		for _, dir := range roots[kind] {
			out = append(out, absolute(work, dir))
		}
	}
	return out
}
