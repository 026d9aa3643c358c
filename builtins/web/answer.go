package web

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// AnswerInput is the input of web.answer.
type AnswerInput struct {
	Question  string   `json:"question" doc:"what to answer; an address in it is read"`
	URLs      []string `json:"urls,omitempty" doc:"addresses to read, beside those in the question"`
	Sentences int      `json:"sentences" doc:"sentences at most" default:"6" min:"1" max:"20"`
}

// These bound an answer.
const (
	maxTold = 3   // sentences in its summary; the others are findings
	longest = 360 // bytes of a sentence
)

// sure are the confidence bands, by the share of the question that one sentence covers.
var sure = retrieval.Bands{Low: 0.7, High: 0.95}

// enough is the share below which a sentence answers nothing.
const enough = 0.5

// errClosed says that no host may be read.
var errClosed = &contract.Error{Name: "RefusedError", Code: "WEB_CLOSED",
	Message: "the configuration opens no host: network.hosts of your own configuration names those whose pages may be read"}

// Answer returns web.answer, which gives the sentences of pages that answer a question, with
// secrets masked.
func Answer(mask func(string) string) catalog.Builtin {
	return catalog.New("web.answer", "answer from pages of the hosts that network opens", catalog.Network,
		func(ctx context.Context, env *catalog.Env, in AnswerInput) (contract.Result, error) {
			if env.Web == nil {
				return contract.Result{}, errClosed
			}
			q := askedOf(env, in)
			pages, said, err := readPages(ctx, env, in, q, mask)
			if err != nil {
				return contract.Result{}, err
			}
			return composeAnswer(env, q, pages, said, in.Sentences), nil
		})
}

// composeAnswer combines the sentences that cover most of the question.
func composeAnswer(env *catalog.Env, q question, pages []*source, said []string, most int) contract.Result {
	if len(pages) == 0 {
		return contract.NotFound("No page could be read.", said...)
	}
	best := q.rankSentences(pages)
	if len(best) == 0 || best[0].share < q.enough {
		return contract.NotFound("None of the pages that were read says it: "+listAddresses(pages)+".", said...)
	}
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Confidence(sure.Of(best[0].share))}
	if len(q.terms) < 2 && r.Confidence == contract.High { // a single word occurs in many contexts
		r.Confidence = contract.Med
	}
	kept := excerpts{}
	var told []string
	for i, s := range best[:min(len(best), most)] {
		if s.share < max(enough/2, best[0].share/2) || s.score < best[0].score/4 {
			break
		}
		ref := env.Web.Cite(s.of.page, s.block.Anchor)
		if !slices.Contains(r.References, ref) {
			r.References = append(r.References, ref)
		}
		kept.keep(ref, s)
		line := quoteText(s.text) + " (" + ref + ")"
		if i < maxTold {
			told = append(told, line)
			continue
		}
		r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: strings.TrimSpace(headingsAbove(s) + " " + line), Ref: ref})
	}
	r.KeyFindings = append(announcedCode(env, best[:min(len(best), maxTold)]), r.KeyFindings...)
	r.Summary = strings.Join(told, "\n")
	for _, note := range said {
		r.Note(note)
	}
	env.Memo.Put(excerptsKey{}, kept)
	return r
}

// quoteText marks a text as a quotation from a page.
func quoteText(text string) string {
	return sanitize.Quote(contract.Shorten(text, longest))
}

// headingsAbove returns the headings above a sentence.
func headingsAbove(s sentence) string {
	parts := s.block.Headings
	if len(parts) == 0 && s.of.doc.Title != "" {
		parts = []string{s.of.doc.Title}
	}
	if len(parts) > 2 {
		parts = parts[len(parts)-2:]
	}
	if len(parts) == 0 {
		return ""
	}
	return contract.Shorten(strings.Join(parts, " › "), 120) + ":"
}

// announcedCode returns the code lines that the best sentences introduce.
func announcedCode(env *catalog.Env, best []sentence) []contract.Finding {
	const most = 6
	var out []contract.Finding
	for _, s := range best {
		next := s.at + 1
		if !strings.HasSuffix(s.text, ":") || next >= len(s.of.doc.Blocks) || !s.of.doc.Blocks[next].Code {
			continue
		}
		ref := env.Web.Cite(s.of.page, s.block.Anchor)
		for line := range strings.Lines(s.of.doc.Blocks[next].Text) {
			if line = strings.TrimRight(line, " \r\n"); strings.TrimSpace(line) != "" && len(out) < most {
				out = append(out, contract.Finding{Text: "code: " + contract.Shorten(line, longest/2), Ref: ref})
			}
		}
	}
	return out
}

// listAddresses names the pages, at most the first few.
func listAddresses(pages []*source) string {
	const most = 4
	var out []string
	for _, p := range pages[:min(len(pages), most)] {
		out = append(out, p.page.URL)
	}
	if more := len(pages) - most; more > 0 {
		out = append(out, strconv.Itoa(more)+" more")
	}
	return strings.Join(out, ", ")
}
