package usage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// maxIndirect bounds the types whose own subtypes are searched.
const maxIndirect = 12

// implementersOf lists all types outside tests that implement or extend a named one. It finds
// nothing if no type has that name.
func implementersOf(ctx context.Context, env *catalog.Env, name string, room int) (contract.Result, error) {
	b := &Supertype{Name: find.ParseSymbolName(name).Base}
	if err := FindSubtypes(ctx, env, []*Supertype{b}); err != nil {
		return contract.Result{}, err
	}
	if b.Def.File == nil && len(b.Subtypes) == 0 {
		return contract.NotFound(""), nil
	}
	direct := distinctTypes(b.Subtypes)
	title, verb := "`"+b.Name+"`", "extend"
	if b.Def.File != nil {
		title = source.Cite(b.Name, b.Def.Ref())
	}
	if k := b.Def.Def.Kind; k == symbols.KindInterface || k == symbols.KindTrait {
		verb = "implement"
	}
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.High}
	if b.Def.File == nil || len(direct) == 0 || !namesBases(b.Def.File.Lang) {
		r.Confidence = contract.Med
	}
	if len(direct) == 0 {
		r.Summary = fmt.Sprintf("Nothing was found that %ss %s, outside of tests.", verb, title)
		r.References = append(r.References, b.Def.Ref())
		return r, nil
	}
	indirect, cut, err := indirectTypes(ctx, env, b.Name, direct)
	if err != nil {
		return contract.Result{}, err
	}
	if cut {
		r.Confidence = contract.Med
		r.Note(fmt.Sprintf("the types below %d of these were looked for, and not below the others", maxIndirect))
	}
	var text strings.Builder
	if len(direct) == 1 {
		verb += "s"
	}
	fmt.Fprintf(&text, "%s %s %s:", words.Count(len(direct), "type"), verb, title)
	r.References = append(r.References, listTypes(env, &text, direct, room)...)
	if len(indirect) > 0 {
		fmt.Fprintf(&text, "\n\nThrough them, %d more:", len(indirect))
		r.References = append(r.References, listTypes(env, &text, indirect, room)...)
	}
	r.Summary = text.String()
	if b.Def.File != nil {
		r.References = append(r.References, b.Def.Ref())
	}
	return r, ctx.Err()
}

// namesBases reports whether types of the language name all their bases in their head, not in the
// body or by methods.
func namesBases(l symbols.Lang) bool {
	switch l {
	case symbols.Go, symbols.Ruby, symbols.PHP, symbols.Haskell, symbols.Elixir:
		return false
	}
	return true
}

// indirectTypes finds the types below direct, at any depth, except those in direct; cut means that
// there may be more.
func indirectTypes(ctx context.Context, env *catalog.Env, name string, direct []FileDef) (out []FileDef, cut bool, err error) {
	asked := map[string]bool{name: true}
	for level := direct; len(level) > 0; {
		var bases []*Supertype
		for _, t := range level {
			if asked[t.Def.Name] || t.File.Lang == symbols.Go {
				continue
			}
			if len(asked) > maxIndirect {
				return distinctTypes(out), true, nil
			}
			asked[t.Def.Name] = true
			bases = append(bases, &Supertype{Name: t.Def.Name})
		}
		if err := FindSubtypes(ctx, env, bases); err != nil {
			return nil, false, err
		}
		level = nil
		for _, b := range bases {
			for _, t := range b.Subtypes {
				if !asked[t.Def.Name] && !slices.ContainsFunc(direct, func(d FileDef) bool { return d.Def.Name == t.Def.Name && d.File.Ref == t.File.Ref }) {
					level = append(level, t)
				}
			}
		}
		out = append(out, level...)
	}
	return distinctTypes(out), false, nil
}

// distinctTypes returns each type once, ordered by place.
func distinctTypes(list []FileDef) []FileDef {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b FileDef) int {
		return cmp.Or(cmp.Compare(a.File.Ref, b.File.Ref), cmp.Compare(a.Def.Line, b.Def.Line))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(t FileDef) bool {
		key := t.File.Ref + "\x00" + t.Def.Name
		was := seen[key]
		seen[key] = true
		return was
	})
}

// listTypes writes a line for each type while there is room, and returns the places of those
// written.
func listTypes(env *catalog.Env, text *strings.Builder, list []FileDef, room int) (refs []string) {
	for i, t := range list {
		line := fmt.Sprintf("\n`%s` at %s", t.Def.Name, t.Ref())
		if i > 0 && text.Len()+len(line) > room || t.File.Book(env, len(line)) != nil {
			fmt.Fprintf(text, "\nand %d more", len(list)-i)
			break
		}
		text.WriteString(line)
		refs = append(refs, t.Ref())
	}
	return refs
}
