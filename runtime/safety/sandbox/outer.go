package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// outer is the part above a root of the repository that encloses it; only its ignore files are read. It is nil for a
// root that is the top of a repository, or in none.
type outer struct {
	tree tree
	top  string // its absolute path
	at   string // the path from top to the root, plain
}

// openOuter opens the repository that a root lies in. A repository that ignores the root, or a directory on the way to
// it, does not count: a home directory under version control leaves most of itself out.
func openOuter(real string, portable bool) *outer {
	top := enclosingRepo(real)
	if top == "" || top == real {
		return nil
	}
	at, ok := pathWithin(top, real)
	if !ok || !plainPath(at) {
		return nil
	}
	t, err := newTree(top, true, portable)
	if err != nil {
		return nil
	}
	o := &outer{t, top, at}
	if o.leftOut() {
		t.close()
		return nil
	}
	return o
}

// Reads returns the directories that the root reads from: its own, and the repository around it for its ignore files.
func (r *Root) Reads() []string {
	if r.core.outer == nil {
		return []string{r.path}
	}
	return []string{r.path, r.core.outer.top}
}

// enclosingRepo returns the nearest directory that has a .git, starting with dir itself, or "".
func enclosingRepo(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, gitDir)); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// leftOut reports whether the repository ignores the root.
func (o *outer) leftOut() bool {
	op := o.tree.opener()
	defer op.close()
	var s scope
	at := ""
	for end, name := range eachComponent(o.at) {
		s = s.enterAt(op, at)
		at = o.at[:end]
		if ignored, ruled := s.ignore.applyRules(at, name, kindDir); ignored || !ruled && s.gitIgnores(at, name, kindDir) {
			return true
		}
	}
	return false
}

// scopeAbove returns the rules from above the root, for paths relative to the root.
func (o *outer) scopeAbove() scope {
	op := o.tree.opener()
	defer op.close()
	s := scope{tree: o.tree}
	at := ""
	for end := range eachComponent(o.at) {
		s = s.enterAt(op, at)
		at = o.at[:end]
	}
	return scope{ignore: s.ignore.seenFrom(o.at), git: s.git.seenFrom(o.at), exclude: s.exclude.seenFrom(o.at), index: s.index.seenFrom(o.at)}
}

// enterAt opens a directory and enters it; "" is the top.
func (s scope) enterAt(op opener, dir string) scope {
	if dir == "" {
		dir = "."
	}
	d, err := op.openDir(dir)
	if err != nil {
		return s
	}
	defer d.close()
	return s.enterDir(dir, d, probeRules(d))
}

// seenFrom returns the same levels for paths relative to a directory below all of theirs.
func (l *level) seenFrom(at string) *level {
	if l == nil {
		return nil
	}
	return &level{above: l.above.seenFrom(at), way: strings.TrimPrefix(at+"/", l.base), rules: l.rules}
}
