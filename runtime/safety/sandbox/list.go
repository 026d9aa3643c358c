package sandbox

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
)

// ReadDir lists one directory, sorted by Path. Ignored and denied names are left out; links are listed as links. rel is
// relative to the root; "." or "" is the root itself.
func (r *Root) ReadDir(ctx context.Context, rel string) ([]Entry, error) {
	entries, _, err := r.List(ctx, rel)
	return entries, err
}

// List does what ReadDir does and counts what was left out. stats.Cut means a directory of more than 1,048,576 names.
func (r *Root) List(ctx context.Context, rel string) ([]Entry, WalkStats, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	type outcome struct {
		entries []Entry
		stats   WalkStats
	}
	out, err := awaitCall(ctx, r.core, func() (out outcome, err error) {
		out.entries, out.stats, err = r.listDir(rel, &stop)
		return out, err
	})
	if ctx.Err() != nil { // the list may be incomplete
		return nil, WalkStats{}, context.Cause(ctx)
	}
	return r.toViewPaths(out.entries), out.stats, r.wrapError(rel, err)
}

func (r *Root) listDir(rel string, stop *atomic.Bool) ([]Entry, WalkStats, error) {
	start, err := r.startWalk(rel)
	if err != nil {
		return nil, WalkStats{}, err
	}
	if start.at.meta.kind != kindDir {
		return nil, WalkStats{}, ErrNotDir
	}
	o := r.core.tree.opener()
	defer o.close()
	d, err := o.openDir(start.at.path)
	if err != nil {
		return nil, WalkStats{}, r.orGone(notLink(err))
	}
	defer d.close()
	var l listing
	l.reset(start.at.path)
	if err := d.list(&l, stop); err != nil {
		return nil, WalkStats{}, r.orGone(err)
	}
	l.seal()
	in := start.scope
	if !r.opt.NoIgnore {
		in = in.enterDir(start.at.path, d, l.ruleFiles())
	}
	entries, stats := r.listVisible(d, &l, in, start.habits, stop)
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return entries, stats, nil
}

func (r *Root) listVisible(d directory, l *listing, in scope, h habits, stop *atomic.Bool) ([]Entry, WalkStats) {
	entries, stats := make([]Entry, 0, len(l.items)), WalkStats{Cut: l.full}
	for i := range l.items {
		if stop.Load() {
			break
		}
		path, name, k := l.path(i), l.name(i), l.items[i].kind
		switch r.classifyName(path, name, k, in, h) {
		case ignoredName:
			stats.Ignored++
			continue
		case deniedName:
			stats.Denied++
			continue
		}
		m, err := d.stat(name)
		if err != nil {
			stats.Unreadable++
			continue
		}
		if stats.count(m, r.opt.MaxFileSize) {
			entries = append(entries, entryOf(path, m, m.kind == kindLink))
		}
	}
	return entries, stats
}

// count counts one name and reports whether it is listed.
func (s *WalkStats) count(m meta, limit int64) bool {
	switch m.kind {
	case kindDir:
		s.Dirs++
	case kindLink:
		s.Links++
	case kindFile:
		s.Files++
		if m.size > limit {
			s.Oversize++
		}
	default:
		s.Special++
		return false
	}
	return true
}

// notLink replaces errLink, for a link that appeared after the path was checked: the next call will see it.
func notLink(err error) error {
	if err == errLink {
		return ErrNotFound
	}
	return err
}
