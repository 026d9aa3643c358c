package leads

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// qualified is a requested name with its qualifiers.
type qualified struct {
	base string
	by   []string
}

// selfParts are qualifiers that mean the current place and identify nothing.
var selfParts = map[string]bool{"crate": true, "self": true, "super": true, "this": true, "": true, ".": true, "..": true}

// readQualified splits a/b.Name, Type::method and the like.
func readQualified(s string) qualified {
	s = strings.TrimRight(strings.TrimSuffix(s, "()"), "/.:#")
	s = strings.NewReplacer("::", "\x00", "->", "\x00", "#", "\x00", ".", "\x00", "/", "\x00", `\`, "\x00").Replace(s)
	var q qualified
	for _, p := range strings.Split(s, "\x00") {
		if !selfParts[p] {
			q.by = append(q.by, p)
		}
	}
	if n := len(q.by); n > 0 {
		q.base, q.by = q.by[n-1], q.by[:n-1]
	}
	return q
}

// countMatching returns how many qualifiers, counted from the last, occur in a chain of
// directories, file and containers in the same order.
func (q qualified) countMatching(chain []string) int {
	n, at := 0, len(chain)-1
	for i := len(q.by) - 1; i >= 0; i-- {
		for at >= 0 && chain[at] != q.by[i] {
			at--
		}
		if at < 0 {
			break
		}
		n++
		at--
	}
	return n
}

// defined is a definition with the requested name.
type defined struct {
	ref, rel string
	def      symbols.Def
	lang     symbols.Lang
	bucket   coderank.Bucket
	member   bool // of a type
	fit      int  // number of matching qualifiers
}

// chain returns the names that may qualify a definition.
func (d defined) chain() []string {
	base, _, _ := strings.Cut(path.Base(d.rel), ".")
	parts := append(strings.Split(path.Dir(d.rel), "/"), base)
	return append(parts, strings.FieldsFunc(d.def.Container, func(r rune) bool { return strings.ContainsRune(".:#>*&() ", r) })...)
}

// adjoins reports whether the last qualifier immediately precedes the definition: names its type
// or, without one, its file or directory.
func (q qualified) adjoins(d defined) bool {
	if len(q.by) == 0 {
		return true
	}
	last, chain := q.by[len(q.by)-1], d.chain()
	if d.def.Container != "" {
		return chain[len(chain)-1] == last
	}
	return chain[len(chain)-1] == last || len(chain) > 1 && chain[len(chain)-2] == last
}

// class ranks definitions by how likely they are meant, lowest first: code before tests, top-level
// ones before members, types and functions before the rest.
func (d defined) class() int {
	c := 0
	switch {
	case d.def.Kind.IsType() || d.def.Kind == symbols.KindFunction || d.def.Kind == symbols.KindMacro:
	case d.def.Kind == symbols.KindMethod:
		c = 1
	case d.def.Kind == symbols.KindPrototype:
		c = 4
	default:
		c = 2
	}
	if d.member {
		c += 2
	}
	switch d.bucket {
	case coderank.Implementation, coderank.Entry, coderank.Types:
	case coderank.Test:
		c += 20
	default:
		c += 10
	}
	return c
}

// ofName resolves a name by definitions; if it finds only members, unexported or partly matching
// ones or nothing, by packages and files of that name.
func ofName(ctx context.Context, env *catalog.Env, asked string) (ComponentOutput, error) {
	q := readQualified(asked)
	if q.base == "" {
		return absentComponent(ctx, env, asked, nil)
	}
	all, err := definitionsOf(ctx, env, q)
	if err != nil {
		return ComponentOutput{}, err
	}
	best, elsewhere := meantBy(all, len(q.by) > 0)
	if len(best) == 0 || best[0].class() > 0 || best[0].fit < len(q.by) || !best[0].def.Exported || !q.adjoins(best[0]) {
		if out, ok, err := ofPackage(ctx, env, asked, q); ok || err != nil {
			return out, err
		}
	}
	switch len(best) {
	case 0:
		return absentComponent(ctx, env, asked, elsewhere)
	case 1:
		return ComponentOutput{Form: formDefinition, Reference: best[0].ref, Result: contract.NotFound("")}, nil
	}
	return ComponentOutput{Form: formSeveral, Result: tellSeveral(env, asked, best)}, nil
}

// meantBy keeps the definitions that match the most qualifiers and, of those, the lowest class. If
// the name is qualified and none match, it returns all as elsewhere.
func meantBy(all []defined, asks bool) (best, elsewhere []defined) {
	fit := 0
	for _, d := range all {
		fit = max(fit, d.fit)
	}
	if asks && fit == 0 {
		return nil, all
	}
	for _, d := range all {
		switch {
		case d.fit < fit:
		case len(best) == 0 || d.class() < best[0].class():
			best = append(best[:0:0], d)
		case d.class() == best[0].class():
			best = append(best, d)
		}
	}
	return withoutDeclarations(best), nil
}

// withoutDeclarations drops declarations without a body if the same file and container also has a
// body.
func withoutDeclarations(list []defined) []defined {
	body := func(d defined) bool { return d.def.EndLine > d.def.Line }
	var out []defined
	for _, d := range list {
		if body(d) || !slices.ContainsFunc(list, func(o defined) bool {
			return body(o) && o.rel == d.rel && o.def.Container == d.def.Container
		}) {
			out = append(out, d)
		}
	}
	return out
}

// definitionsOf finds all definitions of a name, exactly as written or, failing that, ignoring
// case. They are ordered by path.
func definitionsOf(ctx context.Context, env *catalog.Env, q qualified) ([]defined, error) {
	for _, fold := range []bool{false, true} {
		m, err := match.Compile(q.base, match.Options{Literal: true, IgnoreCase: fold})
		if err != nil {
			return nil, source.InputError("code.component", "component: %w", err)
		}
		var out []defined
		for _, root := range env.Roots.Roots() {
			list, err := definitionsIn(ctx, env, root, q.base, m, func(name string) bool { return name == q.base || fold && strings.EqualFold(name, q.base) })
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
		if len(out) > 0 {
			for i := range out {
				out[i].fit = q.countMatching(out[i].chain())
			}
			return out, nil
		}
	}
	return nil, nil
}

// definitionsIn parses every source file of a root that contains the name.
func definitionsIn(ctx context.Context, env *catalog.Env, root *sandbox.Root, name string, m *match.Matcher, is func(string) bool) ([]defined, error) {
	files, err := source.ListContaining(ctx, env, root, []string{name})
	if err != nil {
		return nil, source.WithCode(err)
	}
	limited, cancel := source.LimitScan(ctx, env.Scan)
	defer cancel()
	scanners := make([]*match.Scanner, source.CountWorkers(env))
	for i := range scanners {
		scanners[i] = m.NewScanner()
	}
	perFile := make([][]defined, len(files))
	_, err = root.Scan(limited, files, len(scanners), func(worker, i int, e sandbox.Entry, data []byte) {
		has := false
		if scanners[worker].Lines(limited, data, func(match.Line) bool { has = true; return false }) == nil && has {
			perFile[i] = definitionsNamed(env.Roots.Ref(root, e.Path), e.Path, data, is)
		}
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && limited.Err() == nil {
		return nil, source.WithCode(err)
	}
	if limited.Err() != nil {
		env.Ledger.Cut("scan time")
	}
	env.Ledger.Scanned(len(files))
	return slices.Concat(perFile...), nil
}

// definitionsNamed keeps the definitions of a file that have the name.
func definitionsNamed(ref, rel string, data []byte, is func(string) bool) []defined {
	defs := symbols.Scan(rel, data)
	var out []defined
	for _, d := range defs {
		if !is(d.Name) || !usage.IsTraceable(d.Kind) {
			continue
		}
		own := source.LastIdentifier(d.Container)
		out = append(out, defined{
			ref: contract.Reference{Path: ref, Line: d.Line}.String(), rel: rel, def: d, lang: symbols.Detect(rel, data),
			bucket: coderank.BucketOf(rel, data[:min(len(data), 1024)]),
			member: d.Kind == symbols.KindMethod || own != "" && slices.ContainsFunc(defs, func(o symbols.Def) bool { return o.Name == own && o.Kind.IsType() }),
		})
	}
	return out
}

// maxSeveral bounds how many definitions are listed.
const maxSeveral = 12

// tellSeveral lists definitions that are equally likely.
func tellSeveral(env *catalog.Env, asked string, list []defined) contract.Result {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Med}
	r.Summary = fmt.Sprintf("`%s` is defined in %d places of equal standing; ask for one of them by path:line or with its qualifier.", asked, len(list))
	slices.SortStableFunc(list, func(a, b defined) int { return cmp.Compare(strings.Count(a.rel, "/"), strings.Count(b.rel, "/")) })
	left := componentRoom(env)
	overloads := !slices.ContainsFunc(list, func(d defined) bool { return d.rel != list[0].rel || d.def.Container != list[0].def.Container })
	if overloads {
		r.Summary = fmt.Sprintf("`%s` has %d definitions in `%s`; ask for one of them by path:line.", asked, len(list), contract.ParseReference(list[0].ref).Path)
	}
	for _, d := range list[:min(len(list), maxSeveral)] {
		text := source.Cite(source.QualifiedName(d.def, d.lang), d.ref) + ownDescription(d.def, 140)
		if overloads && d.def.Signature != "" { // overloads differ in their signatures
			text = fmt.Sprintf("%d: `%s`", d.def.Line, contract.Shorten(d.def.Signature, 140))
		}
		if left -= len(text); left < 0 || env.Ledger.Read(contract.ParseReference(d.ref).Path, int64(len(text))) != nil {
			break
		}
		r.References = append(r.References, d.ref)
		r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: text, Ref: d.ref})
	}
	if more := len(list) - len(r.References); more > 0 {
		r.Note(fmt.Sprintf("%d more of the name", more))
	}
	return r
}

// ownDescription returns a definition's own description, to follow its name: its comment or else
// its signature.
func ownDescription(d symbols.Def, most int) string {
	if doc := source.DocSentence(d); doc != "" {
		if source.StartsLower(doc) {
			return " " + contract.Shorten(doc, most)
		}
		return ": " + contract.Shorten(doc, most)
	}
	if d.Signature != "" {
		return ": `" + contract.Shorten(d.Signature, most) + "`"
	}
	return ""
}

// absentComponent reports that nothing has the name, and names the nearest matches.
func absentComponent(ctx context.Context, env *catalog.Env, asked string, elsewhere []defined) (ComponentOutput, error) {
	text := fmt.Sprintf("Not found: no definition, file or package is called `%s`.", contract.Shorten(asked, 120))
	var near, refs []string
	slices.SortStableFunc(elsewhere, func(a, b defined) int { return cmp.Compare(a.class(), b.class()) })
	for _, d := range elsewhere[:min(len(elsewhere), 3)] {
		near = append(near, source.Cite(source.QualifiedName(d.def, d.lang), d.ref))
		refs = append(refs, d.ref)
	}
	if len(near) == 0 {
		names, err := nearestNames(ctx, env, asked)
		if err != nil {
			return ComponentOutput{}, err
		}
		near = names
	}
	if len(near) > 0 {
		text += " Nearest: " + strings.Join(near, ", ") + "."
	}
	r := contract.NotFound(text)
	r.References = append(r.References, refs...)
	return ComponentOutput{Form: formAbsent, Result: r}, nil
}

// nearestNames returns names and paths of the tree that are similar to the requested one.
func nearestNames(ctx context.Context, env *catalog.Env, asked string) ([]string, error) {
	var out []string
	if q := readQualified(asked); q.base != "" {
		parsed, _ := source.ParseQuestion(q.base, nil, coderank.Default().Before)
		f, err := find.RankTree(ctx, env, parsed, coderank.Default(), 4)
		if err != nil {
			return nil, err
		}
		for _, m := range f.Missing {
			for _, n := range m.Near {
				out = source.AppendNew(out, "`"+n+"`")
			}
		}
		for _, d := range f.Definitions {
			if len(out) < 3 && d.Name != "" {
				out = source.AppendNew(out, source.Cite(d.Name, contract.Reference{Path: d.Path, Line: d.Line}.String()))
			}
		}
	}
	for _, p := range source.SimilarPaths(ctx, env, strings.TrimRight(asked, "/")) {
		out = source.AppendNew(out, "`"+p+"`")
	}
	return out[:min(len(out), 5)], ctx.Err()
}
