package library

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// Results caches which passages searches found, so that the same question of the same version costs
// no search. The key of an entry is the version and everything else that determines the answer;
// texts are always read from the current version. A search in which a signal took no part is not
// cached. A nil Results caches nothing.
type Results struct {
	kept         *cache.Cache
	life         time.Duration
	now          func() time.Time
	hits, misses atomic.Int64
}

// NewResults returns a cache of up to bytes, whose entries expire after life; nil for 0 bytes.
func NewResults(bytes int64, life time.Duration, now func() time.Time) *Results {
	if bytes <= 0 || life <= 0 {
		return nil
	}
	return &Results{kept: cache.New(bytes), life: life, now: now}
}

// Looks returns the number of searches that were answered from the cache, and of those that were not.
func (r *Results) Looks() (hits, misses int64) {
	if r == nil {
		return 0, 0
	}
	return r.hits.Load(), r.misses.Load()
}

// reach is the minimum number of passages of a cached search: a request for fewer is answered from
// the same entry.
const reach = 50

// resultKey identifies a search: the version in memory, and the query. No text of a question is
// stored.
type resultKey struct {
	loaded uint64
	asked  [sha256.Size]byte
}

// result is what a search found.
type result struct {
	at         time.Time
	hits       []index.Hit
	confidence float64
	searched   int
}

// loads numbers the loads of versions into memory, so that no version can pass for another, not
// even for one of the same documents whose files were touched.
var loads atomic.Uint64

// keyOf returns the key of a search of a version for as many passages as find. ok is false if the
// search cannot be cached.
func (at *loaded) keyOf(ctx context.Context, v View, q Query, find int) (key resultKey, ok bool, err error) {
	if q.Results == nil || q.Limit <= 0 {
		return key, false, nil
	}
	h := sha256.New()
	say := func(values ...any) { fmt.Fprintf(h, "%#v\n", values) }
	say(index.Normal(q.Text), find, q.Explain, q.Whole)
	for _, leg := range slices.Sorted(maps.Keys(q.Weights)) {
		say(leg, q.Weights[leg])
	}
	f := q.filters
	say("only", q.Only.Path, q.Only.Kind, q.Only.Since.UTC().String(), q.Only.not, f.Path, f.Section, f.Kind, f.After.String(), f.Before.String())
	say(f.Phrases)
	say("tags", q.Only.Tags, f.Tags)
	say(f.Not)
	for _, m := range q.More {
		say("more", index.Normal(m.Text), m.Weight, m.From)
	}
	asTyped := false // something reads the text as it was typed, and not its words alone
	for _, t := range q.Tiers {
		if t.Weight <= 0 {
			continue
		}
		if t.Err != nil {
			return key, false, nil
		}
		mark, err := v.VectorMark(ctx, t.ID())
		if err != nil {
			return key, false, err
		}
		say("tier", t.ID(), t.Name(), mark, t.Weight)
		asTyped = true
	}
	if !q.Expand.Empty() {
		say("expand", fmt.Sprint(q.Expand))
		asTyped = true
	}
	if j := q.Judge; j != nil {
		say("judge", j.Model, j.Prompt, j.Top, j.Weight, j.Most)
		asTyped = true
	}
	say(len(q.Others), q.Others)
	if asTyped {
		say("text", q.Text)
	}
	key.loaded = at.number
	h.Sum(key.asked[:0])
	return key, true, nil
}

// recall returns the result that is cached under a key, unless it is too old.
func (r *Results) recall(key resultKey) (result, bool) {
	r.kept.Begin()
	if x, ok := r.kept.Get(key); ok {
		if x := x.(result); r.now().Sub(x.at) < r.life {
			r.hits.Add(1)
			return x, true
		}
	}
	r.misses.Add(1)
	return result{}, false
}

// keep caches the result of a search.
func (r *Results) keep(key resultKey, a Answer, rest []index.Hit) {
	x := result{at: r.now(), confidence: a.Confidence, searched: a.Searched}
	for _, f := range a.Found {
		x.hits = append(x.hits, index.Hit{Passage: f.number, Score: f.Score, Legs: f.Legs})
	}
	x.hits = copyHits(append(x.hits, rest...))
	size := int64(0)
	for _, h := range x.hits {
		size += 80
		for _, l := range h.Legs {
			size += 96
			for _, p := range l.Parts {
				size += 48 + int64(len(p.Key))
			}
		}
	}
	r.kept.Put(key, x, size)
}

// copyHits returns a deep copy of hits, which may be modified.
func copyHits(hits []index.Hit) []index.Hit {
	hits = slices.Clone(hits)
	for i := range hits {
		hits[i].Legs = slices.Clone(hits[i].Legs)
		for k := range hits[i].Legs {
			hits[i].Legs[k].Parts = slices.Clone(hits[i].Legs[k].Parts)
		}
	}
	return hits
}
