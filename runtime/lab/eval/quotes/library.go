package quotes

import (
	"context"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// Document is one text, as extracted from its file.
type Document struct {
	URI string
	extract.Text
}

// Library is a set of documents whose passages can be searched.
type Library struct {
	documents map[string]string
	passages  []answer.Passage
	index     *index.Index
}

// Open cuts and indexes documents.
func Open(ctx context.Context, list []Document) (*Library, error) {
	l := &Library{documents: map[string]string{}}
	b, err := index.NewBuilder(index.Default())
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		c, err := d.Cut(ctx, d.URI, chunk.Default())
		if err != nil {
			return nil, err
		}
		l.documents[d.URI] = d.Text.Text
		for i, k := range c.Chunks {
			p := answer.Passage{ID: d.URI + "#" + strconv.Itoa(i), URI: d.URI, Title: c.Title, Section: k.Section, Text: d.Text.Text[k.Start:k.End], Start: k.Start, End: k.End}
			l.passages = append(l.passages, p)
			if err := b.Add(index.Passage{ID: p.ID, Title: k.Title, Section: strings.Join(k.Section, " "), Body: p.Text}); err != nil {
				return nil, err
			}
		}
	}
	l.index, err = b.Build(ctx)
	return l, err
}

// Passages returns all passages, in the order of the documents.
func (l *Library) Passages() []answer.Passage { return l.passages }

// Search returns the passages that fit a question best.
func (l *Library) Search(ctx context.Context, question string, most int) ([]answer.Passage, error) {
	found, err := l.index.Search(ctx, index.Query{Text: question, Limit: answer.Reach(question, most)})
	if err != nil {
		return nil, err
	}
	out := make([]answer.Passage, len(found.Hits))
	for i, h := range found.Hits {
		out[i] = l.passages[h.Passage]
		out[i].Score, out[i].Confidence = h.Score, found.Confidence
	}
	near := make([]answer.Passage, 0, most)
	for _, at := range answer.Nearest(question, out, most) {
		near = append(near, out[at])
	}
	return near, nil
}

// countRight returns how many of the citations match their documents.
func (l *Library) countRight(list []answer.Citation) (right int) {
	for _, c := range list {
		if text, ok := l.documents[c.URI]; ok && answer.Check(c, text) == nil {
			right++
		}
	}
	return right
}
