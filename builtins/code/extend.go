package code

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// ExtendInput is the input of code.extend.
type ExtendInput struct {
	Question   string   `json:"question" doc:"what is to be added"`
	References []string `json:"references,omitempty" doc:"what a search found, best first"`
	Tokens     int      `json:"tokens" doc:"length of the summary at most, in tokens of four bytes" default:"300" min:"60" max:"4000"`
}

// Extend returns code.extend, which says how to add one more of a kind: what to implement, which
// example to follow and where it is registered.
func Extend() catalog.Builtin {
	return catalog.New("code.extend", "say what to implement, whom to follow and where to register one more of a kind", catalog.Roots, extend)
}

// These bound the search for extension points.
const (
	baseCandidates = 6   // names that are searched in the tree
	extendFiles    = 300 // files read per root that may contain one of them
	followed       = 2
	methodsShown   = 6
	maxMethods     = 200 // of an interface whose implementers are searched
)

// typeDef is a definition with its file.
type typeDef struct {
	src *source
	def symbols.Def
}

func (t typeDef) ref() string { return t.src.refTo(t.def.Line) }

// extensionPoint is a type that can be implemented, with its implementers.
type extensionPoint struct {
	name  string
	share float64 // share of the question's words that its name has
	seen  float64 // weight of the located places that derive from it or define it, at most 1
	def   typeDef
	by    []typeDef
	makes []typeDef // functions that return one
	made  bool      // by holds functions that return one, as nothing derives from it
	score float64
}

func extend(ctx context.Context, env *catalog.Env, in ExtendInput) (contract.Result, error) {
	want := subject(in.Question)
	if len(want) == 0 {
		return contract.NotFound(""), nil
	}
	located := loadPlaces(ctx, env, in.References)
	head := headOf(in.Question, want)
	more, err := filesNamedLike(ctx, env, want, head)
	if err != nil {
		return contract.Result{}, err
	}
	located = loadMore(ctx, env, located, more)
	bases := candidateBases(located, want, head, typeNamed(in.Question, head))
	if err := findImplementers(ctx, env, bases); err != nil {
		return contract.Result{}, err
	}
	for _, b := range bases {
		b.score = 2*b.share + b.seen + 0.5*math.Log(1+float64(len(b.by)))
		if b.useFactories(); b.def.src == nil || len(b.by) == 0 {
			b.score = -1
		} else if b.share > 0 { // it lies among others of its kind
			b.score += 0.8 * sharedStems(want, b.def.src.ref)
		}
	}
	slices.SortStableFunc(bases, func(a, b *extensionPoint) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name))
	})
	preferSpecial(bases, want)
	e := extension{env: env, want: want, head: head, room: in.Tokens * 4}
	tables := e.tables(located, head)
	if len(tables) > 0 && (len(bases) == 0 || bases[0].made || bases[0].score < 1 || bases[0].share < tables[0].score) {
		e.addTo(located, tables)
	} else if len(bases) > 0 && bases[0].score > 0.5 {
		through := foldSubBases(bases[0], bases[1:])
		e.implement(bases[0], through)
		e.follow(bases[0])
		if err := e.tellRegistration(ctx, bases[0]); err != nil {
			return contract.Result{}, err
		}
	}
	e.handOver(located)
	return e.result(), ctx.Err()
}

// typeNamed returns the likely name of a type for the kind of thing in the question: Backend for "a
// new state backend". Its name often contains no other word of the question.
func typeNamed(question, head string) string {
	name := ""
	for _, w := range strings.FieldsFunc(question, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if w = strings.ToLower(w); head != "" && words.StemOf(w) == head && w[0] < utf8.RuneSelf {
			if len(w) > 3 && !strings.HasSuffix(w, "ss") {
				w = strings.TrimSuffix(w, "s")
			}
			name = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return name
}

// loadPlaces loads the files of the references, each once.
func loadPlaces(ctx context.Context, env *catalog.Env, refs []string) []*source {
	var out []*source
	seen := map[string]bool{}
	for _, ref := range refs {
		p := contract.ParseReference(ref).Path
		if seen[p] || len(out) == 10 || coderank.BucketOf(p, nil) == coderank.Test {
			continue
		}
		seen[p] = true
		if src, err := load(ctx, env, p); err == nil {
			out = append(out, src)
		}
	}
	return out
}

// candidateBases returns the types of the located files and the types they derive from, ordered by
// the words they share with the question, best first. name is a candidate too, wherever it
// occurs.
func candidateBases(located []*source, want map[string]bool, head, name string) []*extensionPoint {
	by := map[string]*extensionPoint{}
	note := func(name string, worth float64) {
		if len(name) < 3 || commonBase()[name] {
			return
		}
		b := by[name]
		if b == nil {
			have := stemsOf(name)
			b = &extensionPoint{name: name, share: sharedStems(want, name)}
			b.share += 0.2 * b.share * float64(len(want)) / float64(max(len(have), 1)) // penalizes other words in the name
			switch {
			case head == "":
			case holdsStem(have, head):
				b.share += 0.5
			case b.share > 0 && len(want) == 2: // a "callback plugin" is a callback
				b.share += 0.2
			default:
				b.share -= 0.3
			}
			by[name] = b
		}
		b.seen = min(b.seen+worth, 1)
	}
	for i, src := range located {
		fade := 1 / float64(2+i)
		for _, d := range src.defs {
			if !typeKind(d.Kind) {
				continue
			}
			share := sharedStems(want, d.Name)
			if d.Kind == symbols.KindInterface || d.Kind == symbols.KindTrait || strings.Contains(d.Signature, "abstract") || share > 0 {
				note(d.Name, fade*0.3)
			}
			for _, n := range basesOf(d.Signature) {
				note(n, fade*(0.2+share))
			}
		}
	}
	if name != "" {
		note(name, 0)
	}
	var out []*extensionPoint
	for _, b := range by {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b *extensionPoint) int {
		return cmp.Or(cmp.Compare(2*b.share+b.seen, 2*a.share+a.seen), cmp.Compare(a.name, b.name))
	})
	return out[:min(len(out), baseCandidates)]
}

// commonBase holds the languages' built-in bases, which a question never means.
var commonBase = sync.OnceValue(func() map[string]bool { return words.Set(readList("common_bases")) })

func typeKind(k symbols.Kind) bool {
	switch k {
	case symbols.KindClass, symbols.KindStruct, symbols.KindInterface, symbols.KindTrait, symbols.KindType, symbols.KindEnum:
		return true
	}
	return false
}

// findImplementers finds, in one pass, where the candidates are defined and which types derive from
// them or, in Go, have their methods.
func findImplementers(ctx context.Context, env *catalog.Env, bases []*extensionPoint) error {
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
func rustImplementers(src *source, bases []*extensionPoint) {
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
func goImplementers(ctx context.Context, env *catalog.Env, bases []*extensionPoint) error {
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

// sourcesWith loads the files that contain least or more of the names.
func sourcesWith(ctx context.Context, env *catalog.Env, names []string, least int) ([]*source, error) {
	var out []*source
	share := portions{room: leadBytes}
	for _, root := range env.Roots.Roots() {
		files, err := filesWithSeveral(ctx, env, root, names, least)
		if err != nil {
			return nil, err
		}
		read := 0
		var buf []byte
		for _, f := range files {
			ref := env.Roots.Ref(root, f.Path)
			if b := coderank.BucketOf(ref, nil); b == coderank.Test || b == coderank.Vendored || b == coderank.Generated || b == coderank.Docs {
				continue
			}
			if read++; read > extendFiles {
				break
			}
			data, v, err := readFile(ctx, env, root, f.Path, buf)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				continue
			}
			buf = data
			n := 0
			for _, name := range names {
				if bytes.Contains(data, []byte(name)) {
					if n++; n == least {
						break
					}
				}
			}
			if n < least {
				continue
			}
			if src, err := partOf(env, ref, f.Path, data, v, &share); err == nil {
				out = append(out, src)
				buf = nil // the source owns it now
			}
		}
	}
	return out, nil
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
		if n := lastPart(part); n != "" && wordByte(n[0]) {
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
