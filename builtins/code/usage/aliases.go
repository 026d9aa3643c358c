package usage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// These limit how many other names of one definition are followed.
const (
	maxAliases = 32 // all are searched in one scan
	minAlias   = 3  // bytes: shorter names are mostly file-local and ambiguous
)

// addAliased adds the uses by the names under which other files import a definition and re-export
// it.
func (u *Uses) addAliased(ctx context.Context, env *catalog.Env, i int, c *definitionUses) error {
	aliases, cut := u.aliasesOf(i, c.defs)
	c.cut = c.cut || cut
	var targets []Target
	for _, a := range aliases {
		targets = AddTarget(targets, Target{Name: a.Name})
	}
	if len(targets) == 0 {
		return nil
	}
	found, err := FindUses(ctx, env, targets)
	if err != nil {
		return err
	}
	for k, t := range targets {
		of := keepIf(aliases, func(a rooted) bool { return a.Name == t.Name })
		for _, a := range of { // an alias counts as a definition of its name
			use := &fileUse{mentions: make([][]relation.Usage, len(targets)), defs: make([][]relation.Def, len(targets))}
			use.defs[k] = []relation.Def{a.Def}
			found.files = append(found.files, rootUse{a.root, use})
		}
		if c.sites.merge(found.sites(ctx, env, k, of)) {
			c.aliases = append(c.aliases, of...)
		}
	}
	return nil
}

// aliasesOf returns the other names under which files import the definitions in of, each as a
// definition in that file, and whether there are more. Names with a leading underscore are private
// to their file and skipped.
func (u *Uses) aliasesOf(i int, of []rooted) (out []rooted, cut bool) {
	worlds := map[string]*relation.NameIndex{} // by root
	for _, d := range of {
		if worlds[d.root] == nil {
			worlds[d.root] = worldOf(u.defsOf(i, d.root), u.heads[d.root], d.root, of, false)
		}
	}
	for _, f := range u.files {
		w := worlds[f.root]
		if w == nil || f.aliases == nil || f.bucket == coderank.Test {
			continue
		}
		for _, a := range f.aliases[i] {
			m := relation.Usage{Path: a.Path, Lang: f.lang, Form: relation.Call, Base: relation.Bare, From: a.From}
			d := slices.IndexFunc(of, func(d rooted) bool { return d.root == f.root && w.Decide(&m, &d.Def) == relation.Yes })
			switch {
			case d < 0 || len(a.Name) < minAlias || strings.HasPrefix(a.Name, "_"):
			case len(out) == maxAliases:
				return out, true
			default:
				out = append(out, rooted{f.root, relation.Def{
					Def: symbols.Def{Name: a.Name, Kind: of[d].Kind, Line: a.Line, EndLine: a.Line}, Path: a.Path, Lang: f.lang}})
			}
		}
	}
	return out, false
}

// merge adds the sites of another name and reports whether any of them is certain.
func (s *sites) merge(more sites) bool {
	if len(more.sure)+len(more.may) == 0 {
		return false
	}
	byPlace := func(a, b site) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) }
	all := append(s.sure, more.sure...)
	slices.SortStableFunc(all, byPlace)
	s.may = append(s.may, more.may...)
	slices.SortStableFunc(s.may, byPlace)
	s.others += more.others
	named := s.named + more.named
	s.sure, s.tests, s.values = nil, 0, 0
	for _, at := range all {
		s.add(at, relation.Yes)
	}
	s.named = named
	return len(more.sure) > 0
}

// tellAliases returns the end of the sentence on where a definition is: the other names that uses
// were found by.
func (c *definitionUses) tellAliases() string {
	var out []string
	for _, a := range c.aliases[:min(len(c.aliases), maxTrails)] {
		out = append(out, "`"+a.Name+"` ("+contract.Reference{Path: a.Path, Line: a.Line}.String()+")")
	}
	if len(out) == 0 {
		return ""
	}
	return ", used as " + strings.Join(out, ", ") + moreOf(len(c.aliases)) + " too"
}
