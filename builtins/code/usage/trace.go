package usage

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// TraceInput is the input of code.trace: places, or names, or both.
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

// Callers lists where one definition is used.
type Callers struct {
	Name     string `json:"name" doc:"traced identifier"`
	Ref      string `json:"ref,omitempty" doc:"path:line of its definition"`
	Total    int    `json:"total" doc:"uses outside its definition, in the whole tree; for a function, calls"`
	Tests    int    `json:"tests" doc:"of these, in tests"`
	Values   int    `json:"values,omitempty" doc:"of these, where a function is handed on and not called"`
	May      int    `json:"may,omitempty" doc:"further places that may mean it or another of the name"`
	Named    int    `json:"named,omitempty" doc:"places in code that have the name, whatever they mean"`
	Denial   string `json:"denial,omitempty" doc:"that no use was found, as far as that can be said"`
	Definers int    `json:"definers" doc:"places that define something of this name"`
	Uses     []Use  `json:"uses" doc:"the most telling uses"`
}

// Use is one line that uses a name.
type Use struct {
	Ref string `json:"ref" doc:"path:line"`
	In  string `json:"in,omitempty" doc:"definition around it"`
	// Value distinguishes passing a function as a value from calling it.
	Value bool `json:"value,omitempty" doc:"hands it on and does not call it"`
}

// Trace returns code.trace, which finds callers and users of definitions in one pass over the tree.
func Trace() catalog.Builtin {
	return catalog.New("code.trace", "find who calls or uses a definition", catalog.Roots, RunTrace)
}

// RunTrace finds who uses what the input names.
func RunTrace(ctx context.Context, env *catalog.Env, in TraceInput) (TraceOutput, error) {
	out := TraceOutput{Calls: []Callers{}}
	targets, notes, err := traceTargets(ctx, env, in)
	if err != nil {
		return out, err
	}
	out.Notes = notes
	if len(targets) == 0 {
		return out, nil
	}
	wanted := calledElsewhere(ctx, env, in.References)
	found, err := findUsesAnd(ctx, env, targets, wanted)
	if err != nil {
		return out, err
	}
	out.Defs = wanted.definitions()
	for i := range targets {
		c := targets[i].SummarizeUses(ctx, env, found, i, in.Limit)
		if err := targets[i].setDenial(ctx, env, found, i, &c); err != nil {
			return out, err
		}
		out.Calls = append(out.Calls, c)
	}
	return out, nil
}

// Target is one name whose uses are wanted.
type Target struct {
	Name  string
	Ref   contract.Reference // of the definition; zero if only a name was given
	Root  string             // root of the definition
	owner string             // qualifier in the question
	hint  []string           // words near the name that may identify its owner: close of the pool
	takes string             // parameters in the question that identify an overload: charge(card:)
	Def   symbols.Def
}

func traceTargets(ctx context.Context, env *catalog.Env, in TraceInput) (out []Target, notes string, err error) {
	for _, s := range in.References {
		t, err := targetAt(ctx, env, s)
		var spent *budget.ExhaustedError
		switch {
		case errors.As(err, &spent):
			return out, "not all places were traced: " + spent.Limit + " used up", nil
		case ctx.Err() != nil:
			return out, "", ctx.Err()
		case err == nil && t.Name != "":
			out = AddTarget(out, t)
		}
	}
	for _, n := range in.Names {
		out = AddTarget(out, Target{Name: n})
	}
	return out, "", nil
}

// AddTarget appends a target whose name is not in the list.
func AddTarget(list []Target, t Target) []Target {
	if slices.ContainsFunc(list, func(have Target) bool { return have.Name == t.Name }) {
		return list
	}
	return append(list, t)
}

// IsTraceable reports whether code can call or name this kind; it cannot for a heading or a key of
// a data file.
func IsTraceable(k symbols.Kind) bool {
	return k != symbols.KindHeading && k != symbols.KindKey && k != symbols.KindModule && k != symbols.KindTable && k != symbols.KindPolicy
}

func targetAt(ctx context.Context, env *catalog.Env, ref string) (Target, error) {
	src, line, err := source.LoadAt(ctx, env, ref)
	if err != nil {
		return Target{}, err
	}
	d, ok := src.DefNear(line)
	if !ok || !IsTraceable(d.Kind) || len(d.Name) < 2 {
		return Target{}, nil
	}
	if err := src.Book(env, len(d.Signature)); err != nil {
		return Target{}, err
	}
	return NewTarget(env, src, d), nil
}

// NewTarget returns the target for a definition in a file.
func NewTarget(env *catalog.Env, src *source.File, d symbols.Def) Target {
	return Target{Name: d.Name, Ref: contract.Reference{Path: src.Ref, Line: d.Line}, Root: rootName(env, src.Ref), Def: d}
}

// Uses is what the tree has about some names.
type Uses struct {
	files []rootUse // ordered by root and path
	heads map[string]relation.Heads
	cut   bool
}

type rootUse struct {
	root string
	*fileUse
}

// FindUses scans the tree for all names together. The result is in path order whatever the timing of
// the workers.
func FindUses(ctx context.Context, env *catalog.Env, targets []Target) (*Uses, error) {
	return findUsesAnd(ctx, env, targets, &wantedCallees{})
}

// findUsesAnd also finds the definitions of the wanted callees.
func findUsesAnd(ctx context.Context, env *catalog.Env, targets []Target, wanted *wantedCallees) (*Uses, error) {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.Name
	}
	names = append(names, wanted.names...)
	m, err := match.Any(names, match.Options{Word: true})
	if err != nil {
		return nil, err
	}
	out := &Uses{heads: map[string]relation.Heads{}}
	for _, root := range env.Roots.Roots() {
		files, err := source.ListContaining(ctx, env, root, names)
		if err != nil {
			return nil, err
		}
		perIndex := make([]*fileUse, len(files))
		defined := make([][]defSite, len(files))
		workers := make([]useFinder, source.CountWorkers(env))
		for i := range workers {
			workers[i].lines = m.NewScanner()
			workers[i].parser = source.NewParser(env)
			workers[i].callees.of = wanted
		}
		visit := sandbox.Visitor{Read: func(w, i int, e sandbox.Entry, data []byte, v sandbox.Version) {
			perIndex[i] = workers[w].find(ctx, env.Roots.Ref(root, e.Path), data, v, targets)
			defined[i] = workers[w].callees.take()
		}}
		if env.Cache != nil { // Known requests versions; uses depend on the names and are not cached
			visit.Known = func(int, int, sandbox.Version) bool { return false }
		}
		_, err = root.ScanVersions(ctx, files, len(workers), visit)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		big, cut := bigFiles(perIndex)
		out.cut = out.cut || cut
		if err := findInBig(ctx, env, root, files, big, workers, targets, perIndex); err != nil {
			return nil, err
		}
		heads := relation.Heads{}
		for i, f := range perIndex {
			wanted.add(env.Roots.Ref(root, files[i].Path), defined[i])
			if f != nil && !f.later {
				heads.AddHeads(f.lang, f.types)
				out.files = append(out.files, rootUse{root.Name(), f})
				out.cut = out.cut || f.cut
			}
		}
		out.heads[root.Name()] = heads
		if err := out.readElsewhere(ctx, env, root, targets); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// defsOf returns the definitions of a name in a root. Prototypes count only if there is nothing
// else.
func (u *Uses) defsOf(i int, root string) (out []relation.Def) {
	var declared []relation.Def
	for _, f := range u.files {
		if f.root != root {
			continue
		}
		for _, d := range f.defs[i] {
			if d.Kind == symbols.KindPrototype {
				declared = append(declared, d)
			} else {
				out = append(out, d)
			}
		}
	}
	if len(out) == 0 {
		return declared
	}
	return out
}

// SummarizeUses selects the most useful uses: implementation before tests, calls before mentions,
// then by path.
func (t Target) SummarizeUses(ctx context.Context, env *catalog.Env, u *Uses, i, limit int) Callers {
	c := Callers{Name: t.Name, Uses: []Use{}}
	of, definers := t.defs(env, u, i)
	c.Definers = definers
	if t.Ref.Path != "" {
		c.Ref = t.Ref.String()
		if len(of) == 0 { // a prototype, or the file changed since
			of = []rooted{{t.Root, relation.Def{Def: t.Def, Path: t.Ref.Path, Lang: symbols.Language(t.Ref.Path)}}}
		}
	}
	sites := u.sites(ctx, env, i, of)
	c.Total, c.Tests, c.Values, c.May, c.Named = len(sites.sure), sites.tests, sites.values, len(sites.may), sites.named
	slices.SortStableFunc(sites.sure, func(a, b site) int { return cmp.Compare(b.worth(), a.worth()) })
	seen := map[string]bool{}
	for _, k := range sites.sure {
		if len(c.Uses) == limit || ctx.Err() != nil {
			break
		}
		use := Use{Ref: k.ref(), In: k.In, Value: k.Form == relation.Value}
		if env.Ledger.Read(k.Path, int64(len(use.In))) != nil {
			use.In = ""
		}
		if key := k.Path + "\x00" + use.In; !seen[key] {
			seen[key] = true
			c.Uses = append(c.Uses, use)
		}
	}
	return c
}

// defs returns the definitions that are traced, and the number of all definitions of the name.
func (t Target) defs(env *catalog.Env, u *Uses, i int) (of []rooted, all int) {
	for _, root := range env.Roots.Roots() {
		for _, d := range u.defsOf(i, root.Name()) {
			all++
			if t.Ref.Path == "" || root.Name() == t.Root && d.Path == t.Ref.Path && d.Line == t.Ref.Line {
				of = append(of, rooted{root.Name(), d})
			}
		}
	}
	return of, all
}

// setDenial sets the denial of a definition without uses, as far as that is known.
func (t Target) setDenial(ctx context.Context, env *catalog.Env, u *Uses, i int, c *Callers) error {
	of, _ := t.defs(env, u, i)
	if c.Total+c.Named > 0 || c.Definers > 1 || len(of) != 1 {
		return nil
	}
	found, err := u.doubtOf(ctx, env, of[0])
	if err != nil {
		return err
	}
	verb := "used"
	if of[0].Kind.IsCallable() {
		verb = "called"
	}
	c.Denial = found.denyUses(source.QualifiedName(of[0].Def.Def, of[0].Lang), "", verb)
	return nil
}

// rootName returns the name of a reference's root.
func rootName(env *catalog.Env, ref string) string {
	root, _, err := env.Roots.Resolve(ref)
	if err != nil {
		return ""
	}
	return root.Name()
}
