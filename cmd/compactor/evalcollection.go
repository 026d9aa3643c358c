package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lab/eval/ranking"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// collected is a collection to evaluate, searched as it is configured.
type collected struct {
	member  library.Member
	legs    []string
	weights ranking.Weights
	judge   bool
	there   map[string]bool // paths of its documents, relative to it
	notes   map[string]bool // notes of the searches and errors of the tiers
}

// openCollected opens a collection by its name.
func (a *app) openCollected(ctx context.Context, name string) (*collected, error) {
	svc, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	set, err := searchedCollections(svc, name)
	if err != nil {
		return nil, err
	}
	i := slices.Index(set.Names(), name)
	if i < 0 { // pins, which are in no index
		return nil, exit{exitInvalid, "collection " + name + " is in no index, and cannot be measured"}
	}
	m := set[i]
	l, err := m.Open(ctx)
	if err != nil {
		return nil, exit{exitBroken, fmt.Sprintf("collection %s: %v", name, err)}
	}
	list, err := l.Documents(ctx)
	if err != nil {
		return nil, exit{exitBroken, fmt.Sprintf("collection %s: %v", name, err)}
	}
	c := &collected{member: m, there: map[string]bool{}, notes: map[string]bool{}, legs: slices.Clone(rankingLegs), weights: maps.Clone(ranking.Weights(m.Weights))}
	if c.weights == nil {
		c.weights = maps.Clone(ranking.Weights(index.Default().Weights))
	}
	for _, t := range m.Tiers {
		if t.Err != nil {
			c.notes[t.Err.Error()] = true
			continue
		}
		c.legs = append(c.legs, t.Leg())
		c.weights[t.Leg()] = t.Weight
	}
	for _, d := range list {
		c.there[c.relativePath(d.URI)] = true
	}
	return c, nil
}

// relativePath returns the path of a document in its collection, by which judgements may name it.
func (c *collected) relativePath(uri string) string {
	return strings.TrimPrefix(uri, c.member.Name+"/")
}

// passagesOf is the number of passages searched for each document wanted: the first passage
// of a document represents it.
const passagesOf = 4

// Search finds documents, each by its best passage.
func (c *collected) Search(ctx context.Context, text string, weights ranking.Weights, limit int) ([]ranking.Found, error) {
	m := c.member
	m.Rewordings = 0
	if !c.judge {
		m.Judge = nil
	}
	m.Weights, m.Tiers = index.Weights{}, nil
	for _, leg := range rankingLegs {
		m.Weights[leg] = weights[leg]
	}
	for _, t := range c.member.Tiers {
		if t.Err == nil && weights[t.Leg()] > 0 {
			t.Weight = weights[t.Leg()]
			m.Tiers = append(m.Tiers, t)
		}
	}
	a, notes, err := library.Set{m}.Search(ctx, "", library.Query{Text: text, Limit: passagesOf * limit})
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		c.notes[n] = true
	}
	var out []ranking.Found
	seen := map[string]bool{}
	for _, f := range a.Found {
		id := c.relativePath(f.Document.URI)
		if seen[id] || len(out) == limit {
			continue
		}
		seen[id] = true
		legs := make(map[string]float64, len(f.Legs))
		for _, l := range f.Legs {
			if l.Weight > 0 {
				legs[l.Leg] = l.Score / l.Weight
			}
		}
		out = append(out, ranking.Found{ID: id, Score: f.Score, Legs: legs})
	}
	return out, nil
}

// runCollected asks the questions of a suite: with each leg alone, with all of them as
// weighted, with the judge if there is one and, when tuning, for the pool.
func (a *app) runCollected(ctx context.Context, f runFlags, dir string, in *collected) (r suiteReport, pool ranking.Pool, err error) {
	line := newProgress(a.err)
	defer line.clear()
	full, err := filepath.Abs(dir)
	if err != nil {
		return r, pool, err
	}
	suite, err := ranking.Questions(os.DirFS(full), filepath.Base(full), f.split)
	if err != nil {
		return r, pool, err
	}
	absent := in.renameJudged(suite)
	if absent == len(suite.Queries) {
		return r, pool, fmt.Errorf("suite %s: no relevant document is in collection %s: name documents by their uri, or their path below it", suite.Name, in.member.Name)
	}
	r = suiteReport{Suite: suite.Name, Documents: len(in.there), Queries: len(suite.Queries), Unjudged: suite.Unjudged}
	asked, runs := 0, len(in.legs)+1
	if f.tune {
		runs++
	}
	if in.member.Judge != nil {
		runs++
	}
	step := func() {
		asked++
		line.show(catalog.Progress{Stage: "eval", Message: fmt.Sprintf("%s: asking %d of %d", suite.Name, asked, runs*len(suite.Queries)), Done: asked, Total: runs * len(suite.Queries)})
	}
	run := func(name string, weights ranking.Weights, judge bool) error {
		in.judge = judge
		row, err := ranking.Run(ctx, suite, in, name, weights, step)
		r.Rows = append(r.Rows, row)
		return err
	}
	var errs []error
	for _, leg := range in.legs {
		errs = append(errs, run(leg, ranking.Weights{leg: 1}, false))
	}
	errs = append(errs, run(ranking.Fused, in.weights, false))
	if in.member.Judge != nil {
		errs = append(errs, run(ranking.Judged, in.weights, true))
	}
	if err := errors.Join(errs...); err != nil {
		return r, pool, err
	}
	if absent > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d queries have no relevant document in the collection, and count 0", absent))
	}
	if in.member.Rewordings > 0 {
		r.Notes = append(r.Notes, "other wordings are not asked for here")
	}
	r.Notes = append(r.Notes, slices.Sorted(maps.Keys(in.notes))...)
	if f.tune {
		in.judge = false
		pool, err = ranking.Collect(ctx, suite, in, in.legs, step)
	}
	return r, pool, err
}

// renameJudged renames judged documents to their paths in the collection, and counts the queries
// without a relevant document in it.
func (c *collected) renameJudged(s *ranking.Suite) (absent int) {
	for i, q := range s.Queries {
		grades, have := map[string]int{}, false
		for id, g := range q.Grades {
			id = c.relativePath(id)
			grades[id] = g
			have = have || g > 0 && c.there[id]
		}
		s.Queries[i].Grades = grades
		if !have {
			absent++
		}
	}
	return absent
}
