package relation

import (
	"path"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// NameIndex is what is known about one name in the whole tree.
type NameIndex struct {
	Defs  []Def // of the name, without prototypes
	Heads Heads
	// Meant[i] reports that Defs[i] is as good as the definition being decided on: a query for a bare name means every
	// definition of that name.
	Meant []bool

	byOwner, byPath, byDir map[string][]int
	isAlone                map[lineOf]bool
}

type lineOf struct {
	path string
	line int
}

// indexDefs groups the definitions, once: a name may have thousands.
func (w *NameIndex) indexDefs() {
	if w.byOwner != nil {
		return
	}
	w.byOwner, w.byPath, w.byDir, w.isAlone = map[string][]int{}, map[string][]int{}, map[string][]int{}, map[lineOf]bool{}
	for i := range w.Defs {
		d := &w.Defs[i]
		w.byOwner[d.owner()] = append(w.byOwner[d.owner()], i)
		w.byPath[d.Path] = append(w.byPath[d.Path], i)
		dir := path.Dir(d.Path)
		w.byDir[dir] = append(w.byDir[dir], i)
	}
}

// guess returns Yes for a name that has a single definition in the tree and is unlikely to exist in a library, else
// Maybe.
func (w *NameIndex) guess(d *Def) Verdict {
	if w.isUnique(d) && isDistinctive(d.Name) {
		return Yes
	}
	return Maybe
}

// isUnique reports whether no other definition in the language has the name. Overrides in subtypes count as others;
// overloads and test doubles do not.
func (w *NameIndex) isUnique(d *Def) bool {
	at := lineOf{d.Path, d.Line}
	known, ok := w.isAlone[at]
	if !ok {
		known = w.findAlone(d)
		w.isAlone[at] = known
	}
	return known
}

func (w *NameIndex) findAlone(d *Def) bool {
	for i := range w.Defs {
		o := &w.Defs[i]
		if w.Meant != nil && w.Meant[i] {
			continue
		}
		if SameFamily(o.Lang, d.Lang) && !sameThing(o, d) && (d.Test || !o.Test) && !o.isAlias() {
			return false
		}
	}
	return true
}

// sameThing reports whether two definitions are one thing: overloads, or variants for different builds.
func sameThing(a, b *Def) bool {
	if a.isConstructor() || b.isConstructor() {
		return a.Path == b.Path
	}
	if a.owner() != b.owner() {
		return false
	}
	return a.Path == b.Path || profileOf(a.Lang).packageDirs && path.Dir(a.Path) == path.Dir(b.Path)
}

// defines reports whether a type named c has its own definition of the name.
func (w *NameIndex) defines(c string) bool {
	return slices.ContainsFunc(w.byOwner[c], func(i int) bool { return w.Defs[i].isMember() })
}

// descends reports whether type c descends from another: Yes, No, or Maybe if a type on the way up is unknown.
func (w *NameIndex) descends(c, from string) Verdict {
	seen := map[string]bool{}
	open := false
	todo := []string{c}
	for len(todo) > 0 && len(seen) < 64 {
		t := todo[0]
		todo = todo[1:]
		if seen[t] {
			continue
		}
		seen[t] = true
		above, known := w.Heads[t]
		if !known {
			open = true
			continue
		}
		for _, a := range above {
			switch a {
			case from:
				return Yes
			case unnamed:
				open = true
			case contract:
			default:
				todo = append(todo, a)
			}
		}
	}
	if open {
		return Maybe
	}
	return No
}

// mayHold reports whether a value of type c may be of the type of a definition: c is a supertype of it, or an interface
// that it may satisfy without saying so.
func (w *NameIndex) mayHold(c string, d *Def) bool {
	switch w.descends(d.owner(), c) {
	case Yes:
		if d.Lang != symbols.Go { // in Go, an embedded struct never holds the struct that embeds it
			return true
		}
	case No:
		if !profileOf(d.Lang).silentInterfaces {
			return false
		}
	}
	return slices.Contains(w.Heads[c], contract) && w.definesOrInherits(c)
}

// definesOrInherits reports whether a type, or one of its supertypes, has its own definition of the name.
func (w *NameIndex) definesOrInherits(c string) bool {
	seen := map[string]bool{}
	for todo := []string{c}; len(todo) > 0 && len(seen) < 64; todo = todo[1:] {
		if w.defines(todo[0]) {
			return true
		}
		if !seen[todo[0]] {
			seen[todo[0]] = true
			todo = append(todo, w.Heads[todo[0]]...)
		}
	}
	return false
}

// DecideAny reports whether a mention means any definition of the world. It uses only the mention, without comparing it
// with each definition: for names that have hundreds of them.
func (w *NameIndex) DecideAny(m *Usage) Verdict {
	w.indexDefs()
	switch {
	case m.Base == Foreign || m.Form == Other:
		return No
	case m.Base == Type && w.defines(m.Owner):
		return Yes
	case m.Base == Self && len(m.Around) > 0 && w.defines(m.Around[0]):
		return Yes
	case m.Base == Bare && len(w.byPath[m.Path]) > 0 && m.From.Spec == "":
		best := No
		for _, i := range w.byPath[m.Path] {
			best = max(best, w.Decide(m, &w.Defs[i]))
		}
		return best
	}
	return Maybe
}
