package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/query"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/rerank"
)

// Set is the collections that a user may search. Others are not opened, not scored and not named:
// whoever makes the set decides the rights.
type Set []Member

// Member is one collection.
type Member struct {
	Name        string
	Home        string // tells collections of one name apart; "" if that is not needed
	Description string
	Weights     index.Weights // nil for those of the index
	Tiers       []Tier        // of vectors
	Expand      index.Expansion
	Rewordings  int           // number of other wordings of a question that a model is asked for; 0 for none
	Judge       *rerank.Judge // of the best passages; nil for none
	Results     *Results      // of earlier searches; nil for none
	// Open returns the library; the caller does not close it.
	Open func(context.Context) (*Library, error)
}

// ErrNoCollection reports that a set has no collection with a name.
var ErrNoCollection = errors.New("there is no such collection")

// Names lists the names of the collections.
func (s Set) Names() []string {
	out := make([]string, len(s))
	for i, m := range s {
		out[i] = m.Name
	}
	return out
}

// onlyNamed returns the members that a name means; all for "".
func (s Set) onlyNamed(name string) (Set, error) {
	if name == "" {
		return s, nil
	}
	if i := slices.IndexFunc(s, func(m Member) bool { return m.Name == name }); i >= 0 {
		return s[i : i+1], nil
	}
	have := "there are none"
	if len(s) > 0 {
		have = "there are: " + strings.Join(s.Names(), ", ")
	}
	if near := diag.Nearest(name, s.Names()); near != "" {
		have = "did you mean " + near + "?"
	}
	return nil, fmt.Errorf("collection %q: %w; %s", name, ErrNoCollection, have)
}

// Read parses the filters in a question, including those in plain words.
func (s Set) Read(question string) query.Query { return query.Parse(question, s.Names()...) }

// Search returns the best passages of a collection, or of all of them for "". Scores of several
// collections are made comparable by how much of the question each has: a leg's weight is
// multiplied by the confidence of its collection. Notes name the collections that could not be
// searched; if none could, an error is returned.
func (s Set) Search(ctx context.Context, collection string, q Query) (Answer, []string, error) {
	if q.Whole {
		return s.search(ctx, collection, q)
	}
	read, asked := s.Read(q.Text), q.Text
	a, notes, err := s.search(ctx, cmp.Or(collection, read.Collection), q.withFilters(read))
	if len(read.Said) == 0 || err != nil {
		return a, notes, err
	}
	if a.Confidence >= unfit && len(a.Found) > 0 {
		return a, append(read.Notes(), notes...), nil
	}
	q = q.withFilters(query.Operators(asked))
	a, notes, err = s.search(ctx, cmp.Or(collection, q.filters.Collection), q)
	var said []string
	for _, p := range read.Said {
		said = append(said, "“"+p.Words+"”")
	}
	return a, append([]string{"nothing there fits " + strings.Join(said, " and ") + ", which are searched as words"}, notes...), err
}

// unfit is the confidence below which filters that were parsed from plain words are dropped.
const unfit = 0.1

// withFilters returns the query with the filters of its text.
func (q Query) withFilters(by query.Query) Query {
	q.filters, q.Text, q.read = by, by.Text, true
	return q
}

func (s Set) search(ctx context.Context, collection string, q Query) (Answer, []string, error) {
	return s.askMembers(collection, func(m Member) (Answer, error) {
		l, err := m.Open(ctx)
		if err != nil {
			return Answer{}, err
		}
		q := q
		if q.Weights == nil {
			q.Weights = m.Weights
		}
		q.Tiers, q.Results, q.Others = m.Tiers, m.Results, q.Others[:min(len(q.Others), m.Rewordings)]
		if !q.Whole {
			q.Expand, q.Judge = m.Expand, m.Judge
		}
		return l.Search(ctx, q)
	}, q.Limit)
}

// Similar returns passages of a collection, or of all for "", that are like a passage of
// any of them.
func (s Set) Similar(ctx context.Context, name, collection string, q Query) (Answer, []string, error) {
	at, err := s.LookUp(ctx, name)
	if err != nil {
		return Answer{}, nil, err
	}
	q.Text, q.Only.not, q.Whole = at.similarText(), at.ID, true
	return s.Search(ctx, collection, q)
}

// askMembers calls ask for the selected members and merges their answers.
func (s Set) askMembers(collection string, ask func(Member) (Answer, error), limit int) (sum Answer, notes []string, err error) {
	some, err := s.onlyNamed(collection)
	if err != nil {
		return sum, nil, err
	}
	if len(some) == 0 {
		return sum, nil, fmt.Errorf("%w; name one in collections of the configuration", ErrNoCollection)
	}
	var failed error
	broken := 0
	for _, m := range some {
		a, err := ask(m)
		if err != nil {
			if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				return sum, nil, err
			}
			failed = m.explainError(err)
			notes = append(notes, failed.Error())
			broken++
			continue
		}
		if len(some) > 1 {
			scaleScores(a.Found, a.Confidence)
		}
		sum.Version += a.Version
		sum.Read = a.Read
		for _, n := range a.Notes {
			notes = append(notes, "collection "+m.Name+": "+n)
		}
		sum.Found = append(sum.Found, a.Found...)
		sum.Searched += a.Searched
		sum.Confidence = max(sum.Confidence, a.Confidence)
	}
	if broken == len(some) {
		return sum, nil, failed
	}
	slices.SortStableFunc(sum.Found, func(a, b Found) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return strings.Compare(a.Document.URI, b.Document.URI)
	})
	sum.Found = uniquePassages(sum.Found)
	if limit > 0 {
		sum.Found = sum.Found[:min(limit, len(sum.Found))]
	}
	return sum, notes, nil
}

// explainError adds the collection to an error, and the remedy for a damaged index.
func (m Member) explainError(err error) error {
	if errors.Is(err, index.ErrDamaged) || errors.Is(err, index.ErrVersion) || errors.Is(err, ErrEmpty) {
		return fmt.Errorf("collection %s: %w; run: compactor index --collection %s", m.Name, err, m.Name)
	}
	return fmt.Errorf("collection %s: %w", m.Name, err)
}

// uniquePassages removes passages that occur further up, word for word, in another document or collection.
func uniquePassages(list []Found) []Found {
	type place struct {
		content string
		start   int
	}
	seen := map[place]bool{}
	return slices.DeleteFunc(list, func(f Found) bool {
		at := place{f.Document.Content, f.Start}
		known := seen[at]
		seen[at] = true
		return known
	})
}

// scaleScores multiplies scores, so that their parts still add up.
func scaleScores(list []Found, by float64) {
	for i := range list {
		list[i].Score *= by
		for k := range list[i].Legs {
			list[i].Legs[k].Weight *= by
			list[i].Legs[k].Score *= by
		}
	}
}

// LookUp returns a document or a passage of any of the collections.
func (s Set) LookUp(ctx context.Context, name string) (Looked, error) {
	at, _, err := s.Locate(ctx, name)
	return at, err
}

// LookUpIn returns a document or a passage of one collection.
func (s Set) LookUpIn(ctx context.Context, collection, name string) (Looked, error) {
	some, err := s.onlyNamed(collection)
	if err != nil {
		return Looked{}, err
	}
	at, _, err := some.locate(ctx, name)
	return at, err
}

// Locate returns a document or a passage, and its collection. The error for an unknown address
// names the most similar address.
func (s Set) Locate(ctx context.Context, name string) (Looked, Member, error) {
	at, m, err := s.locate(ctx, name)
	if errors.Is(err, ErrUnknown) {
		if near := s.nearestAddress(ctx, name); near != "" {
			err = fmt.Errorf("%q: %w; did you mean %s?", name, ErrUnknown, near)
		}
	}
	return at, m, err
}

func (s Set) locate(ctx context.Context, name string) (Looked, Member, error) {
	failed := fmt.Errorf("%q: %w; ids and addresses are those of a search", name, ErrUnknown)
	for _, m := range s {
		l, err := m.Open(ctx)
		if err == nil {
			var at Looked
			if at, err = l.LookUp(ctx, name); err == nil {
				return at, m, nil
			}
		}
		if !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrEmpty) {
			failed = m.explainError(err)
		}
	}
	return Looked{}, Member{}, failed
}

// maxNames limits the addresses that a wrong one is compared with.
const maxNames = 5_000

// nearestAddress returns the address that is most similar to an unknown name, or "" without a similar address.
func (s Set) nearestAddress(ctx context.Context, name string) string {
	if _, _, _, id := parseID(name); id || len(name) > 200 {
		return ""
	}
	var names []string
	of := map[string]string{}
	for _, m := range s {
		l, err := m.Open(ctx)
		if err != nil {
			continue
		}
		list, err := l.Documents(ctx)
		if err != nil {
			continue
		}
		for _, d := range list[:max(0, min(len(list), maxNames-len(of)))] {
			_, below, _ := strings.Cut(d.URI, "/")
			for _, form := range []string{d.URI, below, path.Base(d.URI)} {
				if of[form] == "" {
					of[form] = d.URI
					names = append(names, form)
				}
			}
		}
	}
	return of[diag.Nearest(name, names)]
}
