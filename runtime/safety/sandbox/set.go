package sandbox

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Set holds the roots that one request may see, in the order of the configuration. A reference names a file in it:
// relative to the root if the set was made of one root, "<root>/<path>" if it was made of several. A narrowed set keeps
// the form of the set it came from, so that a reference means the same in every request.
//
// Where two roots overlap (one lies in the other, or both are one directory) the stricter rule wins: what either denies
// is denied in both, and the smaller size limit applies to all of both. This remains true after narrowing, so a file
// cannot be read through another root.
type Set struct {
	roots    []*Root
	prefixed bool
}

// NewSet returns a set of the roots. Of roots with the same name it takes only the first. The roots in the set may be
// other values than those passed in, with the rules of overlapping roots added; Close on either closes both.
func NewSet(roots ...*Root) *Set {
	var unique []*Root
	for _, r := range roots {
		if !slices.ContainsFunc(unique, func(u *Root) bool { return u.name == r.name }) {
			unique = append(unique, r)
		}
	}
	set := &Set{prefixed: len(unique) > 1}
	for _, r := range unique {
		set.roots = append(set.roots, r.guardedBy(unique))
	}
	return set
}

// Roots returns the roots in order.
func (s *Set) Roots() []*Root { return slices.Clone(s.roots) }

// Names returns the names of the roots in order.
func (s *Set) Names() []string {
	names := make([]string, len(s.roots))
	for i, r := range s.roots {
		names[i] = r.name
	}
	return names
}

// Narrow returns a set of the named roots, in the order of s, or s for no names. An unknown name is ErrNoRoot.
func (s *Set) Narrow(names []string) (*Set, error) {
	if len(names) == 0 {
		return s, nil
	}
	for _, n := range names {
		if s.findRoot(n) == nil {
			return nil, s.unknownRoot(n)
		}
	}
	narrow := &Set{prefixed: s.prefixed}
	for _, r := range s.roots {
		if slices.Contains(names, r.name) {
			narrow.roots = append(narrow.roots, r)
		}
	}
	return narrow, nil
}

// Resolve splits a reference path into the root and the cleaned path in it; "." is the root itself. It looks only at
// the text, and accepts names as they are or as Ref escapes them. It removes the root's name before it cleans the rest,
// so "code/../docs/x" does not lead to docs.
func (s *Set) Resolve(refPath string) (*Root, string, error) {
	refPath = sanitize.Path(refPath)
	if len(s.roots) == 0 {
		return nil, "", s.unknownRoot(refPath)
	}
	if !s.prefixed {
		rel, _, err := cleanPath(refPath)
		if err != nil {
			return nil, "", s.roots[0].wrapError(refPath, err)
		}
		return s.roots[0], rel, nil
	}
	if why := explainForeign(refPath); why != "" {
		return nil, "", &PathError{Path: refPath, Err: ErrOutside, Hint: why}
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(refPath, "./"), "/")
	r := s.findRoot(name)
	if r == nil {
		return nil, "", s.unknownRoot(name)
	}
	rel, _, err := cleanPath(rest)
	if err != nil {
		return nil, "", r.wrapError(rest, err)
	}
	return r, rel, nil
}

// Ref returns the reference path of a file, the inverse of Resolve. Characters that a reader would not see, or would
// obey, are escaped as in sanitize.Name.
func (s *Set) Ref(r *Root, rel string) string {
	switch {
	case !s.prefixed:
		return sanitize.Name(rel)
	case rel == "." || rel == "":
		return sanitize.Name(r.name)
	}
	return sanitize.Name(r.name + "/" + rel)
}

func (s *Set) findRoot(name string) *Root {
	for _, r := range s.roots {
		if r.name == name {
			return r
		}
	}
	return nil
}

func (s *Set) unknownRoot(name string) error {
	hint := "no root is configured"
	if len(s.roots) > 0 {
		hint = "start the path with one of: " + strings.Join(s.Names(), ", ")
	}
	return &PathError{Path: name, Err: ErrNoRoot, Hint: hint}
}

// pathWithin returns the plain path of inner in outer, "." for the same directory. Both are absolute and without links. It
// ignores case: at worst, two directories that differ only in case get each other's rules.
func pathWithin(outer, inner string) (string, bool) {
	o := strings.Split(strings.TrimSuffix(filepath.ToSlash(outer), "/"), "/")
	i := strings.Split(filepath.ToSlash(inner), "/")
	// Names are compared one by one: their letters may take more bytes in one case than in the other.
	if len(i) < len(o) || !slices.EqualFunc(o, i[:len(o)], strings.EqualFold) {
		return "", false
	}
	return cmp.Or(strings.Join(i[len(o):], "/"), "."), true
}
