package sandbox

import "sync/atomic"

// walkStart is the place where a walk or a listing begins, with the rules that apply there.
type walkStart struct {
	at     place
	scope  scope
	habits habits
}

func (r *Root) startWalk(under string) (walkStart, error) {
	at, err := r.locate(under)
	if err != nil || at.meta.kind != kindDir {
		return walkStart{at: at}, err
	}
	start := walkStart{at: at, habits: habits{control: !r.opt.Hidden}}
	o := r.core.tree.opener()
	defer o.close()
	if !r.opt.Hidden {
		start.habits.installed = r.core.outer == nil && !r.topIsRuled(o)
	}
	if !r.opt.NoIgnore {
		start.scope = r.scopeAbove(o, at.path)
	}
	return start, nil
}

// topIsRuled applies topSpeaks to the top of the root.
func (r *Root) topIsRuled(o opener) bool {
	d, err := o.openDir(".")
	if err != nil {
		return false
	}
	defer d.close()
	var l listing
	l.reset(".")
	if d.list(&l, new(atomic.Bool)) != nil {
		return false
	}
	l.seal()
	return topSpeaks(&l)
}

// scopeAbove reads the ignore files of all directories above a path, up to the top of the repository around the root.
func (r *Root) scopeAbove(o opener, path string) scope {
	var s scope
	if r.core.outer != nil {
		s = r.core.outer.scopeAbove()
	}
	s.tree = r.core.tree
	if path == "." {
		return s
	}
	for end := range eachComponent("/" + path) {
		dir := "."
		if end > 0 {
			dir = path[:end-1]
		}
		if dir == path {
			break
		}
		d, err := o.openDir(dir)
		if err != nil {
			return s
		}
		s = s.enterDir(dir, d, probeRules(d))
		d.close()
	}
	return s
}

// probeRules does what listing.ruleFiles does, for a directory that need not be listed.
func probeRules(d directory) ruleFiles {
	has := func(name string) bool { _, err := d.stat(name); return err == nil }
	return ruleFiles{ignore: has(ignoreFile), gitignore: has(gitignoreFile), gitDir: has(gitDir)}
}
