package code

import (
	"context"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
)

// SynthesizeInput is what the roles before the synthesizer found.
type SynthesizeInput struct {
	Question string            `json:"question" doc:"the question"`
	Located  contract.Result   `json:"located" doc:"what the locator found"`
	Analyzed []contract.Result `json:"analyzed,omitempty" doc:"what the analyzers found, best place first"`
	Patterns contract.Result   `json:"patterns,omitzero" doc:"what the pattern finder found"`
	Thoughts contract.Result   `json:"thoughts,omitzero" doc:"what the notes say"`
	Decided  []contract.Result `json:"decided,omitempty" doc:"what the notes decide, best place first"`
	Keywords []string          `json:"keywords,omitempty" doc:"what was searched for"`
	Wants    Wants             `json:"wants,omitzero" doc:"kind of answer that is asked for"`
}

// Synthesize answers from what others found. It reads no file: every fact and
// every reference in the answer comes from a role before it.
func Synthesize() catalog.Builtin {
	return catalog.New("code.synthesize", "answer a question from what the roles found", 0,
		func(_ context.Context, _ *catalog.Env, in SynthesizeInput) (contract.Result, error) {
			return synthesize(in), nil
		})
}

// readSentences is how many analyzed places an answer describes: one where a
// named thing is asked for, a few where the question is open.
func readSentences(w Wants) int {
	if w.Definition {
		return 1
	}
	return 3
}

func synthesize(in SynthesizeInput) contract.Result {
	if len(in.Located.References) == 0 && len(in.Patterns.References) == 0 && len(in.Thoughts.References) == 0 {
		r := contract.NotFound(orElse(in.Located.Summary, "Not found."))
		r.Notes = in.Located.Notes
		return r
	}
	r := contract.Result{Confidence: in.Located.Confidence, References: []string{}, KeyFindings: []contract.Finding{}}
	var say []string
	for i, a := range in.Analyzed {
		if i < readSentences(in.Wants) {
			say = append(say, a.Summary)
		}
		r.KeyFindings = append(r.KeyFindings, a.KeyFindings...)
	}
	if len(say) == 0 {
		say = append(say, in.Located.Summary)
	}
	if in.Located.Confidence == contract.Low && len(in.Located.References) > 0 {
		if l := in.Located; len(in.Analyzed) == 0 && len(l.References) == 1 && len(l.KeyFindings) > 0 {
			say[0] = l.KeyFindings[0].Text + "." // that it is one place alone is no comfort
		}
		say[0] = "Nothing matches well; the nearest: " + say[0]
	}
	if n := len(in.Patterns.References); n > 0 {
		say = append(say, fmt.Sprintf("%s to follow: %s.", count(n, "example"), strings.Join(in.Patterns.References[:min(n, 3)], ", ")))
	}
	if n := len(in.Thoughts.References); n > 0 {
		say = append(say, fmt.Sprintf("Notes on it: %s.", strings.Join(in.Thoughts.References[:min(n, 2)], ", ")))
	}
	r.Summary = strings.Join(say, " ")
	r.References = append(r.References, in.Located.References...)
	for _, other := range append([]contract.Result{in.Patterns}, in.Analyzed...) {
		r.References = append(r.References, other.References...)
	}
	r.References = contract.Dedupe(append(r.References, in.Thoughts.References...))
	r.KeyFindings = append(r.KeyFindings, in.Patterns.KeyFindings...)
	r.KeyFindings = append(r.KeyFindings, in.Thoughts.KeyFindings...)
	for _, d := range in.Decided {
		r.KeyFindings = append(r.KeyFindings, d.KeyFindings...)
	}
	if in.Located.Notes != nil {
		r.Note(*in.Located.Notes)
	}
	r.Follows = in.Located.Follows
	return r
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
