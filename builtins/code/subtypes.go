package code

import (
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// typeDef is a definition with its file.
type typeDef struct {
	src *source
	def symbols.Def
}

func (t typeDef) ref() string { return t.src.refTo(t.def.Line) }

// supertype is a type that others may derive from, with those that do.
type supertype struct {
	name      string
	def       typeDef
	by        []typeDef
	makes     []typeDef // functions that return one, collected if findMakes is set
	findMakes bool
}

// maxMethods bounds the methods of an interface whose implementers are searched.
const maxMethods = 200

func typeKind(k symbols.Kind) bool {
	switch k {
	case symbols.KindClass, symbols.KindStruct, symbols.KindInterface, symbols.KindTrait, symbols.KindType, symbols.KindEnum:
		return true
	}
	return false
}

// findImplementers finds, in one pass, where the candidates are defined and which types derive from
// them or, in Go, have their methods.
func findImplementers(ctx context.Context, env *catalog.Env, bases []*supertype) error {
	var names []string
	for _, b := range bases {
		names = append(names, b.name)
	}
	if len(names) == 0 {
		return nil
	}
	files, err := sourcesWith(ctx, env, names, 1)
	if err != nil {
		return err
	}
	for _, src := range files {
		for _, d := range src.defs {
			if !typeKind(d.Kind) {
				noteMaker(bases, src, d)
				continue
			}
			for _, b := range bases {
				if t := (typeDef{src, d}); d.Name == b.name && t.definesMore(b.def) {
					b.def = t
				}
				if d.Name != b.name && slices.Contains(basesOf(d.Signature), b.name) {
					b.by = append(b.by, typeDef{src, d})
				}
			}
		}
		if src.lang == symbols.Rust {
			rustImplementers(src, bases)
		}
	}
	return goImplementers(ctx, env, bases)
}

// definesMore reports whether t, of two types of one name, is the one to implement: types made for
// that come before types that share the name by chance, then the longer one.
func (t typeDef) definesMore(than typeDef) bool {
	if than.src == nil {
		return true
	}
	if a, b := t.open(), than.open(); a != b {
		return a
	}
	return t.def.EndLine-t.def.Line > than.def.EndLine-than.def.Line
}

// open reports whether a type is made to be implemented.
func (t typeDef) open() bool {
	return t.def.Kind == symbols.KindInterface || t.def.Kind == symbols.KindTrait || strings.Contains(t.def.Signature, "abstract")
}

// rustImplementers collects the types in "impl Trait for Type".
func rustImplementers(src *source, bases []*supertype) {
	for i, l := range strings.Split(string(src.data), "\n") {
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
			if trait == b.name {
				name := lastPart(strings.TrimRight(strings.Fields(tail + " {")[0], "{"))
				b.by = append(b.by, typeDef{src, symbols.Def{Name: name, Kind: symbols.KindStruct, Line: i + 1, EndLine: i + 2}})
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
	return lastPart(strings.TrimSpace(rest))
}

// goImplementers finds the types that have all methods of an interface.
func goImplementers(ctx context.Context, env *catalog.Env, bases []*supertype) error {
	for _, b := range bases {
		if b.def.src == nil || b.def.src.lang != symbols.Go || b.def.def.Kind != symbols.KindInterface {
			continue
		}
		var methods []string
		for _, d := range membersIn(b.def) {
			methods = append(methods, d.Name)
		}
		if len(methods) == 0 || len(methods) > maxMethods {
			continue
		}
		files, err := sourcesWith(ctx, env, methods, len(methods))
		if err != nil {
			return err
		}
		for _, src := range files {
			if src.lang != symbols.Go {
				continue
			}
			has, first := map[string]int{}, map[string]symbols.Def{}
			for _, d := range src.defs {
				if d.Kind == symbols.KindMethod && slices.Contains(methods, d.Name) && (d.Container != b.name || src.ref != b.def.src.ref) {
					owner := lastPart(d.Container)
					if has[owner]++; has[owner] == 1 {
						first[owner] = d
					}
				}
			}
			var owners []string
			for o, n := range has {
				if n == len(methods) {
					owners = append(owners, o)
				}
			}
			slices.Sort(owners)
			for _, o := range owners {
				d := first[o]
				for _, t := range src.defs {
					if typeKind(t.Kind) && t.Name == o {
						d = t
					}
				}
				d.Name, d.Container = o, ""
				b.by = append(b.by, typeDef{src, d})
			}
		}
	}
	return nil
}

// membersIn returns the methods of a type that are in its own file.
func membersIn(t typeDef) []symbols.Def {
	var out []symbols.Def
	for _, d := range t.src.defs {
		if (d.Kind == symbols.KindMethod || d.Kind == symbols.KindFunction || d.Kind == symbols.KindPrototype) && lastPart(d.Container) == t.def.Name {
			out = append(out, d)
		}
	}
	return out
}

// derives matches what precedes the first base in a type's signature.
var derives = lazyregexp.New(` (?:extends|implements) |^class .* with `)

// basesOf returns the names that a type's signature derives from.
func basesOf(sig string) []string {
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
		if n := lastPart(part); n != "" && idents.WordByte(n[0]) {
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
func noteMaker(bases []*supertype, src *source, d symbols.Def) {
	if d.Kind != symbols.KindFunction && d.Kind != symbols.KindMethod || d.Container != "" && src.lang == symbols.Go {
		return
	}
	for _, b := range bases {
		if b.findMakes && len(b.makes) < 200 && slices.Contains(returnedTypes(src.lang, d), b.name) {
			b.makes = append(b.makes, typeDef{src, d})
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
