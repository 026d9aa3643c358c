package usage

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// site is one place that uses a definition.
type site struct {
	relation.Usage
	bucket coderank.Bucket
}

func (s site) ref() string { return contract.Reference{Path: s.Path, Line: s.Line}.String() }

// worth ranks places for display.
func (s site) worth() int {
	w := 0
	if s.Form == relation.Call {
		w += 2
	}
	switch s.bucket {
	case coderank.Implementation, coderank.Entry, coderank.Types:
		w += 8
	case coderank.Test:
		w++
	}
	return w
}

// sites holds the places where a name occurs, by how they use the definitions.
type sites struct {
	sure, may     []site // ordered by path and line
	tests, values int    // number of the sure ones
	named         int    // all places in code outside the definitions
	others        int    // of these, those outside tests that mean something else
}

// rooted is a definition with its root: uses never cross roots.
type rooted struct {
	root string
	relation.Def
}

// contains reports whether the mention lies inside the definition.
func (d *rooted) contains(m *relation.Usage) bool {
	return m.InLine > 0 && m.Path == d.Path && m.Line >= d.Line && m.Line <= d.EndLine
}

// sites finds the places that use one of the definitions in of, all with the name of target i.
// Without definitions, as for names from outside the tree, all places count.
func (u *Uses) sites(ctx context.Context, env *catalog.Env, i int, of []rooted) sites {
	var out sites
	type around struct {
		root    string
		example bool
	}
	worlds := map[around]*relation.NameIndex{}
	for k := range of {
		d := &of[k]
		for _, example := range []bool{false, true} {
			if at := (around{d.root, example}); worlds[at] == nil {
				worlds[at] = worldOf(u.defsOf(i, d.root), u.heads[d.root], d.root, of, example)
			}
		}
		if d.Lang == symbols.Go && d.Package == "" {
			d.Package = GoImportPath(ctx, env, d.root, d.Path)
		}
	}
	const many = 64 // definitions that each mention is checked against
	for _, f := range u.files {
		w := worlds[around{f.root, f.bucket == coderank.Docs}]
		for _, m := range f.mentions[i] {
			if len(of) > many && w != nil {
				out.add(site{m, f.bucketOf(&m)}, w.DecideAny(&m))
				continue
			}
			v := relation.No
			if len(of) == 0 && m.Form != relation.Other {
				v = relation.Yes
			}
			inside := false
			for k := range of {
				d := &of[k]
				if d.root != f.root {
					continue
				}
				inside = inside || d.contains(&m) && !(len(of) > 1 && m.CallsOther(&d.Def))
				v = max(v, w.Decide(&m, &d.Def))
			}
			if inside {
				continue // recursion says nothing about callers
			}
			out.add(site{m, f.bucketOf(&m)}, v)
		}
	}
	return out
}

// worldOf collects the facts about a name in a root, where of are the definitions meant. For a
// mention in an example, definitions in examples are as near as any others.
func worldOf(defs []relation.Def, heads relation.Heads, root string, of []rooted, example bool) *relation.NameIndex {
	w := &relation.NameIndex{Defs: slices.Clone(defs), Heads: heads, Meant: make([]bool, len(defs))}
	type at struct {
		path string
		line int
	}
	meant := map[at]bool{}
	for _, d := range of {
		if d.root == root {
			meant[at{d.Path, d.Line}] = true
		}
	}
	for i, d := range defs {
		w.Meant[i] = meant[at{d.Path, d.Line}]
		if example && coderank.BucketOf(d.Path, nil) == coderank.Docs {
			w.Defs[i].Test = false
		}
	}
	return w
}

// bucketOf returns the file's bucket, or Test for a mention inside a test of the file.
func (f *fileUse) bucketOf(m *relation.Usage) coderank.Bucket {
	if inLines(f.tests, m.Line) {
		return coderank.Test
	}
	return f.bucket
}

func (s *sites) add(at site, v relation.Verdict) {
	s.named++
	switch v {
	case relation.Yes:
		if n := len(s.sure); n > 0 && s.sure[n-1].Path == at.Path && s.sure[n-1].Line == at.Line && s.sure[n-1].Form == at.Form {
			return // twice on a line
		}
		s.sure = append(s.sure, at)
		if at.bucket == coderank.Test {
			s.tests++
		}
		if at.Form == relation.Value {
			s.values++
		}
	case relation.Maybe:
		s.may = append(s.may, at)
	default:
		if at.bucket != coderank.Test {
			s.others++
		}
	}
}

// GoImportPath returns the import path of a Go file: the module name in the go.mod above it, and
// the path from there.
func GoImportPath(ctx context.Context, env *catalog.Env, rootName, ref string) string {
	root, rel, err := env.Roots.Resolve(ref)
	if err != nil || root.Name() != rootName {
		return ""
	}
	below := ""
	for dir := path.Dir(rel); ; dir = path.Dir(dir) {
		data, err := root.ReadFile(ctx, path.Join(dir, "go.mod"), nil)
		if err == nil {
			for line := range strings.Lines(string(data)) {
				if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
					return path.Join(strings.Trim(strings.TrimSpace(name), `"`), below)
				}
			}
			return ""
		}
		if dir == "." || dir == "/" {
			return ""
		}
		below = path.Join(path.Base(dir), below)
	}
}
