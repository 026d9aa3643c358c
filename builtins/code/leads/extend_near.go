package leads

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// namesakes bounds how many files are read because they are named like the subject.
const namesakes = 6

// indexNames are file names that stand for their directory.
var indexNames = map[string]bool{"__init__": true, "index": true, "mod": true, "base": true, "lib": true, "main": true}

// filesNamedLike returns the sources that are named like the thing to be added, best first: how to
// write a custom callback is answered by the existing ones, even if no word of the question occurs
// in their text.
func filesNamedLike(ctx context.Context, env *catalog.Env, want map[string]bool, head string) ([]string, error) {
	type choice struct {
		ref   string
		worth float64
	}
	var roots []string
	for s := range want {
		if s = s[:min(len(s), 4)]; len(s) > 2 {
			roots = append(roots, s)
		}
	}
	var list []choice
	for _, root := range env.Roots.Roots() {
		known, err := source.SurveyRoot(ctx, env, root)
		if err != nil {
			return nil, err
		}
		for _, f := range known.Files {
			if symbols.Language(f.Path) == "" || f.Size > 1<<20 {
				continue
			}
			name := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
			if indexNames[name] {
				name = path.Base(path.Dir(f.Path))
			}
			low := strings.ToLower(name)
			if !slices.ContainsFunc(roots, func(s string) bool { return strings.Contains(low, s) }) {
				continue
			}
			have := stemsOf(name)
			worth, n := stemShare(want, name), float64(max(len(have), 1))
			if worth == 0 || n > 4 {
				continue
			}
			if ref := env.Roots.Ref(root, f.Path); coderank.BucketOf(ref, nil) == coderank.Implementation {
				if hasStem(have, head) {
					worth += 0.3
				}
				worth += 0.3*worth/n + 0.2*stemShare(want, path.Dir(f.Path)) - 0.01*float64(strings.Count(f.Path, "/"))
				list = append(list, choice{ref, worth})
			}
		}
	}
	slices.SortFunc(list, func(a, b choice) int { return cmp.Or(cmp.Compare(b.worth, a.worth), strings.Compare(a.ref, b.ref)) })
	var out []string
	for _, c := range list[:min(len(list), namesakes)] {
		out = append(out, c.ref)
	}
	return out, nil
}

// loadMore appends the sources of the references that are not loaded yet.
func loadMore(ctx context.Context, env *catalog.Env, have []*source.File, refs []string) []*source.File {
	for _, ref := range refs {
		if slices.ContainsFunc(have, func(s *source.File) bool { return s.Ref == ref }) {
			continue
		}
		if src, err := source.Load(ctx, env, ref); err == nil {
			have = append(have, src)
		}
	}
	return have
}

// foldSubBases adds the types that derive from best by way of another candidate to best's own:
// often few derive from the base itself while a helper class does most of the work. It returns that
// other candidate if it has more implementers than best.
func foldSubBases(best *extensionPoint, all []*extensionPoint) *extensionPoint {
	var through *extensionPoint
	for _, b := range all {
		if b == best || b.Def.File == nil || len(b.Subtypes) == 0 {
			continue
		}
		derives := slices.ContainsFunc(best.Subtypes, func(t usage.FileDef) bool { return t.Def.Name == b.Name })
		if !derives && !slices.ContainsFunc(usage.SupertypeNames(b.Def.Def.Signature), func(n string) bool {
			return slices.ContainsFunc(best.Subtypes, func(t usage.FileDef) bool { return t.Def.Name == n })
		}) {
			continue
		}
		if len(b.Subtypes) > len(best.Subtypes) && (through == nil || len(b.Subtypes) > len(through.Subtypes)) {
			through = b
		}
	}
	if through != nil {
		for _, t := range through.Subtypes {
			if !slices.ContainsFunc(best.Subtypes, func(o usage.FileDef) bool { return o.Ref() == t.Ref() }) {
				best.Subtypes = append(best.Subtypes, t)
			}
		}
	}
	return through
}

// minMakers is the number of functions that must return a type for them to replace missing
// implementers.
const minMakers = 4

// useFactories takes the functions that return a type for its implementers if nothing derives from
// it.
func (b *extensionPoint) useFactories() {
	if len(b.Subtypes) == 0 && len(b.Makers) >= minMakers {
		b.Subtypes, b.made = b.Makers, true
	}
}

// preferSpecial moves to the front a candidate that derives from the best and has a wanted word
// that the best lacks: for a callback plugin, the base of callbacks, not of all plugins. A helper
// type gives way to the type it is named after: DiscovererMetrics to Discoverer.
func preferSpecial(bases []*extensionPoint, want map[string]bool) {
	for i := 1; i < len(bases); i++ {
		b, best := bases[i], bases[0]
		if b.score > 0.5 && b.score > best.score-0.5 && len(b.Subtypes) > 1 && partOfName(b.Name, best.Name) {
			copy(bases[1:i+1], bases[:i])
			bases[0] = b
			continue
		}
		if b.score <= 0.5 || best.score <= 0 || !slices.Contains(usage.SupertypeNames(b.Def.Def.Signature), best.Name) {
			continue
		}
		has, had := stemsOf(b.Name), stemsOf(best.Name)
		for s := range want {
			if hasStem(has, s) && !hasStem(had, s) {
				copy(bases[1:i+1], bases[:i])
				bases[0] = b
				break
			}
		}
	}
}

// partOfName reports whether short is a prefix of long that ends at a word boundary.
func partOfName(short, long string) bool {
	rest, ok := strings.CutPrefix(long, short)
	return ok && rest != "" && (rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] == '_')
}
