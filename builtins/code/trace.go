package code

import (
	"cmp"
	"context"
	"errors"
	"slices"

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
	wanted := calledElsewhere(ctx, env, in.References)
	found, err := findUses(ctx, env, targets, wanted)
	if err != nil {
		return out, err
	}
	out.Defs = wanted.definitions()
	for i := range targets {
		c := targets[i].callers(ctx, env, found, i, in.Limit)
		if err := targets[i].setDenial(ctx, env, found, i, &c); err != nil {
			return out, err
		}
		out.Calls = append(out.Calls, c)
	}
	return out, nil
}

// target is one name whose uses are wanted.
type target struct {
	name  string
	ref   contract.Reference // of the definition; zero if only a name was given
	root  string             // root of the definition
	owner string             // qualifier in the question
	hint  []string           // words near the name that may identify its owner: close of the pool
	takes string             // parameters in the question that identify an overload: charge(card:)
	def   symbols.Def
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
	if slices.ContainsFunc(list, func(have target) bool { return have.name == t.name }) {
		return list
	}
	return append(list, t)
}

// isTraceable reports whether code can call or name this kind; it cannot for a heading or a key of a
// data file.
func isTraceable(k symbols.Kind) bool {
	return k != symbols.KindHeading && k != symbols.KindKey && k != symbols.KindModule && k != symbols.KindTable && k != symbols.KindPolicy
}

func targetAt(ctx context.Context, env *catalog.Env, ref string) (target, error) {
	src, line, err := loadAt(ctx, env, ref)
	if err != nil {
		return target{}, err
	}
	d, ok := src.near(line)
	if !ok || !isTraceable(d.Kind) || len(d.Name) < 2 {
		return target{}, nil
	}
	if err := src.quote(env, len(d.Signature)); err != nil {
		return target{}, err
	}
	return target{name: d.Name, ref: contract.Reference{Path: src.ref, Line: d.Line}, root: rootOf(env, src.ref), def: d}, nil
}

// rootOf returns the name of a reference's root.
func rootOf(env *catalog.Env, ref string) string {
	root, _, err := env.Roots.Resolve(ref)
	if err != nil {
		return ""
	}
	return root.Name()
}

// uses is what one scan of the tree found about some names.
type uses struct {
	files []rootUse // ordered by root and path
	heads map[string]relation.Heads
	cut   bool
}

type rootUse struct {
	root string
	*fileUse
}

// findUses scans the tree once for all names, and for the definitions of the wanted callees, which may be nil. The
// result is in path order whatever the timing of the workers.
func findUses(ctx context.Context, env *catalog.Env, targets []target, wanted *callees) (*uses, error) {
	wanted = cmp.Or(wanted, &callees{})
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	names = append(names, wanted.names...)
	m, err := match.Any(names, match.Options{Word: true})
	if err != nil {
		return nil, err
	}
	out := &uses{heads: map[string]relation.Heads{}}
	for _, root := range env.Roots.Roots() {
		files, err := filesWith(ctx, env, root, names)
		if err != nil {
			return nil, err
		}
		perIndex := make([]*fileUse, len(files))
		defined := make([][]defSite, len(files))
		workers := make([]useFinder, workersOf(env))
		for i := range workers {
			workers[i].lines = m.NewScanner()
			workers[i].parser = newParser(env)
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
func (u *uses) defsOf(i int, root string) (out []relation.Def) {
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

// callers selects the most useful uses: implementation before tests, calls before mentions, then by
// path.
func (t target) callers(ctx context.Context, env *catalog.Env, u *uses, i, limit int) Callers {
	c := Callers{Name: t.name, Uses: []Use{}}
	of, definers := t.defs(env, u, i)
	c.Definers = definers
	if t.ref.Path != "" {
		c.Ref = t.ref.String()
		if len(of) == 0 { // a prototype, or the file changed since
			of = []rooted{{t.root, relation.Def{Def: t.def, Path: t.ref.Path, Lang: symbols.Language(t.ref.Path)}}}
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
func (t target) defs(env *catalog.Env, u *uses, i int) (of []rooted, all int) {
	for _, root := range env.Roots.Roots() {
		for _, d := range u.defsOf(i, root.Name()) {
			all++
			if t.ref.Path == "" || root.Name() == t.root && d.Path == t.ref.Path && d.Line == t.ref.Line {
				of = append(of, rooted{root.Name(), d})
			}
		}
	}
	return of, all
}

// setDenial sets the denial of a definition without uses, as far as that is known.
func (t target) setDenial(ctx context.Context, env *catalog.Env, u *uses, i int, c *Callers) error {
	of, _ := t.defs(env, u, i)
	if c.Total+c.Named > 0 || c.Definers > 1 || len(of) != 1 {
		return nil
	}
	found, err := u.doubtOf(ctx, env, of[0])
	if err != nil {
		return err
	}
	verb := "used"
	if callableKind(of[0].Kind) {
		verb = "called"
	}
	c.Denial = found.denyUses(title(of[0].Def.Def, of[0].Lang), "", verb)
	return nil
}
