package docs

import (
	"context"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// CiteIn is the input of docs.cite.
type CiteIn struct {
	Question   string `json:"question" doc:"what to answer"`
	TopK       int    `json:"top_k" doc:"passages that are read at most" default:"6" min:"1" max:"50"`
	Collection string `json:"collection,omitempty" doc:"only this collection; all when left out"`
}

// longCited bounds the bytes of a quote that a finding shows.
const longCited = 320

// Cite returns docs.cite: docs.answer as a research result whose references are document addresses,
// with lines if the document and its file have the same lines.
func Cite(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.cite", "answer from documents, as a result with references to their lines", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in CiteIn) (_ contract.Result, err error) {
			if strings.TrimSpace(in.Question) == "" {
				return contract.Result{}, invalidInput("question is empty: ask in a sentence what the documents should say")
			}
			m := newMaterial(env, mask, "docs.cite")
			found, err := m.addFound(ctx, in.Question, in.Collection, in.TopK, nil, nil, nil)
			if err != nil {
				return contract.Result{}, err
			}
			var a answer.Answer
			var cited []Citation
			ctx, told := beginAnswer(ctx, m.builtin)
			defer func() {
				told.endAnswer(m, in.Question, cited, 0, byDocuments, string(a.Confidence()), a.Abstained, err)
			}()
			cited, err = m.composeStanding(ctx, func(list []answer.Passage) ([]answer.Citation, error) {
				a, err = answer.Compose(env.Documents.Read(in.Question).Text, list, answer.Policy{Style: "concise"})
				return a.Citations, err
			})
			if err != nil {
				return contract.Result{}, err
			}
			if a.Abstained != "" || len(cited) == 0 {
				return m.nearestResult(ctx, found)
			}
			return m.citedResult(ctx, cited, a.Confidence())
		})
}

// citedResult returns the answer in sentences of documents, each after its place.
func (m *material) citedResult(ctx context.Context, cited []Citation, sure retrieval.Confidence) (contract.Result, error) {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Confidence(sure)}
	for _, c := range cited {
		ref, err := m.reference(ctx, c.ID, c.Start)
		if err != nil {
			return contract.Result{}, err
		}
		text := ref + " says " + sanitize.Quote(contract.Shorten(strings.Join(strings.Fields(c.Quote), " "), longCited))
		if r.Summary == "" {
			r.Summary = text
		} else {
			r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: text, Ref: ref})
		}
		r.References = append(r.References, ref)
	}
	r.References = contract.Dedupe(r.References)
	r.Note(strings.Join(m.notes, "; "))
	return r, nil
}

// nearestResult returns a result without an answer. It names the nearest places if the search is
// confident about them.
func (m *material) nearestResult(ctx context.Context, found library.Answer) (contract.Result, error) {
	r := contract.NotFound("The documents do not say it.", strings.Join(m.notes, "; "))
	if sure.Of(found.Confidence) != retrieval.High {
		return r, nil
	}
	for _, f := range found.Found[:min(len(found.Found), 2)] {
		ref, err := m.reference(ctx, f.ID, f.Start)
		if err != nil {
			return contract.Result{}, err
		}
		r.References = append(r.References, ref)
	}
	if len(r.References) > 0 {
		r.Summary = "Documents near it: " + strings.Join(r.References, ", ") + "."
	}
	return r, nil
}

// reference returns the address of a document, with the line if the file has the same lines: lines
// of text extracted from a PDF cannot be found in it.
func (m *material) reference(ctx context.Context, id string, at int) (string, error) {
	d, err := m.env.Documents.LookUp(ctx, id)
	if err != nil {
		return "", withCode(err)
	}
	if !byLines(d) || at > len(d.Text) {
		return d.URI, nil
	}
	return fmt.Sprintf("%s:%d", d.URI, 1+strings.Count(d.Text[:at], "\n")), nil
}

// byLines reports whether the text of a document has the size of its file, and so the same lines.
func byLines(d library.Looked) bool { return d.Size == int64(len(d.Text)) }

// ExcerptsIn is the input of docs.excerpts.
type ExcerptsIn struct {
	References []string `json:"references" doc:"addresses of documents, with lines where docs.cite gave them"`
	Lines      int      `json:"lines" doc:"lines for each at most" default:"12" min:"1" max:"400"`
}

// Excerpts returns docs.excerpts, which gives the text that references to documents point to, with secrets masked.
func Excerpts(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.excerpts", "give the lines that references to documents point to", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in ExcerptsIn) (contract.Excerpts, error) {
			out := contract.Excerpts{Excerpts: []contract.Excerpt{}}
			for _, ref := range in.References {
				at := contract.ParseReference(ref)
				d, err := lookUp(ctx, env, "docs.excerpts", at.Path, mask)
				if ctx.Err() != nil {
					return out, ctx.Err()
				}
				if err != nil || d.URI != at.Path { // a reference of another builtin, or the document is gone
					continue
				}
				start, end := lineWindow(d.Text, max(1, at.Line), in.Lines)
				text := contract.Shorten(strings.TrimRight(maskRange(mask, d.Text, start, end), "\n "), 80*in.Lines)
				if text != "" {
					out.Excerpts = append(out.Excerpts, contract.Excerpt{Reference: ref, First: max(1, at.Line), Text: text})
				}
			}
			return out, nil
		})
}

// lineWindow returns the byte range of up to most lines from a line on.
func lineWindow(text string, line, most int) (start, end int) {
	n := 0
	for l := range strings.Lines(text) {
		n++
		if n < line {
			start += len(l)
			end = start
		} else if n < line+most {
			end += len(l)
		}
	}
	return start, end
}
