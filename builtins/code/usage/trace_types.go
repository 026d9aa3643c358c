package usage

import (
	"context"
	"errors"
	"slices"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Limits of the search for types whose files name none of the targets: types per level, and levels
// of supertypes.
const (
	maxTypesSought = 16
	maxTypeLevels  = 3
)

// readElsewhere finds the types of receivers in files that do not name the targets.
func (u *Uses) readElsewhere(ctx context.Context, env *catalog.Env, root *sandbox.Root, targets []Target) error {
	if !u.definesMethod() {
		return nil
	}
	sought := map[string]bool{}
	if err := u.addTypes(ctx, env, root, targets, sought); err != nil {
		return err
	}
	if more, err := u.addResults(ctx, env, root); !more || err != nil {
		return err
	}
	return u.addTypes(ctx, env, root, targets, sought)
}

// addTypes finds the supertypes of a receiver whose file does not name the target: doc.select()
// means Element.select() as Document extends Element, and Document.java does not mention select.
// sought holds the types searched so far.
func (u *Uses) addTypes(ctx context.Context, env *catalog.Env, root *sandbox.Root, targets []Target, sought map[string]bool) error {
	heads := u.heads[root.Name()]
	owners := u.typesOfTargets(root.Name(), targets)
	for range maxTypeLevels {
		var names []string
		for _, name := range append(owners, u.typesOfUses(root.Name())...) {
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
func (u *Uses) definesMethod() bool {
	for _, f := range u.files {
		for _, defs := range f.defs {
			if slices.ContainsFunc(defs, func(d relation.Def) bool { return d.Container != "" }) {
				return true
			}
		}
	}
	return false
}

// typesOfTargets lists the types that have the targets, or none if there are many: a call may be on
// one of their supertypes.
func (u *Uses) typesOfTargets(root string, targets []Target) (out []string) {
	for _, f := range u.files {
		if f.root != root || !relation.HasHeads(f.lang) {
			continue
		}
		for i, t := range targets {
			for _, d := range f.defs[i] {
				owner := source.LastIdentifier(d.Container)
				if owner != "" && (t.owner == "" || owner == source.LastIdentifier(t.owner)) && (t.Ref.Path == "" || d.Path == t.Ref.Path && d.Line == t.Ref.Line) {
					out = append(out, owner)
				}
			}
		}
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > maxTypesSought {
		return nil
	}
	return slices.Clip(out)
}

// typesOfUses lists the types of receivers, and the types that enclose calls on the object itself.
func (u *Uses) typesOfUses(root string) (out []string) {
	for _, f := range u.files {
		if f.root != root || !relation.HasHeads(f.lang) {
			continue
		}
		for _, list := range f.mentions {
			for i := range list {
				for m := &list[i]; m != nil; m = m.Receiver() {
					switch {
					case m.Base == relation.Type && m.Owner != "" && !relation.IsBuiltin(m.Lang, m.Owner):
						out = append(out, m.Owner)
					case len(m.Around) > 0 && m.Base != relation.Unknown:
						out = append(out, m.Around[0])
					}
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// findTypes adds the supertypes of the types with these names.
func findTypes(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string, heads relation.Heads) error {
	found, err := findDefinitions(ctx, env, root, names, definitionSearch{
		accepts: relation.HasHeads,
		defines: func(before, _ []byte) bool { return definesHere(before) },
		read: func(f *definitionFile, _ *relation.Reader) {
			f.defs = keepIf(f.defs, func(d symbols.Def) bool { return relation.IsHead(f.lang, &d) && slices.Contains(names, d.Name) })
		},
	})
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, f := range found {
		for i := range f.defs {
			count[f.defs[i].Name]++
		}
	}
	for _, f := range found {
		// If several types share a name, which one is meant is unknown.
		heads.AddOpen(f.lang, keepIf(f.defs, func(d symbols.Def) bool { return count[d.Name] == 1 }))
	}
	return nil
}

// definitionSearch configures a search for definitions: in which languages, whether the text around
// a name looks like one, and what to take from a file.
type definitionSearch struct {
	accepts func(symbols.Lang) bool
	defines func(before, behind []byte) bool
	read    func(*definitionFile, *relation.Reader)
}

// definitionFile is a file that defines some of the names.
type definitionFile struct {
	ref     string
	lang    symbols.Lang
	defs    []symbols.Def
	returns []relation.Usage // of functions: what they return
	seems   []string         // names that it seems to define; in a big file at most maxSeen
	unread  bool             // too big to be parsed
}

// maxSeen bounds the lines of a big file that seem to define a name.
const maxSeen = 1000

// findDefinitions returns the files of a root that define some of the names, by path, filled in by
// search.read.
func findDefinitions(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string, search definitionSearch) ([]definitionFile, error) {
	files, err := source.ListContaining(ctx, env, root, names)
	if err != nil {
		return nil, err
	}
	m, err := match.Any(names, match.Options{Word: true})
	if err != nil {
		return nil, err
	}
	workers := make([]useFinder, source.CountWorkers(env))
	for i := range workers {
		workers[i].lines, workers[i].parser = m.NewScanner(), source.NewParser(env)
	}
	perIndex := make([]definitionFile, len(files))
	visit := sandbox.Visitor{Read: func(w, i int, e sandbox.Entry, data []byte, v sandbox.Version) {
		u, f := &workers[w], definitionFile{ref: env.Roots.Ref(root, e.Path)}
		f.lang = symbols.Detect(f.ref, data)
		if !search.accepts(f.lang) {
			return
		}
		big := len(data) > bigFile
		_ = u.lines.Lines(ctx, data, func(l match.Line) bool {
			text := data[l.Start:l.End]
			for _, name := range names {
				if at := source.IndexWord(text, name); at >= 0 && search.defines(text[:at], text[at+len(name):]) {
					f.seems = append(f.seems, name)
				}
			}
			return len(f.seems) == 0 || big && len(f.seems) < maxSeen
		})
		if len(f.seems) == 0 {
			return
		}
		if big { // do not parse big files in parallel
			f.unread = true
			perIndex[i] = f
			return
		}
		var spans []source.Span
		f.defs, spans = u.parser.Parse(v, f.ref, data)
		u.setQuiet(spans)
		u.reader.Open(relation.Source{Path: f.ref, Lang: f.lang, Data: data, Defs: f.defs, Quiet: u.quiet})
		search.read(&f, &u.reader)
		perIndex[i] = f
	}}
	if env.Cache != nil {
		visit.Known = func(int, int, sandbox.Version) bool { return false }
	}
	if _, err = root.ScanVersions(ctx, files, len(workers), visit); err != nil || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	return keepIf(perIndex, func(f definitionFile) bool { return f.unread || len(f.defs) > 0 }), nil
}
