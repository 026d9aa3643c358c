package code

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"github.com/compactor-mcp/compactor/builtins/code/match"
	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/budget"
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// TraceInput is what code.trace takes: places, or names, or both.
type TraceInput struct {
	References []string `json:"references,omitempty" doc:"path:line entries whose definitions are traced"`
	Names      []string `json:"names,omitempty" doc:"identifiers that are traced"`
	Limit      int      `json:"limit" doc:"callers listed for each name" default:"4" min:"1" max:"50"`
}

// TraceOutput lists who uses what.
type TraceOutput struct {
	Calls []Callers    `json:"calls" doc:"one entry for each traced name"`
	Defs  []Definition `json:"defs,omitempty" doc:"where what the places call is defined, in other files"`
	Notes string       `json:"notes,omitempty" doc:"what was cut"`
}

// Callers is where one definition is used.
type Callers struct {
	Name     string `json:"name" doc:"traced identifier"`
	Ref      string `json:"ref,omitempty" doc:"path:line of its definition"`
	Total    int    `json:"total" doc:"uses outside its definition, in the whole tree"`
	Tests    int    `json:"tests" doc:"of these, in tests"`
	Definers int    `json:"definers" doc:"places that define something of this name; above 1 the uses may mean another"`
	Uses     []Use  `json:"uses" doc:"the most telling uses"`
}

// Use is one line that uses a name.
type Use struct {
	Ref string `json:"ref" doc:"path:line"`
	In  string `json:"in,omitempty" doc:"definition around it"`
}

// Trace finds callers and users of definitions in one pass over the tree.
func Trace() catalog.Builtin {
	return catalog.New("code.trace", "find who calls or uses a definition", catalog.Roots, trace)
}

func trace(ctx context.Context, env *catalog.Env, in TraceInput) (TraceOutput, error) {
	out := TraceOutput{Calls: []Callers{}}
	targets, notes, err := traceTargets(ctx, env, in)
	if err != nil {
		return out, err
	}
	out.Notes = notes
	if len(targets) == 0 {
		return out, nil
	}
	wanted := calleesIn(ctx, env, in.References)
	found, err := findUses(ctx, env, targets, wanted)
	if err != nil {
		return out, err
	}
	out.Defs = wanted.definitions()
	for i, t := range targets {
		out.Calls = append(out.Calls, t.callers(ctx, env, found[i], in.Limit))
	}
	return out, nil
}

// target is one name whose uses are wanted.
type target struct {
	name string
	ref  contract.Reference // of the definition; zero when only a name was given
	dir  string
	ext  string
	end  int // last line of the definition
}

func traceTargets(ctx context.Context, env *catalog.Env, in TraceInput) (out []target, notes string, err error) {
	for _, s := range in.References {
		t, err := targetAt(ctx, env, s)
		var spent *budget.ExhaustedError
		switch {
		case errors.As(err, &spent):
			return out, "not all places were traced: " + spent.Limit + " used up", nil
		case ctx.Err() != nil:
			return out, "", ctx.Err()
		case err == nil && t.name != "":
			out = addTarget(out, t)
		}
	}
	for _, n := range in.Names {
		out = addTarget(out, target{name: n})
	}
	return out, "", nil
}

func addTarget(list []target, t target) []target {
	for _, have := range list {
		if have.name == t.name {
			return list
		}
	}
	return append(list, t)
}

// traceable kinds are those that code calls or names; a heading or a key of a
// data file is neither.
func traceable(k symbols.Kind) bool {
	return k != symbols.KindHeading && k != symbols.KindKey && k != symbols.KindModule && k != symbols.KindTable
}

func targetAt(ctx context.Context, env *catalog.Env, ref string) (target, error) {
	src, line, err := loadAt(ctx, env, ref)
	if err != nil {
		return target{}, err
	}
	d, ok := src.near(line)
	if !ok || !traceable(d.Kind) || len(d.Name) < 2 {
		return target{}, nil
	}
	if err := src.quote(env, len(d.Signature)); err != nil {
		return target{}, err
	}
	return target{name: d.Name, ref: contract.Reference{Path: src.ref, Line: d.Line}, end: d.EndLine,
		dir: path.Dir(src.ref), ext: path.Ext(src.ref)}, nil
}

// use is one line found by the scan.
type use struct {
	path   string
	line   int
	bucket rank.Bucket
	call   bool
}

// usesPerFile bounds what one file contributes for one name; beyond it only the
// count goes on.
const usesPerFile = 16

// findUses scans the tree once for all names. The result has one list for
// each target, in path order whatever the workers' timing.
func findUses(ctx context.Context, env *catalog.Env, targets []target, wanted *callees) ([]usage, error) {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	names = append(names, wanted.names...)
	m, err := match.Any(names, match.Options{Word: true})
	if err != nil {
		return nil, err
	}
	out := make([]usage, len(targets))
	for _, root := range env.Roots.Roots() {
		files, err := filesWith(ctx, env, root, names)
		if err != nil {
			return nil, err
		}
		perIndex := make([][]fileUse, len(files))
		defined := make([][]site, len(files))
		workers := make([]useFinder, workersOf(env))
		for i := range workers {
			workers[i].lines = m.NewScanner()
			workers[i].parser.cache = env.Cache
			workers[i].callees.of = wanted
		}
		visit := sandbox.Visitor{Read: func(w, i int, e sandbox.Entry, data []byte, v sandbox.Version) {
			perIndex[i] = workers[w].find(ctx, env.Roots.Ref(root, e.Path), data, v, targets)
			defined[i] = workers[w].callees.take()
		}}
		if env.Cache != nil { // for the versions: uses are of names, and not kept
			visit.Known = func(int, int, sandbox.Version) bool { return false }
		}
		_, err = root.ScanVersions(ctx, files, len(workers), visit)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		for i, list := range perIndex {
			wanted.add(env.Roots.Ref(root, files[i].Path), defined[i])
			for _, u := range list {
				out[u.target].add(u)
			}
		}
	}
	return out, nil
}

// usage gathers one target's lines over the whole tree.
type usage struct {
	total, tests, definers int
	kept                   []use
}

type fileUse struct {
	target int
	total  int
	define int
	uses   []use
}

func (u *usage) add(f fileUse) {
	u.total += f.total
	u.definers += f.define
	if len(f.uses) > 0 && f.uses[0].bucket == rank.Test {
		u.tests += f.total
	}
	u.kept = append(u.kept, f.uses...)
}

// callers chooses the uses worth showing: implementation before tests, calls
// before mentions, the definition's own directory last of equals (a caller
// elsewhere says more), then by path.
func (t target) callers(ctx context.Context, env *catalog.Env, u usage, limit int) Callers {
	c := Callers{Name: t.name, Total: u.total, Tests: u.tests, Definers: u.definers, Uses: []Use{}}
	if t.ref.Path != "" {
		c.Ref = t.ref.String()
	}
	slices.SortStableFunc(u.kept, func(a, b use) int {
		return cmp.Or(cmp.Compare(t.worth(b), t.worth(a)), cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
	})
	seen := map[string]bool{}
	for _, k := range u.kept {
		if len(c.Uses) == limit || ctx.Err() != nil {
			break
		}
		if k.path == t.ref.Path && k.line >= t.ref.Line && k.line <= t.end {
			continue // recursion says nothing about callers
		}
		use := Use{Ref: contract.Reference{Path: k.path, Line: k.line}.String(), In: around(ctx, env, k)}
		if key := k.path + "\x00" + use.In; !seen[key] {
			seen[key] = true
			c.Uses = append(c.Uses, use)
		}
	}
	return c
}

func (t target) worth(u use) int {
	w := 0
	if u.call {
		w += 2
	}
	if t.ext != "" && path.Ext(u.path) == t.ext {
		w++
	}
	switch u.bucket {
	case rank.Implementation, rank.Entry, rank.Types:
		w += 8
	case rank.Test:
		w += 1
	}
	return w
}

// around names the definition a use stands in; where the budget has no room
// for one more file the name is left out.
func around(ctx context.Context, env *catalog.Env, u use) string {
	src, err := load(ctx, env, u.path)
	if err != nil {
		return ""
	}
	d, ok := symbols.Enclosing(src.defs, u.line)
	name := title(d, src.lang)
	if !ok || !traceable(d.Kind) || src.quote(env, len(name)) != nil {
		return ""
	}
	return name
}
