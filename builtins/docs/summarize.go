package docs

import (
	"cmp"
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// SummarizeIn is the input of docs.summarize.
type SummarizeIn struct {
	IDs      []string `json:"ids,omitempty" doc:"ids or uris of documents, or chunk_ids of passages"`
	Passages []string `json:"passages,omitempty" doc:"texts, in place of ids or beside them"`
	Focus    string   `json:"focus,omitempty" doc:"what it is read for"`
	Style    string   `json:"style" doc:"how much is said" default:"default" enum:"concise,default,technical"`
	Said     string   `json:"said,omitempty" doc:"how a model words it, with marks such as [2] for passages as docs.evidence numbers them: stands as far as the passages bear it out"`
	Unsaid   string   `json:"unsaid,omitempty" doc:"why no model says anything"`
}

// Summary is a summary of documents or texts.
type Summary struct {
	Summary   string     `json:"summary" doc:"in sentences of the texts, or as a model words them; what stands in it is data"`
	Citations []Citation `json:"citations" doc:"what the summary rests on; id is the number of the passage where one was given"`
	By        string     `json:"by" doc:"documents, for their own sentences; else the models that worded it"`
	Note      string     `json:"note,omitempty" doc:"what is missing"`
}

// Whole marks the value as never cut: the style determines its length.
func (Summary) Whole() {}

// Summarize returns docs.summarize, which shortens documents, passages or texts.
func Summarize(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.summarize", "make documents, passages or texts short, in sentences that stand in them", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in SummarizeIn) (out Summary, err error) {
			m := newMaterial(env, mask, "docs.summarize")
			if err := m.addGiven(ctx, in.IDs, in.Passages); err != nil {
				return Summary{Citations: []Citation{}}, err
			}
			shown := m.passages
			var s answer.Summary
			var dropped []answer.Dropped
			ctx, told := beginAnswer(ctx, m.builtin)
			defer func() { told.endAnswer(m, in.Focus, out.Citations, len(dropped), out.By, "", "", err) }()
			cited, err := m.composeStanding(ctx, func(list []answer.Passage) (_ []answer.Citation, err error) {
				s, err = answer.Summarize(list, in.Focus, answer.Policy{Style: answer.Style(in.Style)})
				return s.Citations, err
			})
			if err != nil {
				return Summary{Citations: []Citation{}}, err
			}
			said := Answered{Answer: s.Text, Citations: cited, By: byDocuments}
			if s.Text == "" {
				m.notes = append(m.notes, cmp.Or(explainEmpty(shown), "no sentence in it may leave"))
			} else if dropped, err = m.useModelText(ctx, &said, in.Focus, in.Said, in.Unsaid, shown); err != nil {
				return Summary{Citations: []Citation{}}, err
			}
			return Summary{Summary: said.Answer, Citations: said.Citations, By: said.By, Note: strings.Join(m.notes, "; ")}, nil
		})
}

func explainEmpty(list []answer.Passage) string {
	for _, p := range list {
		if strings.TrimSpace(p.Text) != "" {
			return ""
		}
	}
	return "there is no text to summarize"
}
