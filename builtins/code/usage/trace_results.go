package usage

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Limits of the search for the return types of functions on whose results the targets are called:
// functions per level, and levels of chained calls.
const (
	maxResultsSought = 16
	maxResultLevels  = 3
)

// addResults finds the return types of functions: db := open(); db.begin() means DB.begin if open
// returns a DB. It reports whether it found any.
func (u *Uses) addResults(ctx context.Context, env *catalog.Env, root *sandbox.Root) (found bool, err error) {
	sought := map[string]*results{}
	for range maxResultLevels {
		open := u.openCalls(root.Name())
		if names := mostCalled(open, sought); len(names) > 0 {
			if err := findResults(ctx, env, root, names, sought); err != nil {
				return found, err
			}
		}
		settled := false
		for _, m := range open {
			if m.Result == nil {
				continue // one of several that share a call
			}
			if all := sought[m.Result.Name]; all != nil {
				all.settleReceiver(m, u.heads[root.Name()])
				settled = true
				found = found || m.Base != relation.Unknown
			}
		}
		if !settled {
			break
		}
	}
	return found, nil
}

// openCalls lists the mentions on the result of a call whose own receiver is known.
func (u *Uses) openCalls(root string) (out []*relation.Usage) {
	for _, f := range u.files {
		if f.root != root || !relation.TellsResults(f.lang) {
			continue
		}
		for _, list := range f.mentions {
			for i := range list {
				m := &list[i]
				for r := m.Receiver(); r != nil && r.Result != nil; r = m.Receiver() {
					m = r
				}
				if m.Result != nil {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// mostCalled lists the functions not sought yet, those with the most calls on their results first.
func mostCalled(open []*relation.Usage, sought map[string]*results) []string {
	count := map[string]int{}
	for _, m := range open {
		if sought[m.Result.Name] == nil && m.Result.Base != relation.Foreign {
			count[m.Result.Name]++
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	return names[:min(len(names), maxResultsSought)]
}

// results are the functions of one name, and what each returns.
type results struct {
	world   relation.NameIndex
	returns []relation.Usage
	isCut   bool // an unread file seems to define another
}

// findResults finds the functions with these names, and the types they return.
func findResults(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string, sought map[string]*results) error {
	for _, name := range names {
		sought[name] = &results{}
	}
	found, err := findDefinitions(ctx, env, root, names, definitionSearch{
		accepts: relation.TellsResults,
		defines: seemsToDefine,
		read: func(f *definitionFile, r *relation.Reader) {
			// A name of another kind may have a function as its value: what that returns is unknown.
			f.defs = keepIf(f.defs, func(d symbols.Def) bool {
				return IsTraceable(d.Kind) && !d.Kind.IsType() && slices.Contains(names, d.Name)
			})
			for i := range f.defs {
				f.returns = append(f.returns, r.Returns(&f.defs[i]))
			}
		},
	})
	packages := map[string]string{}
	for _, f := range found {
		if f.unread {
			for _, name := range f.seems {
				sought[name].isCut = true
			}
			continue
		}
		dir := path.Dir(f.ref)
		if _, known := packages[dir]; !known && f.lang == symbols.Go {
			packages[dir] = GoImportPath(ctx, env, root.Name(), f.ref)
		}
		for i, d := range f.defs {
			all := sought[d.Name]
			all.world.Defs = append(all.world.Defs, relation.Def{Def: d, Path: f.ref, Lang: f.lang, Package: packages[dir]})
			all.returns = append(all.returns, f.returns[i])
		}
	}
	return err
}

// seemsToDefine reports whether a name between two parts of a line looks like a function
// definition: after a defining keyword; before parentheses, after a type or at the start of the
// line; or with an arrow function assigned.
func seemsToDefine(before, behind []byte) bool {
	before, behind = bytes.TrimSpace(before), bytes.TrimLeft(behind, " ")
	if definesHere(before) || bytes.HasPrefix(before, []byte("fun ")) || bytes.Contains(before, []byte(" fun ")) {
		return true // fun Receiver.name
	}
	if len(behind) == 0 {
		return false
	}
	switch behind[0] {
	case '(', '<':
		return len(before) == 0 || strings.IndexByte("*&>]?", before[len(before)-1]) >= 0 || idents.WordByte(before[len(before)-1])
	case '=', ':':
		return len(before) == 0 || idents.WordByte(before[len(before)-1])
	}
	return false
}

// maxResults bounds the functions of one name that a call is checked against.
const maxResults = 64

// settleReceiver sets the type of a mention's receiver, if all functions that its call may mean
// return the same type.
func (all *results) settleReceiver(m *relation.Usage, heads relation.Heads) {
	call := m.Result
	m.Result = nil
	all.world.Heads = heads
	if all.isCut || len(all.returns) > maxResults {
		return
	}
	var one *relation.Usage
	isGuessed := false // all that is known of the function is that no other has its name
	for i := range all.returns {
		to := all.returns[i]
		switch all.world.Decide(&call.Usage, &all.world.Defs[i]) {
		case relation.No:
			continue
		case relation.Maybe:
			return
		}
		if to.Base == relation.Self { // it returns its receiver
			to = call.Usage
		}
		if to.Base != relation.Type || one != nil && (one.Owner != to.Owner || one.From != to.From || one.TypePath != to.TypePath) {
			return
		}
		one = &to
		isGuessed = isGuessed || call.Base == relation.Unknown || call.Base == relation.Type && call.Owner != source.LastIdentifier(all.world.Defs[i].Container)
	}
	if one == nil {
		return
	}
	m.Base, m.Owner, m.From, m.TypePath, m.Pointer = relation.Type, one.Owner, one.From, one.TypePath, one.Pointer
	m.Guess, m.Mixed = call.Guess, call.Mixed || isGuessed
}
