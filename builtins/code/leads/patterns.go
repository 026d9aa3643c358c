package leads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// PatternsInput is the input of code.patterns.
type PatternsInput struct {
	Question string             `json:"question" doc:"the pattern to look for"`
	Limit    int                `json:"limit" doc:"examples at most" default:"4" min:"2" max:"6"`
	Avoid    []string           `json:"avoid,omitempty" doc:"references that are known already"`
	Earlier  []contract.Earlier `json:"earlier,omitempty" doc:"questions that this one may be a follow-up of, newest first"`
}

// Patterns returns code.patterns, which finds two to six examples of a pattern that differ from
// each other: other directories, other kinds, other words in their signatures.
func Patterns() catalog.Builtin {
	return catalog.New("code.patterns", "find existing examples that differ from each other", catalog.Roots, patterns)
}

// excerptLines bounds the lines quoted from an example.
const excerptLines = 4

func patterns(ctx context.Context, env *catalog.Env, in PatternsInput) (contract.Result, error) {
	w := coderank.Default()
	w.Test, w.Docs = 1, 0.8 // tests and documents show how things are used
	q, from := source.ParseQuestion(in.Question, in.Earlier, w.Before)
	from.ExtendQuery(ctx, env, q)
	f, err := find.RankTree(ctx, env, q, w, 6*in.Limit)
	if err != nil {
		return contract.Result{}, err
	}
	if len(f.Hits) == 0 {
		r := find.NotFoundResult(f)
		from.MarkResult(&r)
		return r, nil
	}
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: from.CapConfidence(f.Confidence)}
	want := subjectStems(in.Question)
	if err := showExamples(ctx, env, in, f.Hits, want, &r); err != nil {
		return contract.Result{}, err
	}
	if len(r.References) == 0 {
		if err := showDefinitions(ctx, env, in, f.Hits, want, &r); err != nil {
			return contract.Result{}, err
		}
	}
	from.MarkResult(&r)
	r.Note(f.Note())
	return r, nil
}

// showExamples reports implementers if the question asks for a kind of thing, and lines that use
// the subject, each with its location.
func showExamples(ctx context.Context, env *catalog.Env, in PatternsInput, hits []coderank.Hit, want map[string]bool, r *contract.Result) error {
	if len(want) == 0 {
		return nil
	}
	const bytes = 1000 // of an answer
	head, of, err := kindsShown(ctx, env, in.Question, hits, want, in.Limit)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, a := range in.Avoid {
		known[contract.ParseReference(a).String()] = true
	}
	add := func(src *source.File, ref, text string) {
		if len(r.Summary)+len(text) < bytes && src.Book(env, len(text)) == nil {
			r.References = append(r.References, ref)
			r.Summary = strings.TrimPrefix(r.Summary+"\n"+text, "\n")
		}
	}
	for _, t := range of {
		if !known[t.Ref()] {
			add(t.File, t.Ref(), kindLine(t))
		}
	}
	if len(of) > 0 {
		r.Summary += "\n" + head
	}
	uses, err := usesShown(ctx, env, hits, want, known)
	if err != nil {
		return err
	}
	room := in.Limit - len(r.References)
	if len(of) > 0 {
		room = 1
	}
	for _, u := range pickDiffering(uses, room) {
		add(u.src, u.src.RefTo(u.line), u.text(bytes/in.Limit))
	}
	return nil
}

// showDefinitions reports definitions that differ, if no line shows a use.
func showDefinitions(ctx context.Context, env *catalog.Env, in PatternsInput, hits []coderank.Hit, want map[string]bool, r *contract.Result) error {
	for _, e := range pickDiverse(collectExamples(hits, in.Avoid), in.Limit) {
		ref, text, err := quoteExample(ctx, env, e, want)
		var spent *budget.ExhaustedError
		switch {
		case errors.As(err, &spent):
			r.Note(fmt.Sprintf("the limit of %d %s is reached", spent.Max, spent.Limit))
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			r.References = append(r.References, ref)
			r.Summary = strings.TrimPrefix(r.Summary+"\n"+text, "\n")
		}
	}
	if len(r.References) == 0 {
		r.Summary = "No example could be read."
	}
	return nil
}

// example is one candidate.
type example struct {
	path  string
	span  coderank.Place
	score float64
	words map[string]bool
}

// collectExamples returns the best definitions of every hit.
func collectExamples(hits []coderank.Hit, avoid []string) []example {
	known := map[string]bool{}
	for _, a := range avoid {
		known[contract.ParseReference(a).String()] = true
	}
	var out []example
	for i, h := range hits {
		if h.Bucket == coderank.Config || h.Bucket == coderank.Generated {
			continue
		}
		for j, s := range h.Places {
			ref := contract.Reference{Path: h.Path, Line: s.Line}.String()
			if j == 2 || known[ref] || !isExemplary(s) {
				continue
			}
			out = append(out, example{path: h.Path, span: s, score: 1 / float64(2+i+2*j), words: signatureWords(s)})
		}
	}
	return out
}

func signatureWords(s coderank.Place) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(s.Name+" "+s.Signature, func(r rune) bool { return r < 0x80 && !idents.WordByte(byte(r)) }) {
		words[strings.ToLower(w)] = true
	}
	return words
}

// pickDiverse selects greedily: the worth of each next example is its rank minus its similarity to
// those selected (maximal marginal relevance; Carbonell and Goldstein 1998, with equal weight for
// both parts).
func pickDiverse(from []example, limit int) []example {
	var out []example
	taken := make([]bool, len(from))
	for len(out) < limit {
		best, bestWorth := -1, 0.0
		for i, e := range from {
			if taken[i] {
				continue
			}
			worth := e.score - likeness(e, out)*0.25
			if best < 0 || worth > bestWorth {
				best, bestWorth = i, worth
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		out = append(out, from[best])
	}
	return out
}

// likeness returns the greatest similarity to any selected example, 0 to 1.
func likeness(e example, chosen []example) float64 {
	worst := 0.0
	for _, c := range chosen {
		s := jaccard(e.words, c.words) / 2
		switch {
		case e.path == c.path:
			s += 0.5
		case path.Dir(e.path) == path.Dir(c.path):
			s += 0.2
		}
		worst = max(worst, s)
	}
	return worst
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// quoteExample cites an example and quotes the lines of it that match.
func quoteExample(ctx context.Context, env *catalog.Env, e example, want map[string]bool) (ref, text string, err error) {
	src, err := source.Load(ctx, env, e.path)
	if err != nil {
		return "", "", err
	}
	ref = src.RefTo(e.span.Line)
	name := e.span.Name
	if d, ok := src.DefAt(e.span.Line); ok && d.Kind != symbols.KindHeading {
		name = source.QualifiedName(d, src.Lang)
	}
	kept := matchingLines(src, e.span, want)
	place := ref
	if name != "" {
		place = source.Cite(name, ref)
	}
	text = fmt.Sprintf("%s: `%s`", place, contract.Shorten(strings.Join(kept, " ⏎ "), 260))
	return ref, text, src.Book(env, len(text))
}

// isExemplary reports whether the place shows how something is done; a key of a manifest, a member
// of an enum, an alias or a lone name does not.
func isExemplary(p coderank.Place) bool {
	switch p.Kind {
	case symbols.KindMember, symbols.KindKey, symbols.KindModule:
		return false
	case symbols.KindType, symbols.KindVariable, symbols.KindConstant, symbols.KindField:
		return p.EndLine > p.Line
	case "":
		return !source.IsImportLine([]byte(strings.TrimSpace(p.Signature)))
	}
	return true
}

// matchingLines returns the first line of a place and the lines of it with the most words of the
// question, in order.
func matchingLines(src *source.File, p coderank.Place, want map[string]bool) []string {
	const most = 400 // lines of a place that are searched
	type scored struct {
		at    int
		score float64
	}
	lines := strings.Split(string(src.Data), "\n")
	from := max(p.Line-1, 0)
	to := min(max(p.EndLine, from+1), from+most, len(lines))
	var best []scored
	for i := from + 1; i < to; i++ {
		l := strings.TrimSpace(lines[i])
		if len(l) < 4 || len(l) > 300 || source.IsCommentLine([]byte(l)) || source.IsImportLine([]byte(l)) {
			continue
		}
		if s := stemShare(want, l); s > 0 {
			best = append(best, scored{i, s})
		}
	}
	slices.SortStableFunc(best, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	at := []int{}
	for _, b := range best[:min(len(best), excerptLines-1)] {
		at = append(at, b.at)
	}
	if from < len(lines) {
		at = append(at, from)
	}
	if len(at) < 2 { // no line matches: take the beginning
		for i := from + 1; i < to && len(at) < excerptLines; i++ {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	var kept []string
	for _, i := range at {
		if l := strings.TrimSpace(lines[i]); l != "" {
			kept = append(kept, contract.Shorten(l, 110))
		}
	}
	return kept
}
