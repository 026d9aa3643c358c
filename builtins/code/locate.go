package code

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/budget"
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
)

// LocateInput is what code.locate takes.
type LocateInput struct {
	Question string             `json:"question" doc:"what to find, in plain words or by name"`
	Limit    int                `json:"limit" doc:"files at most; the first is given with up to three of its places" default:"10" min:"1" max:"50"`
	Earlier  []contract.Earlier `json:"earlier,omitempty" doc:"questions that this one may be a follow-up of, newest first"`
	Prose    bool               `json:"prose" doc:"look for documents instead of code" default:"false"`
	Weights  *rank.Weights      `json:"weights,omitempty" doc:"weights of the ranking by name; what is left out keeps its default"`
}

// Locate ranks files and definitions for a question.
func Locate() catalog.Builtin {
	return catalog.New("code.locate", "rank the files and lines that answer a question", catalog.Roots, locate)
}

func locate(ctx context.Context, env *catalog.Env, in LocateInput) (contract.Result, error) {
	w := rank.Default()
	if in.Weights != nil {
		w = *in.Weights
	}
	if in.Prose { // notes are what is looked for, not what is in the way
		w.Docs, w.Config = 1, 1
	}
	q, from := readQuestion(in.Question, in.Earlier, w.Before)
	from.takeUp(ctx, env, q)
	f, err := search(ctx, env, q, w, in.Limit)
	if err != nil {
		return contract.Result{}, err
	}
	env.Memo.Put(rankedFiles{q.Text}, f.candidates)
	if len(f.Hits) == 0 {
		r := absent(f)
		from.mark(&r)
		return r, nil
	}
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: from.confidence(f.Confidence)}
	for i, h := range f.Hits {
		refs, findings, err := evidence(ctx, env, h)
		var spent *budget.ExhaustedError
		if errors.As(err, &spent) {
			r.Note(fmt.Sprintf("the limit of %d %s is reached; %s not read", spent.Max, spent.Limit, count(len(f.Hits)-i, "candidate")))
			break
		}
		if err != nil {
			if ctx.Err() != nil {
				return contract.Result{}, ctx.Err()
			}
			continue // gone or unreadable by now: not an answer
		}
		r.References = append(r.References, refs...)
		r.KeyFindings = append(r.KeyFindings, findings...)
	}
	r.References = r.References[:min(len(r.References), in.Limit)]
	r.KeyFindings = r.KeyFindings[:min(len(r.KeyFindings), in.Limit)]
	furtherPlaces(ctx, env, f.Hits[0], &r)
	r.Summary = located(r.References, r.KeyFindings)
	from.mark(&r)
	r.Note(f.note())
	return r, nil
}

// located is one sentence about the best hit.
func located(refs []string, findings []contract.Finding) string {
	switch len(refs) {
	case 0:
		return "Not found within the limits."
	case 1:
		return "Found in one place: " + findings[0].Text + "."
	}
	return fmt.Sprintf("Found in %d places, best first: %s.", len(refs), findings[0].Text)
}

// absent says that something is not there, and what is near.
func absent(f found) contract.Result {
	why := f.NotFound
	if why == "" {
		why = "nothing in the files searched matches"
	}
	text := "Not found: " + why + "."
	switch {
	case f.cut && f.files == 0:
		text = fmt.Sprintf("Not known: the scan was cut, %v being over before a file was read; %s.", f.budget, widen)
	case f.cut:
		text = fmt.Sprintf("Not known: the scan was cut after %s, %v being over, and nothing in these fits (%s); %s.", count(f.files, "file"), f.budget, why, widen)
	}
	for _, m := range f.Missing {
		if len(m.Near) > 0 {
			text += " Near " + m.Name + ": " + strings.Join(m.Near, ", ") + "."
		}
	}
	return contract.NotFound(text, f.note())
}

// evidence describes the place of a hit, or the lines of it that the question
// names, and books what it quotes.
func evidence(ctx context.Context, env *catalog.Env, h rank.Hit) (refs []string, findings []contract.Finding, err error) {
	src, err := load(ctx, env, h.Path)
	if err != nil {
		return nil, nil, err
	}
	for _, line := range pointed(h, src.lines()) {
		ref, finding := hitFinding(src, h, line)
		if err := src.quote(env, len(finding)); err != nil {
			return refs, findings, err
		}
		refs, findings = append(refs, ref), append(findings, contract.Finding{Text: finding, Ref: ref})
	}
	return refs, findings, nil
}

// furtherAfter is how many files come before the further places of the first.
const furtherAfter = 3

// furtherPlaces puts the other good places of the first file behind the third
// file. They bring the right lines among the first five references in some eight
// answers of a hundred more than the fourth and fifth file there did.
func furtherPlaces(ctx context.Context, env *catalog.Env, h rank.Hit, r *contract.Result) {
	if len(r.References) == 0 || contract.ParseReference(r.References[0]).Path != h.Path || len(h.Places) < 2 || h.Places[0].Asked {
		return
	}
	src, err := load(ctx, env, h.Path)
	if err != nil {
		return
	}
	at := min(furtherAfter, len(r.References))
	for _, p := range h.Places[1:] {
		ref, finding := hitFinding(src, h, p.Line)
		if slices.Contains(r.References, ref) || src.quote(env, len(finding)) != nil {
			continue
		}
		r.References = slices.Insert(r.References, at, ref)
		r.KeyFindings = slices.Insert(r.KeyFindings, min(at, len(r.KeyFindings)), contract.Finding{Text: finding, Ref: ref})
		at++
	}
}

// pointed are the lines to point to: those that the question names and the
// file has, else the best place, else 0 for the file as a whole.
func pointed(h rank.Hit, lines int) []int {
	var asked []int
	for _, p := range h.Places {
		switch {
		case p.Asked && p.Line <= lines:
			asked = append(asked, p.Line)
		case !p.Asked && len(asked) == 0:
			return []int{p.Line}
		}
	}
	if len(asked) == 0 {
		return []int{0}
	}
	return asked
}

// hitFinding is "`Pool.admit` (runtime/engine/pool.go:41) lets a request in";
// for a place without a definition, the line itself.
func hitFinding(src *source, h rank.Hit, line int) (ref, finding string) {
	d, ok := src.near(line)
	switch {
	case !ok && line > 0:
		return src.refTo(line), fmt.Sprintf("%s `%s`", src.refTo(line), contract.Shorten(src.line(line), 90))
	case !ok:
		return src.ref, src.ref + matched(h)
	case line < d.Line: // the comment above it
		line = d.Line
	}
	ref = src.refTo(line)
	text := cite(title(d, src.lang), ref)
	switch doc := sentence(d); {
	case doc != "":
		return ref, text + " " + contract.Shorten(doc, 110)
	case d.Kind == symbols.KindHeading || d.Signature == "":
		return ref, text + matched(h)
	}
	return ref, text + " `" + contract.Shorten(d.Signature, 90) + "`"
}

// cite names a definition with its place: "`Pool.admit` (runtime/engine/pool.go:41)".
func cite(name, ref string) string { return "`" + name + cited(ref) }

// cited is how a citation ends that leads to ref.
func cited(ref string) string { return "` (" + ref + ")" }

// matched is why a file is there when it has no words of its own to say.
func matched(h rank.Hit) string {
	if len(h.Reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(h.Reasons[:min(len(h.Reasons), 3)], ", ")
}
