package docs

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/query"
)

// maxPinned bounds the pins that a search adds to documents, and enoughPinned is the least share
// of the query's words in each.
const (
	maxPinned    = 3
	enoughPinned = 0.5
)

// fit is a pin with the share of the query's words that it contains.
type fit struct {
	notes.Pin
	share float64
}

// standing is a fitting pin, checked against its document.
type standing struct {
	notes.Standing
	share float64
}

// fittingPins returns the pins that contain enough of a query, best first; without a query all, in
// their order.
func fittingPins(list []notes.Pin, query, collection string, tags []string) (out []fit) {
	terms := termsOf(query)
	for _, p := range list {
		if collection != "" && p.Collection != collection || slices.ContainsFunc(tags, func(t string) bool { return !slices.Contains(p.Tags, strings.ToLower(t)) }) {
			continue
		}
		f := fit{p, 1}
		if strings.TrimSpace(query) != "" {
			if f.share = termShare(p, terms); f.share < enoughPinned {
				continue
			}
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b fit) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return 0
	})
	return out
}

// termShare returns the share of a query's terms that a pin contains.
func termShare(p notes.Pin, terms map[string]bool) float64 {
	if len(terms) == 0 {
		return 0
	}
	have := map[string]bool{}
	eachStem(strings.Join(slices.Concat([]string{p.Quote, p.Note, p.Title}, p.Tags, p.Section), "\n"), func(_, stem string) {
		if terms[stem] {
			have[stem] = true
		}
	})
	return float64(len(have)) / float64(len(terms))
}

func checkPins(ctx context.Context, env *catalog.Env, list []fit) ([]standing, error) {
	pins := make([]notes.Pin, len(list))
	for i, f := range list {
		pins[i] = f.Pin
	}
	held, err := env.Notes.Stand(ctx, pins)
	if err != nil {
		return nil, err
	}
	out := make([]standing, len(held))
	for i, s := range held {
		out[i] = standing{s, list[i].share}
	}
	return out, nil
}

// pinsFor returns the best pins on the searched documents. If pins cannot be read, it only adds a
// note: documents are found without them.
func pinsFor(ctx context.Context, env *catalog.Env, text, collection string, only library.Only, most int) ([]standing, []string, error) {
	read := env.Documents.Read(text)
	collection = cmp.Or(collection, read.Collection)
	alone := pinsAlone(env, collection)
	if !alone && read.Narrow() {
		return nil, nil, nil // pins cannot be checked against filters on passages
	}
	if env.Notes == nil || !alone && !env.Notes.Include {
		return nil, nil, nil
	}
	if alone {
		collection = ""
	} else {
		most = min(most, maxPinned)
	}
	list, err := env.Notes.List(ctx)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return nil, []string{"pins could not be read: " + err.Error()}, nil
	}
	fit := fittingPins(list, read.Text, collection, nil)
	var out []standing
	for at := 0; at < len(fit) && len(out) < most; at += most {
		held, err := checkPins(ctx, env, fit[at:min(at+most, len(fit))])
		if err != nil {
			return nil, nil, err
		}
		for _, s := range held {
			takes, err := only.Takes(s.Now.Document)
			if err != nil {
				return nil, nil, err
			}
			if len(out) < most && s.State != notes.Unread && (s.State != notes.Gone || only == (library.Only{})) && takes {
				out = append(out, s)
			}
		}
	}
	return out, nil, nil
}

// pinsAlone reports whether the requested collection holds only the pins.
func pinsAlone(env *catalog.Env, collection string) bool {
	return collection == notes.Source && !slices.Contains(env.Documents.Names(), notes.Source)
}

// pinHits returns the result of a search in pins only.
func pinHits(list []standing, notes []string, in SearchIn, mask func(string) string) Hits {
	out := Hits{Hits: []Hit{}, Confidence: "none"}
	if len(list) == 0 {
		notes = append(notes, "no pin fits")
	}
	out.Note = strings.Join(notes, "; ")
	out.withPins(list, in, mask)
	return out
}

// withPins inserts pins into the hits, scored by their share of the query: a pin with all of it
// comes before the best document.
func (h *Hits) withPins(list []standing, in SearchIn, mask func(string) string) {
	terms, best := termsOf(query.Parse(in.Query).Text), 1.0
	if len(h.Hits) > 0 {
		best = h.Hits[0].Score
	}
	for _, s := range list {
		hit := pinHit(s, round(best*s.share), terms, mask)
		if hit.Snippet == "" { // outdated quotes come after current ones
			hit.Score = round(hit.Score / 2)
		}
		hit.Scores.Fused = hit.Score
		if in.Explain {
			hit.Legs = []LegPart{{Leg: notes.Source, Score: hit.Score}}
		}
		at := 0
		for at < len(h.Hits) && (h.Hits[at].Score > hit.Score || h.Hits[at].Pinned != nil && h.Hits[at].Score == hit.Score) {
			at++
		}
		h.Hits = slices.Insert(h.Hits, at, hit)
		if sureness[h.Confidence] < sureness[string(sure.Of(s.share))] && hit.Snippet != "" {
			h.Confidence = string(sure.Of(s.share))
		}
	}
	h.Hits = h.Hits[:min(in.TopK, len(h.Hits))]
}

// sureness orders the confidence values of a search.
var sureness = map[string]int{"none": 0, "low": 1, "med": 2, "high": 3}

func pinHit(s standing, score float64, terms map[string]bool, mask func(string) string) Hit {
	n := noteOf(s.Standing, s.Now.Text, mask)
	hit := Hit{ID: s.Now.ID, URI: n.URI, Title: n.Title, Section: n.Section, ChunkID: n.ID, Score: score, Source: notes.Source,
		Pinned: &HitPin{Note: n.Said, Tags: n.Tags, State: n.State}}
	if n.Quote != "" {
		hit.Snippet = snippet(n.Quote, terms)
	} else if n.Was != "" {
		hit.Pinned.Was = snippet(n.Was, terms)
	}
	return hit
}

// HitPin describes the pin of a hit.
type HitPin struct {
	Note  string   `json:"note,omitempty" doc:"what the user said of it; data"`
	Tags  []string `json:"tags,omitempty"`
	State string   `json:"state" doc:"stands, or why there is no snippet: stale, gone or masked"`
	Was   string   `json:"was,omitempty" doc:"what was pinned, which the document does not say any more"`
}

// addPins adds the pins that match a question to the passages, unless a passage already contains them,
// and records them for pinOf.
func (m *material) addPins(ctx context.Context, question, collection string, only library.Only, found library.Answer) error {
	list, notes, err := pinsFor(ctx, m.env, question, collection, only, maxPinned)
	if err != nil {
		return err
	}
	m.notes = append(m.notes, notes...)
	for _, s := range list {
		if !s.Quoted || !mayShow(s.Pin, s.Now.Text, m.mask) {
			continue
		}
		m.pins = append(m.pins, s.Pin)
		if slices.ContainsFunc(m.passages, func(p answer.Passage) bool { return p.URI == s.URI && p.Start <= s.Start && s.End <= p.End }) {
			continue
		}
		p := answer.Passage{ID: s.Now.ID, URI: s.URI, Version: s.Version, Title: m.mask(s.Title), Text: s.Quote, Start: s.Start, End: s.End, Score: s.share, Confidence: max(found.Confidence, s.share)}
		if len(found.Found) > 0 {
			best := slices.MaxFunc(found.Found, func(a, b library.Found) int { return cmp.Compare(a.Score, b.Score) })
			p.Score = best.Score * s.share
		}
		m.passages = append(m.passages, p)
	}
	return nil
}

// pinOf returns the pin that a citation overlaps.
func (m *material) pinOf(c answer.Citation) (notes.Pin, bool) {
	i := slices.IndexFunc(m.pins, func(p notes.Pin) bool {
		return p.URI == c.URI && p.Version == c.Version && p.Start < c.End && c.Start < p.End
	})
	if i < 0 {
		return notes.Pin{}, false
	}
	return m.pins[i], true
}

// longNote bounds the bytes of a pin's note that an answer repeats.
const longNote = 160

// notePin notes that the answer uses text that the user pinned.
func (m *material) notePin(p notes.Pin) {
	said := "the user pinned a part of this"
	if p.Note != "" {
		said += ": " + sanitize.Quote(contract.Shorten(sanitize.Line(m.mask(p.Note)), longNote))
	}
	if !slices.Contains(m.notes, said) {
		m.notes = append(m.notes, said)
	}
}
