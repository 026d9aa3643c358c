package usage

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// FileDef is a definition, of a type or of a function that makes one, with its file.
type FileDef struct {
	File *source.File
	Def  symbols.Def
}

// Ref returns the reference to the definition.
func (t FileDef) Ref() string { return t.File.RefTo(t.Def.Line) }

// Supertype is a type that others may derive from, with those that do.
type Supertype struct {
	Name       string
	Def        FileDef
	Subtypes   []FileDef
	Makers     []FileDef // functions that return one, collected if WantMakers is set
	WantMakers bool
}

// maxMethods bounds the methods of an interface whose implementers are searched.
const maxMethods = 200

// FindSubtypes finds where the types in bases are defined, and which types derive from them or, in
// Go, have their methods.
func FindSubtypes(ctx context.Context, env *catalog.Env, bases []*Supertype) error {
	var names []string
	for _, b := range bases {
		names = append(names, b.Name)
	}
	if len(names) == 0 {
		return nil
	}
	files, err := source.LoadContaining(ctx, env, names, 1)
	if err != nil {
		return err
	}
	for _, src := range files {
		for _, d := range src.Defs {
			if !d.Kind.IsType() {
				noteMaker(bases, src, d)
				continue
			}
			for _, b := range bases {
				if t := (FileDef{src, d}); d.Name == b.Name && t.definesMore(b.Def) {
					b.Def = t
				}
				if d.Name != b.Name && slices.Contains(SupertypeNames(d.Signature), b.Name) {
					b.Subtypes = append(b.Subtypes, FileDef{src, d})
				}
			}
		}
		if src.Lang == symbols.Rust {
			findRustSubtypes(src, bases)
		}
	}
	return findGoSubtypes(ctx, env, bases)
}

// definesMore reports whether t, of two types of one name, is the one to implement: types made for
// that come before types that share the name by chance, then the longer one.
func (t FileDef) definesMore(than FileDef) bool {
	if than.File == nil {
		return true
	}
	if a, b := t.open(), than.open(); a != b {
		return a
	}
	return t.Def.EndLine-t.Def.Line > than.Def.EndLine-than.Def.Line
}

// open reports whether a type is made to be implemented.
func (t FileDef) open() bool {
	return t.Def.Kind == symbols.KindInterface || t.Def.Kind == symbols.KindTrait || strings.Contains(t.Def.Signature, "abstract")
}

// findRustSubtypes collects the types in "impl Trait for Type".
func findRustSubtypes(src *source.File, bases []*Supertype) {
	for i, l := range strings.Split(string(src.Data), "\n") {
		l = strings.TrimSpace(l)
		if !strings.HasPrefix(l, "impl") || len(l) > 400 {
			continue
		}
		head, tail, ok := strings.Cut(l, " for ")
		if !ok {
			continue
		}
		trait := traitOf(head)
		for _, b := range bases {
			if trait == b.Name {
				name := source.LastIdentifier(strings.TrimRight(strings.Fields(tail + " {")[0], "{"))
				b.Subtypes = append(b.Subtypes, FileDef{src, symbols.Def{Name: name, Kind: symbols.KindStruct, Line: i + 1, EndLine: i + 2}})
			}
		}
	}
}

// traitOf returns the trait of "impl<T: Bound> path::Trait<U>", without its path and parameters.
func traitOf(head string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(head, "impl"), " ")
	if strings.HasPrefix(rest, "<") {
		depth := 0
		for i, c := range rest {
			if c == '<' {
				depth++
			} else if c == '>' && (i == 0 || rest[i-1] != '-') {
				if depth--; depth == 0 {
					rest = rest[i+1:]
					break
				}
			}
		}
	}
	rest, _, _ = strings.Cut(strings.TrimLeft(rest, " !"), "<")
	return source.LastIdentifier(strings.TrimSpace(rest))
}

// findGoSubtypes finds the types that have all methods of an interface.
func findGoSubtypes(ctx context.Context, env *catalog.Env, bases []*Supertype) error {
	for _, b := range bases {
		if b.Def.File == nil || b.Def.File.Lang != symbols.Go || b.Def.Def.Kind != symbols.KindInterface {
			continue
		}
		var methods []string
		for _, d := range MethodsOf(b.Def) {
			methods = append(methods, d.Name)
		}
		if len(methods) == 0 || len(methods) > maxMethods {
			continue
		}
		files, err := source.LoadContaining(ctx, env, methods, len(methods))
		if err != nil {
			return err
		}
		for _, src := range files {
			if src.Lang == symbols.Go {
				b.addGoTypes(src, methods)
			}
		}
	}
	return nil
}

// addGoTypes adds the types of a file that have all methods of the interface.
func (b *Supertype) addGoTypes(src *source.File, methods []string) {
	has, first := map[string]int{}, map[string]symbols.Def{}
	for _, d := range src.Defs {
		if d.Kind == symbols.KindMethod && slices.Contains(methods, d.Name) && (d.Container != b.Name || src.Ref != b.Def.File.Ref) {
			owner := source.LastIdentifier(d.Container)
			if has[owner]++; has[owner] == 1 {
				first[owner] = d
			}
		}
	}
	for _, o := range slices.Sorted(maps.Keys(has)) {
		if has[o] != len(methods) {
			continue
		}
		d := first[o]
		for _, t := range src.Defs {
			if t.Kind.IsType() && t.Name == o {
				d = t
			}
		}
		d.Name, d.Container = o, ""
		b.Subtypes = append(b.Subtypes, FileDef{src, d})
	}
}

// MethodsOf returns the methods of a type that are in its own file.
func MethodsOf(t FileDef) []symbols.Def {
	var out []symbols.Def
	for _, d := range t.File.Defs {
		if (d.Kind == symbols.KindMethod || d.Kind == symbols.KindFunction || d.Kind == symbols.KindPrototype) && source.LastIdentifier(d.Container) == t.Def.Name {
			out = append(out, d)
		}
	}
	return out
}

// derives matches what precedes the first base in a type's signature.
var derives = lazyregexp.New(` (?:extends|implements) |^class .* with `)

// SupertypeNames returns the names that a type's signature derives from.
func SupertypeNames(sig string) []string {
	var list string
	switch {
	case derives.MatchString(sig):
		list = sig[derives.FindStringIndex(sig)[1]:]
		list = strings.NewReplacer(" extends ", ",", " with ", ",", " implements ", ",").Replace(list)
	case strings.HasPrefix(sig, "class ") && strings.Contains(sig, "("):
		inside, end := sig[strings.IndexByte(sig, '(')+1:], 0
		for depth := 1; end < len(inside); end++ {
			if inside[end] == '(' {
				depth++
			} else if inside[end] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		list = inside[:end]
		if rest := strings.TrimLeft(inside[min(end+1, len(inside)):], " "); strings.HasPrefix(rest, ":") && len(rest) > 2 {
			list = rest[1:] // the parentheses held constructor parameters
		}
	case strings.Contains(sig, " < "):
		_, list, _ = strings.Cut(sig, " < ")
	case strings.Contains(sig, ":"):
		_, list, _ = strings.Cut(sig, ":")
	}
	return splitBases(list)
}

// splitBases returns the last names of a list of bases, without type arguments and modifiers.
func splitBases(list string) []string {
	var out []string
	depth := 0
	start := 0
	flush := func(end int) {
		part := strings.TrimSpace(list[start:end])
		if strings.Contains(part, "=") {
			return
		}
		part = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(part, "public "), "private "), "virtual ")
		if i := strings.IndexAny(part, "([<{ "); i >= 0 {
			part = part[:i]
		}
		if n := source.LastIdentifier(part); n != "" && idents.WordByte(n[0]) {
			out = append(out, n)
		}
	}
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		case ',':
			if depth <= 0 {
				flush(i)
				start = i + 1
			}
		}
	}
	if start < len(list) {
		flush(len(list))
	}
	return out
}

// noteMaker records a function that returns one of the types.
func noteMaker(bases []*Supertype, src *source.File, d symbols.Def) {
	if d.Kind != symbols.KindFunction && d.Kind != symbols.KindMethod || d.Container != "" && src.Lang == symbols.Go {
		return
	}
	for _, b := range bases {
		if b.WantMakers && len(b.Makers) < 200 && slices.Contains(returnedTypes(src.Lang, d), b.Name) {
			b.Makers = append(b.Makers, FileDef{src, d})
		}
	}
}

// returnedTypes returns the names in the return type of a function's signature.
func returnedTypes(lang symbols.Lang, d symbols.Def) []string {
	sig := d.Signature
	at := strings.LastIndexByte(sig, ')') + 1
	switch lang {
	case symbols.Go:
	case symbols.Java, symbols.CSharp, symbols.C, symbols.CPP:
		sig, at = sig[:max(strings.Index(sig, d.Name), 0)], 0
	default:
		if at == 0 {
			return nil
		}
	}
	return strings.FieldsFunc(sig[at:], func(r rune) bool { return r >= 0x80 || !idents.WordByte(byte(r)) })
}
