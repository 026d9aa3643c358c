package service

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// narrow gives what a call's "roots" names: a root by its name or path, or a
// directory below one. Nothing given means all roots; whatever lies outside
// them is refused. Nothing is opened by its path: a directory below is a view of
// the opened root, whose rules hold in it.
func (s *Snapshot) narrow(asked any) (narrowed, error) {
	n := narrowed{set: s.Roots, kinds: s.Kinds}
	list, _ := asked.([]any)
	if len(list) > 0 {
		if err := n.choose(s, list); err != nil {
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

// maxRoots bounds the directories of one call: each is held against each other.
const maxRoots = 64

func (n *narrowed) choose(s *Snapshot, list []any) error {
	if len(list) > maxRoots {
		return &contract.Error{Name: "RootError", Code: "ROOT_NOT_FOUND", Message: fmt.Sprintf("roots: %d directories; name %d at most, or one above them", len(list), maxRoots)}
	}
	n.kinds = map[string][]string{}
	var chosen []*sandbox.Root
	seen, taken := map[string]bool{}, map[string]bool{}
	for _, item := range list {
		name, ok := item.(string)
		if !ok {
			return rootError(s, fmt.Sprint(item))
		}
		r, sub, ok := s.find(name)
		if !ok {
			return rootError(s, name)
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
				return &contract.Error{Name: "RootError", Code: "ROOT_NOT_FOUND", Message: fmt.Sprintf("roots: %q: %v", name, err)}
			}
		}
		taken[view.Name()] = true
		n.allow(s, r, view.Name())
		chosen = append(chosen, view)
	}
	n.set = sandbox.NewSet(chosen...)
	return nil
}

// allow gives a chosen root the kinds of the root it is or lies in.
func (n *narrowed) allow(s *Snapshot, of *sandbox.Root, name string) {
	for kind, names := range s.Kinds {
		if slices.Contains(names, of.Name()) {
			n.kinds[kind] = append(n.kinds[kind], name)
		}
	}
}

// find resolves one entry: a name, a root's path, or a path below one. A
// relative path is tried below each root in order.
func (s *Snapshot) find(name string) (*sandbox.Root, string, bool) {
	clean := filepath.Clean(name)
	for _, r := range s.Roots.Roots() {
		if name == r.Name() || clean == r.Path() || clean == "." {
			return r, "", true
		}
	}
	for _, r := range s.Roots.Roots() {
		if rel, ok := below(r.Path(), clean); ok {
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

func below(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || !filepath.IsAbs(path) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func rootError(s *Snapshot, name string) error {
	var have []string
	for _, r := range s.Roots.Roots() {
		have = append(have, r.Name())
	}
	return &contract.Error{Name: "RootError", Code: "ROOT_NOT_FOUND",
		Message: fmt.Sprintf("roots: %q is not a configured root or a directory below one; there are: %s", name, strings.Join(have, ", "))}
}

// anchors are the directories that the configuration calls roots: the patterns
// of its deny list start there, also for a root below that is named for one run.
func anchors(roots map[string][]string, work string) []string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(roots)) {
		for _, dir := range roots[kind] {
			out = append(out, absolute(work, dir))
		}
	}
	return out
}
