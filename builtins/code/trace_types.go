package code

import (
	"context"
	"errors"
	"slices"

	"github.com/compactor-mcp/compactor/builtins/code/match"
	"github.com/compactor-mcp/compactor/builtins/code/relation"
	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// Limits of the search for types of values whose files name none of the targets: how many types at once, and how many
// types above one another.
const (
	maxTypesSought = 16
	maxTypeLevels  = 3
)

// addTypes finds what a type extends where a target is called on a value of it, and the file of the type does not name the
// target: doc.select() means Element.select() as Document extends Element, and Document.java has no select.
func (u *uses) addTypes(ctx context.Context, env *catalog.Env, root *sandbox.Root) error {
	if !u.definesMethod() {
		return nil
	}
	heads := u.heads[root.Name()]
	sought := map[string]bool{}
	for range maxTypeLevels {
		var names []string
		for _, name := range u.typesOfUses(root.Name()) {
			for _, t := range heads.Unknown(name) {
				if !sought[t] && len(names) < maxTypesSought {
					sought[t] = true
					names = append(names, t)
				}
			}
		}
		if len(names) == 0 {
			return nil
		}
		if err := findTypes(ctx, env, root, names, heads); err != nil {
			return err
		}
	}
	return nil
}

// definesMethod reports whether a target is defined in a type.
func (u *uses) definesMethod() bool {
	for _, f := range u.files {
		for _, defs := range f.defs {
			if slices.ContainsFunc(defs, func(d relation.Def) bool { return d.Container != "" }) {
				return true
			}
		}
	}
	return false
}

// typesOfUses lists the types of the values that methods are called on, and those around a call on the value itself.
func (u *uses) typesOfUses(root string) (out []string) {
	for _, f := range u.files {
		if f.root != root || !relation.HasHeads(f.lang) {
			continue
		}
		for _, list := range f.mentions {
			for i := range list {
				switch m := &list[i]; {
				case m.Base == relation.Type && m.Owner != "" && !relation.IsBuiltin(m.Lang, m.Owner):
					out = append(out, m.Owner)
				case len(m.Around) > 0:
					out = append(out, m.Around[0])
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// findTypes adds what types of some names extend.
func findTypes(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string, heads relation.Heads) error {
	files, err := filesWith(ctx, env, root, names)
	if err != nil {
		return err
	}
	m, err := match.Any(names, match.Options{Word: true})
	if err != nil {
		return err
	}
	type worker struct {
		lines  *match.Scanner
		parser parser
	}
	workers := make([]worker, workersOf(env))
	for i := range workers {
		workers[i] = worker{m.NewScanner(), newParser(env)}
	}
	type types struct {
		lang symbols.Lang
		defs []symbols.Def
	}
	perIndex := make([]types, len(files))
	visit := sandbox.Visitor{Read: func(w, i int, e sandbox.Entry, data []byte, v sandbox.Version) {
		ref := env.Roots.Ref(root, e.Path)
		lang := symbols.Detect(ref, data)
		if len(data) > bigFile || !relation.HasHeads(lang) {
			return
		}
		defines := false
		_ = workers[w].lines.Lines(ctx, data, func(l match.Line) bool {
			text := data[l.Start:l.End]
			for _, name := range names {
				at := wordIndex(text, name)
				defines = defines || at >= 0 && definesHere(text[:at])
			}
			return !defines
		})
		if defines {
			defs, _ := workers[w].parser.both(v, ref, data)
			perIndex[i] = types{lang, filter(defs, func(d symbols.Def) bool { return isTypeKind(d.Kind) && slices.Contains(names, d.Name) })}
		}
	}}
	if env.Cache != nil {
		visit.Known = func(int, int, sandbox.Version) bool { return false }
	}
	if _, err = root.ScanVersions(ctx, files, len(workers), visit); err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	count := map[string]int{}
	for _, t := range perIndex {
		for i := range t.defs {
			count[t.defs[i].Name]++
		}
	}
	for _, t := range perIndex {
		// Of several types of a name it is not known which one is meant.
		heads.AddOpen(t.lang, filter(t.defs, func(d symbols.Def) bool { return count[d.Name] == 1 }))
	}
	return nil
}
