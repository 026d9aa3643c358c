package library

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/query"
)

// allowedPassages returns the set of passages that may be found, nil for all, and their number: the
// passages of the selected documents, as far as the filters of the question accept them. No leg
// scores any other passage.
func (at *loaded) allowedPassages(ctx context.Context, v View, q Query) (*index.Set, int, error) {
	set, n, err := at.selectPassages(q.Only)
	if err != nil || !q.filters.Filters() {
		return set, n, err
	}
	if q.filters.Path != "" || q.filters.Kind != "" || !q.filters.After.IsZero() || len(q.filters.Tags) > 0 {
		also, _, err := at.selectPassages(Only{Path: q.filters.Path, Kind: q.filters.Kind, Since: q.filters.After, Tags: NewTags(q.filters.Tags)})
		if err != nil {
			return nil, 0, err
		}
		set = at.selectBy(set, also, true)
	}
	if q.filters.Section != "" {
		set = at.selectBy(set, at.index.Having(q.filters.Section, index.Section, index.Title), true)
	}
	for _, word := range q.filters.Not {
		set = at.selectBy(set, at.index.Having(word), false)
	}
	for _, phrase := range q.filters.Phrases {
		set = at.selectBy(set, at.index.Having(phrase), true)
	}
	return at.filterContents(ctx, v, set, q.filters)
}

// selectBy returns the passages of set that other has, or lacks if has is false.
func (at *loaded) selectBy(set, other *index.Set, has bool) *index.Set {
	out := index.NewSet(at.index.Len())
	for p := range at.index.Len() {
		if set.Has(p) && other.Has(p) == has {
			out.Add(p)
		}
	}
	return out
}

// filterContents leaves out passages by criteria that the index does not know: whether they changed before
// a day, and whether words are adjacent.
func (at *loaded) filterContents(ctx context.Context, v View, set *index.Set, q query.Query) (*index.Set, int, error) {
	out, n := index.NewSet(at.index.Len()), 0
	for _, d := range at.docs {
		if !q.Before.IsZero() && !d.Modified.Before(q.Before) {
			continue
		}
		var c Content
		for p := d.First; p < d.First+d.Chunks; p++ {
			if !set.Has(p) {
				continue
			}
			if len(q.Phrases) > 0 {
				if c.Hash == "" {
					var err error
					if c, err = v.Content(ctx, d.Content); err != nil {
						return nil, 0, err
					}
				}
				if !holdsPhrases(d, c, p-d.First, q.Phrases) {
					continue
				}
			}
			out.Add(p)
			n++
		}
	}
	return out, n, ctx.Err()
}

// holdsPhrases reports whether a passage, with its headings, has all phrases, in any case.
func holdsPhrases(d Document, c Content, n int, phrases []string) bool {
	if n >= len(c.Chunks) {
		return false
	}
	k := c.Chunks[n]
	flat := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	text := flat(d.Title + "\n" + headingLines(d, k) + "\n" + c.Text[k.Start:k.End])
	for _, p := range phrases {
		if !strings.Contains(text, flat(p)) {
			return false
		}
	}
	return true
}
