package docs

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// EvidenceIn is the input of docs.evidence: a question, or the passages to read.
type EvidenceIn struct {
	Question   string   `json:"question,omitempty" doc:"the passages that fit it are read; in their place, ids and passages"`
	TopK       int      `json:"top_k" doc:"passages that are read at most" default:"6" min:"1" max:"50"`
	Filters    *Only    `json:"filters,omitempty" doc:"only some documents"`
	Collection string   `json:"collection,omitempty" doc:"only this collection; all when left out"`
	IDs        []string `json:"ids,omitempty" doc:"ids or uris of documents, or chunk_ids of passages"`
	Passages   []string `json:"passages,omitempty" doc:"texts"`
	Earlier    []string `json:"earlier,omitempty" doc:"questions of the same session before it, oldest first: one such as \"and for TLS?\" is asked with their words"`
	Others     []string `json:"others,omitempty" doc:"other wordings of the question, as a model gives them: each is searched and counts half of the question"`
	Tokens     int      `json:"tokens" doc:"of the text at most" default:"3500" min:"100" max:"100000"`
}

// EvidenceOut is text for a model's prompt.
type EvidenceOut struct {
	Text     string `json:"text" doc:"passages with their numbers, secrets masked"`
	Answered bool   `json:"answered" doc:"whether the passages answer the question, so that a model may word it"`
}

// Evidence returns docs.evidence, which gives the passages that docs.answer and docs.summarize
// read, with the same numbers.
func Evidence(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.evidence", "number the passages that an answer or a summary is made of, for a model", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in EvidenceIn) (EvidenceOut, error) {
			m := newMaterial(env, mask, "docs.evidence")
			if len(in.IDs)+len(in.Passages) > 0 {
				if err := m.addGiven(ctx, in.IDs, in.Passages); err != nil {
					return EvidenceOut{}, err
				}
				return EvidenceOut{Text: numberPassages(m.passages, in.Tokens), Answered: true}, nil
			}
			if strings.TrimSpace(in.Question) == "" {
				return EvidenceOut{}, nil
			}
			if _, err := m.addFound(ctx, in.Question, in.Collection, in.TopK, in.Filters, in.Earlier, in.Others); err != nil {
				return EvidenceOut{}, err
			}
			a, err := answer.Compose(env.Documents.Read(in.Question).Text, m.passages, answer.Policy{})
			if err != nil || a.Abstained != "" {
				return EvidenceOut{}, err
			}
			return EvidenceOut{Text: numberPassages(m.passages, in.Tokens), Answered: true}, nil
		})
}

// numberPassages formats passages with their numbers, in about most tokens: what does not fit is cut.
func numberPassages(list []answer.Passage, most int) string {
	var b strings.Builder
	for i, p := range list {
		head := fmt.Sprintf("[%d] %s\n", i+1, strings.Join(append([]string{p.URI}, p.Section...), " › "))
		most -= tokens.Count(head)
		text := strings.TrimSpace(p.Text)
		most = max(most, 0)
		if size, _ := tokens.Head(text, most); size < min(most, len(text)) { // a long word does not fit: a part of it does
			text, _ = cutText(text, 0, most) // a token has one byte or more
		} else {
			text = text[:size]
		}
		if text == "" {
			break
		}
		b.WriteString(head + text + "\n\n")
		most -= tokens.Count(text)
	}
	return strings.TrimSpace(b.String())
}

var mark = lazyregexp.New(` ?\[(\d{1,2}(?:, ?\d{1,2})*)\]`)

// removeMarks removes the passage marks from a text: its reader does not see the numbered passages.
func removeMarks(text string, passages int) string {
	return mark.ReplaceAllStringFunc(text, func(m string) string {
		for _, f := range strings.FieldsFunc(m, func(r rune) bool { return r < '0' || r > '9' }) {
			if n, err := strconv.Atoi(f); err != nil || n < 1 || n > passages {
				return m
			}
		}
		if strings.HasPrefix(m, " ") {
			return ""
		}
		return m
	})
}
