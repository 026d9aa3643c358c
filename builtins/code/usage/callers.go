package usage

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// CallersInput is the input of code.callers.
type CallersInput struct {
	Question   string   `json:"question" doc:"a question that names what is called or used: who calls Pool.Close"`
	References []string `json:"references,omitempty" doc:"path:line of what is meant where the question names nothing; the first counts"`
	Tokens     int      `json:"tokens" doc:"length of the answer, in tokens of four bytes" default:"300" min:"60" max:"4000"`
}

// CallersOf returns code.callers, which lists every place that calls or uses a definition.
func CallersOf() catalog.Builtin {
	return catalog.New("code.callers", "list all places that call or use a named definition", catalog.Roots, callersOf)
}

func callersOf(ctx context.Context, env *catalog.Env, in CallersInput) (contract.Result, error) {
	if name := coderank.AskedBase(in.Question); name != "" {
		return implementersOf(ctx, env, name, callersRoom(in.Tokens, env.Tokens))
	}
	targets, err := askedNames(ctx, env, in)
	if err != nil {
		return contract.Result{}, err
	}
	if len(targets) == 0 {
		return contract.NotFound("The question names nothing whose callers could be listed."), nil
	}
	found, err := FindUses(ctx, env, targets)
	if err != nil {
		return contract.Result{}, err
	}
	room := callersRoom(in.Tokens, env.Tokens)
	together := asksTogether(in.Question, targets)
	var out []contract.Result
	answered := map[int]bool{}
	for _, i := range found.order(env, targets) {
		if len(out) > 0 && !together[i] {
			continue
		}
		all, err := found.findCallings(ctx, env, targets, i, in.References)
		if err != nil {
			return contract.Result{}, err
		}
		if len(all.groups) == 0 {
			continue
		}
		if err := found.addDoubt(ctx, env, &all.groups[0]); err != nil {
			return contract.Result{}, err
		}
		answered[i] = true
		if out = append(out, all.result(env, room/max(1, len(together)))); !together[i] {
			break
		}
	}
	if len(out) > 0 {
		for i := range together {
			if !answered[i] {
				out = append(out, contract.NotFound(fmt.Sprintf(NotDefinedPrefix+" `%s`.", targets[i].Name)))
			}
		}
		return joinResults(out), nil
	}
	return found.definedElsewhere(ctx, env, targets, in.References, room)
}

// definedElsewhere answers with the other types that have a member of this name if the requested
// type has none, or reports that nothing has the name.
func (u *Uses) definedElsewhere(ctx context.Context, env *catalog.Env, targets []Target, located []string, room int) (contract.Result, error) {
	name, owner := targets[0].Name, targets[0].owner
	if owner == "" {
		return notDefined(ctx, env, u, name)
	}
	targets = slices.Clone(targets)
	targets[0].owner = ""
	all, err := u.findCallings(ctx, env, targets, 0, located)
	if err != nil {
		return contract.Result{}, err
	}
	if len(all.groups) == 0 || len(all.groups[0].defs) == 0 {
		return notDefined(ctx, env, u, name)
	}
	if err := u.addDoubt(ctx, env, &all.groups[0]); err != nil {
		return contract.Result{}, err
	}
	r := all.result(env, room)
	r.Summary = fmt.Sprintf("No `%s` of `%s` is defined in this tree; others have that name.\n%s", name, owner, r.Summary)
	r.Confidence = contract.Low
	return r, nil
}

// joinResults joins the answers for several names into one, with the lowest confidence among them.
func joinResults(list []contract.Result) contract.Result {
	out := list[0]
	for _, r := range list[1:] {
		out.Summary += "\n\n" + r.Summary
		out.References = append(out.References, r.References...)
		if out.Confidence == contract.High || r.Confidence == contract.Low {
			out.Confidence = r.Confidence
		}
		if r.Notes != nil {
			out.Note(*r.Notes)
		}
	}
	return out
}

// notDefined reports that nothing has the name, or where it occurs in files that are searched only
// as text.
func notDefined(ctx context.Context, env *catalog.Env, found *Uses, name string) (contract.Result, error) {
	var all doubt
	for _, root := range env.Roots.Roots() {
		d, err := found.doubtOf(ctx, env, rooted{root.Name(), relation.Def{Def: symbols.Def{Name: name}}})
		if err != nil {
			return contract.Result{}, err
		}
		for _, t := range d.trails {
			if t.what == asPlainText {
				all.trails = append(all.trails, t)
			}
		}
	}
	if len(all.trails) == 0 {
		return contract.NotFound(fmt.Sprintf(NotDefinedPrefix+" `%s`.", name)), nil
	}
	r := contract.NotFound(fmt.Sprintf(NotDefinedPrefix+" `%s` in the code that is read.%s Files of that kind are searched as text alone.", name, &all))
	r.References = all.refs()
	return r, nil
}

// NotDefinedPrefix begins the answer if no definition has the name.
const NotDefinedPrefix = "Nothing in the code is called"

// callersRoom returns the maximum length of the answer in bytes: the tokens asked for, but at most
// the answer's share of a reply of this many tokens.
func callersRoom(asked, reply int) int {
	if reply <= 0 {
		return asked * 4
	}
	return max(min(asked*4, source.MaxAnswerBytes(reply)), 120)
}

// order moves a name like "full?" to the front if only the form with the question mark is defined.
func (u *Uses) order(env *catalog.Env, targets []Target) []int {
	isDefined := func(i int) bool {
		return slices.ContainsFunc(env.Roots.Roots(), func(r *sandbox.Root) bool { return len(u.defsOf(i, r.Name())) > 0 })
	}
	var out []int
	for i, t := range targets {
		bare, marked := strings.CutSuffix(t.Name, "?")
		twin := slices.IndexFunc(targets, func(o Target) bool { return o.Name == bare })
		if marked && isDefined(i) && (twin < 0 || !isDefined(twin)) {
			out = slices.Insert(out, 0, i)
		} else {
			out = append(out, i)
		}
	}
	return out
}

// definitionUses is one definition, or several that a caller cannot tell apart, such as overloads,
// with its uses.
type definitionUses struct {
	name  string
	calls bool // it is called, not only used as a value
	defs  []rooted
	sites
	aliases []rooted // other names that uses were found by, where they are defined
	cut     bool
	doubt   *doubt // evidence against "nothing uses it"
}

// callerReport are the definitions that a name may mean, the likeliest first. A use that is certain
// to mean one of them is listed with it; a use that may mean several is in may.
type callerReport struct {
	name   string
	groups []definitionUses
	may    []site // may mean any of the groups
	more   int    // number of definitions that are not looked at
}

// maxGroups bounds the definitions of one name that are told apart. If there are more, only
// fewGroups of them are looked at: which one is meant is unknown, and the answer says so.
const (
	maxGroups = 24
	fewGroups = 6
)

// findCallings selects the definitions that a name means and finds the uses of each. It returns no
// groups if the tree has nothing of that name.
func (u *Uses) findCallings(ctx context.Context, env *catalog.Env, targets []Target, i int, located []string) (callerReport, error) {
	t := &targets[i]
	out := callerReport{name: t.Name}
	var all []rooted
	for _, root := range env.Roots.Roots() {
		for _, d := range u.defsOf(i, root.Name()) {
			all = append(all, rooted{root.Name(), d})
		}
	}
	groups := groupDefs(t.selectOverloads(t.resolveTargets(all)))
	if len(groups) == 0 {
		if c := u.usesUndefined(ctx, env, t, i); len(c.sure) > 0 {
			out.groups = append(out.groups, c)
		}
		return out, nil
	}
	isLocated := func(defs []rooted) bool {
		return slices.ContainsFunc(defs, func(d rooted) bool {
			return slices.Contains(located, contract.Reference{Path: d.Path, Line: d.Line}.String())
		})
	}
	if len(groups) > maxGroups {
		slices.SortStableFunc(groups, func(a, b []rooted) int { return cmp.Compare(boolRank(isLocated(a)), boolRank(isLocated(b))) })
		out.more = len(groups) - fewGroups
		groups = groups[:fewGroups]
	}
	for _, defs := range groups {
		c := definitionUses{name: t.Name, cut: u.cut, defs: defs, calls: defs[0].Kind.IsCallable()}
		if own := source.LastIdentifier(defs[0].Container); own != "" && own != t.Name {
			c.name = own + defs[0].Lang.Separator() + t.Name
		}
		c.sites = u.sites(ctx, env, i, defs)
		if len(groups) <= fewGroups {
			if err := u.addAliased(ctx, env, i, &c); err != nil {
				return out, err
			}
		}
		slices.SortStableFunc(c.sure, func(a, b site) int {
			return cmp.Compare(boolRank(a.bucket != coderank.Docs), boolRank(b.bucket != coderank.Docs))
		})
		if !slices.ContainsFunc(c.sure, func(s site) bool { return s.Form != relation.Value }) && len(c.sure) > 0 {
			c.calls = false
		}
		out.groups = append(out.groups, c)
	}
	slices.SortStableFunc(out.groups, func(a, b definitionUses) int {
		return cmp.Or(cmp.Compare(boolRank(a.callersOutside() > 0), boolRank(b.callersOutside() > 0)),
			cmp.Compare(boolRank(isLocated(a.defs)), boolRank(isLocated(b.defs))),
			cmp.Compare(b.callersOutside(), a.callersOutside()), cmp.Compare(len(b.sure), len(a.sure)))
	})
	out.shareMay()
	return out, nil
}

func boolRank(yes bool) int {
	if yes {
		return 0
	}
	return 1
}

// addDoubt looks for evidence of further uses if the code shows none outside tests.
func (u *Uses) addDoubt(ctx context.Context, env *catalog.Env, c *definitionUses) error {
	if c.doubt = (&doubt{}); c.callersOutside() > 0 || len(c.defs) == 0 {
		return nil
	}
	found, err := u.doubtOf(ctx, env, c.defs[0])
	c.doubt = &found
	return err
}

// usesUndefined finds the uses of a name that the tree does not define.
func (u *Uses) usesUndefined(ctx context.Context, env *catalog.Env, t *Target, i int) definitionUses {
	c := definitionUses{name: t.Name, cut: u.cut}
	c.sites = u.sites(ctx, env, i, nil)
	if t.owner != "" {
		c.name = t.owner + "." + t.Name
		c.sites = c.sites.onOwner(source.LastIdentifier(t.owner))
	}
	c.calls = slices.ContainsFunc(c.sure, func(s site) bool { return s.Form == relation.Call })
	return c
}

// groupDefs groups the definitions that are one to a caller: overloads, alternative builds of one
// function, and a type with its constructors.
func groupDefs(defs []rooted) (out [][]rooted) {
	type key struct{ root, owner, place string }
	at := map[key]int{}
	for _, d := range defs {
		k := key{d.root, source.LastIdentifier(d.Container), d.Path}
		switch {
		case k.owner == d.Name || d.Kind.IsType(): // a type, or its constructor
			k.owner = ""
		case k.owner != "" && (d.Lang == symbols.Go || d.Lang == symbols.CSharp || d.Lang == symbols.CPP):
			k.place = path.Dir(d.Path)
		}
		n, ok := at[k]
		if !ok {
			n = len(out)
			at[k], out = n, append(out, nil)
		}
		out[n] = append(out[n], d)
	}
	return out
}

// callersOutside counts the certain uses outside tests.
func (c *definitionUses) callersOutside() int { return len(c.sure) - c.tests }

// shareMay gathers the uses that may mean one of the groups but are not certain for any, those
// outside tests and near the first definition first.
func (a *callerReport) shareMay() {
	type at struct {
		path string
		line int
	}
	taken := map[at]bool{}
	for _, c := range a.groups {
		for _, s := range c.sure {
			taken[at{s.Path, s.Line}] = true
		}
	}
	for _, c := range a.groups {
		for _, s := range c.may {
			if k := (at{s.Path, s.Line}); !taken[k] {
				taken[k] = true
				a.may = append(a.may, s)
			}
		}
	}
	dir := path.Dir(a.groups[0].defs[0].Path)
	far := func(s site) int {
		n := 0
		if s.bucket == coderank.Test {
			n = 2
		}
		if path.Dir(s.Path) != dir {
			n++
		}
		return n
	}
	slices.SortStableFunc(a.may, func(x, y site) int {
		return cmp.Or(cmp.Compare(far(x), far(y)), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line))
	})
}

// resolveTargets selects the definitions that a name with its qualifier means: those in a
// container, directory or file called like the qualifier; without a qualifier, those that
// keepForemost keeps.
func (t *Target) resolveTargets(all []rooted) []rooted {
	if t.Ref.Path != "" {
		return slices.DeleteFunc(all, func(d rooted) bool { return d.Path != t.Ref.Path || d.Line != t.Ref.Line })
	}
	if t.owner != "" {
		owner := source.LastIdentifier(t.owner)
		for _, fits := range []func(d rooted) bool{
			func(d rooted) bool { return source.LastIdentifier(d.Container) == owner },
			func(d rooted) bool { return path.Base(path.Dir(d.Path)) == owner },
			func(d rooted) bool { return strings.TrimSuffix(path.Base(d.Path), path.Ext(d.Path)) == owner },
			func(d rooted) bool { return strings.EqualFold(source.LastIdentifier(d.Container), owner) },
		} {
			if kept := keepIf(all, fits); len(kept) > 0 {
				return keepForemost(kept)
			}
		}
		return nil
	}
	for _, h := range t.hint {
		for _, of := range []func(d rooted) string{
			func(d rooted) string { return source.LastIdentifier(d.Container) },
			func(d rooted) string { return strings.TrimSuffix(path.Base(d.Path), path.Ext(d.Path)) },
			func(d rooted) string { return path.Base(path.Dir(d.Path)) },
		} {
			if kept := keepIf(all, func(d rooted) bool { return sameWords(of(d), h) }); len(kept) > 0 {
				return keepForemost(kept)
			}
		}
	}
	return keepForemost(all)
}

// selectOverloads keeps the definitions that take the parameters given in the question, or all of
// them if none match.
func (t *Target) selectOverloads(all []rooted) []rooted {
	if t.takes == "" {
		return all
	}
	if kept := keepIf(all, func(d rooted) bool { return d.Takes(t.takes) }); len(kept) > 0 {
		return kept
	}
	return all
}

// sameWords compares names ignoring case and separators: idle_conn equals IdleConn.
func sameWords(a, b string) bool {
	flat := func(s string) string { return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s)) }
	return a != "" && flat(a) == flat(b)
}

// keepForemost keeps definitions outside tests, and among them functions, else types, else the
// rest.
func keepForemost(all []rooted) []rooted {
	if kept := keepIf(all, func(d rooted) bool { return !d.Test }); len(kept) > 0 {
		all = kept
	}
	if types := keepIf(all, func(d rooted) bool { return d.Kind.IsType() }); len(types) > 0 {
		// A type and its constructors share a name: keep both.
		if made := keepIf(all, func(d rooted) bool { return d.Kind.IsCallable() }); !slices.ContainsFunc(made, func(d rooted) bool { return source.LastIdentifier(d.Container) != d.Name }) {
			return append(types, made...)
		}
	}
	for _, is := range []func(symbols.Kind) bool{symbols.Kind.IsCallable, symbols.Kind.IsType} {
		if kept := keepIf(all, func(d rooted) bool { return is(d.Kind) }); len(kept) > 0 {
			return kept
		}
	}
	return all
}

// onOwner keeps the places where a name that the tree does not define is accessed through owner.
func (s sites) onOwner(owner string) sites {
	out := sites{named: s.named}
	for _, at := range s.sure {
		if source.LastIdentifier(at.Owner) == owner || source.LastIdentifier(at.From.Spec) == owner {
			out.add(at, relation.Yes)
		}
	}
	out.named = s.named
	return out
}

// keepIf returns the elements that keep reports true for, in a new slice.
func keepIf[T any](all []T, keep func(T) bool) []T {
	var out []T
	for _, d := range all {
		if keep(d) {
			out = append(out, d)
		}
	}
	return out
}
