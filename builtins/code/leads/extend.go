package leads

import (
	"cmp"
	"context"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

//go:embed lists/common_bases.txt
var commonBasesList string

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
	baseCandidates = 6 // names that are searched in the tree
	followed       = 2
	methodsShown   = 6
)

// extensionPoint is a type that can be implemented, and how well it fits the question.
type extensionPoint struct {
	usage.Supertype
	share float64 // share of the question's words that its name has
	seen  float64 // weight of the located places that derive from it or define it, at most 1
	made  bool    // Subtypes holds functions that return one, as nothing derives from it
	score float64
}

// findExtensions finds who implements the candidates, and what makes those that fit the question.
func findExtensions(ctx context.Context, env *catalog.Env, points []*extensionPoint) error {
	var types []*usage.Supertype
	for _, p := range points {
		p.WantMakers = p.share >= 0.5
		types = append(types, &p.Supertype)
	}
	return usage.FindSubtypes(ctx, env, types)
}

func extend(ctx context.Context, env *catalog.Env, in ExtendInput) (contract.Result, error) {
	want := subjectStems(in.Question)
	if len(want) == 0 {
		return contract.NotFound(""), nil
	}
	located := loadPlaces(ctx, env, in.References)
	head := headStem(in.Question, want)
	more, err := filesNamedLike(ctx, env, want, head)
	if err != nil {
		return contract.Result{}, err
	}
	located = loadMore(ctx, env, located, more)
	bases := candidateBases(located, want, head, typeNamed(in.Question, head))
	if err := findExtensions(ctx, env, bases); err != nil {
		return contract.Result{}, err
	}
	for _, b := range bases {
		b.score = 2*b.share + b.seen + 0.5*math.Log(1+float64(len(b.Subtypes)))
		if b.useFactories(); b.Def.File == nil || len(b.Subtypes) == 0 {
			b.score = -1
		} else if b.share > 0 { // it lies among others of its kind
			b.score += 0.8 * stemShare(want, b.Def.File.Ref)
		}
	}
	slices.SortStableFunc(bases, func(a, b *extensionPoint) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Name, b.Name))
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
func loadPlaces(ctx context.Context, env *catalog.Env, refs []string) []*source.File {
	var out []*source.File
	seen := map[string]bool{}
	for _, ref := range refs {
		p := contract.ParseReference(ref).Path
		if seen[p] || len(out) == 10 || coderank.BucketOf(p, nil) == coderank.Test {
			continue
		}
		seen[p] = true
		if src, err := source.Load(ctx, env, p); err == nil {
			out = append(out, src)
		}
	}
	return out
}

// candidateBases returns the types of the located files and the types they derive from, ordered by
// the words they share with the question, best first. name is a candidate too, wherever it
// occurs.
func candidateBases(located []*source.File, want map[string]bool, head, name string) []*extensionPoint {
	by := map[string]*extensionPoint{}
	note := func(name string, worth float64) {
		if len(name) < 3 || commonBase()[name] {
			return
		}
		b := by[name]
		if b == nil {
			have := stemsOf(name)
			b = &extensionPoint{Supertype: usage.Supertype{Name: name}, share: stemShare(want, name)}
			b.share += 0.2 * b.share * float64(len(want)) / float64(max(len(have), 1)) // penalizes other words in the name
			switch {
			case head == "":
			case hasStem(have, head):
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
		for _, d := range src.Defs {
			if !d.Kind.IsType() {
				continue
			}
			share := stemShare(want, d.Name)
			if d.Kind == symbols.KindInterface || d.Kind == symbols.KindTrait || strings.Contains(d.Signature, "abstract") || share > 0 {
				note(d.Name, fade*0.3)
			}
			for _, n := range usage.SupertypeNames(d.Signature) {
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
		return cmp.Or(cmp.Compare(2*b.share+b.seen, 2*a.share+a.seen), cmp.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), baseCandidates)]
}

// commonBase holds the languages' built-in bases, which a question never means.
var commonBase = sync.OnceValue(func() map[string]bool { return words.Set(commonBasesList) })
