package commitbench

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lab/eval"
)

// All asks questions of every kind.
const All = "all"

// makeQuestions returns the recorded cases or, without any, new ones.
func (s *session) makeQuestions(ctx context.Context) ([]eval.Case, error) {
	if len(s.Cases) > 0 {
		list, err := s.recordedCases(ctx)
		return s.maskCases(list), err
	}
	var list []eval.Case
	if s.Kind == eval.History || s.Kind == All {
		h, err := s.historyCases(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, h...)
	}
	definitions, absent := s.nameShares()
	if definitions+absent > 0 {
		n, err := s.nameQuestions(ctx, definitions, absent)
		if err != nil {
			return nil, err
		}
		list = append(list, n...)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s defines no exported name of several words just once, so there is nothing to ask for", s.Dir)
	}
	return s.maskCases(list), nil
}

// maskCases masks the questions and drops those with a secret in the path of a gold file: the answer would reveal it.
func (s *session) maskCases(list []eval.Case) []eval.Case {
	var out []eval.Case
	for _, c := range list {
		if slices.ContainsFunc(c.Gold, func(path string) bool { return s.Mask(path) != path }) {
			continue
		}
		c.Question, c.ID, c.Repo = s.Mask(c.Question), s.Mask(c.ID), s.Mask(c.Repo)
		out = append(out, c)
	}
	return out
}

// nameShares returns how many questions of the two other kinds are asked: as many as are wanted
// of history or, in addition to history, half and a quarter of them.
func (s *session) nameShares() (definitions, absent int) {
	switch s.Kind {
	case eval.Definition:
		return s.Commits, 0
	case eval.Absent:
		return 0, s.Commits
	case All:
		return (s.Commits + 1) / 2, (s.Commits + 3) / 4
	}
	return 0, 0
}

// recordedCases returns the recorded cases of the wanted kind, except for those of other repositories.
func (s *session) recordedCases(ctx context.Context) ([]eval.Case, error) {
	var list []eval.Case
	has := map[string]bool{"": true}
	for _, c := range s.Cases {
		if s.Kind != All && c.Kind != s.Kind {
			continue
		}
		ok, known := has[c.Parent]
		if !known {
			ok = s.repo.Has(ctx, c.Parent)
			has[c.Parent] = ok
		}
		if !ok {
			s.out.Absent = append(s.out.Absent, c.ID)
			continue
		}
		list = append(list, c)
	}
	if ctx.Err() != nil { // git was stopped, so what it holds is not known
		return nil, ctx.Err()
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("none of the %d recorded cases can be asked of %s: it holds none of their commits", len(s.Cases), s.Dir)
	}
	return list, nil
}

// historyCases makes questions from commits.
func (s *session) historyCases(ctx context.Context) ([]eval.Case, error) {
	objects, err := s.repo.Objects(ctx)
	if err != nil {
		return nil, err
	}
	defer objects.Close()
	p := &picker{repo: s.repo, objects: objects, source: s.Source, mask: s.Mask, out: map[string]int{}}
	want := s.Commits * poolFactor
	pool, err := p.collectPool(ctx, want, s.Since, func(done int) { s.Show("looking for commits", done, want) })
	if err != nil {
		return nil, err
	}
	drawn := p.draw(pool, s.Commits, s.Seed)
	s.out.Looked = eval.Looked{Commits: p.looked, Usable: len(pool), Out: sortReasons(p.out)}
	if len(drawn) < min(minQuestions, s.Commits) {
		return nil, tooFew(s.Dir, s.out.Looked, len(drawn))
	}
	list := make([]eval.Case, len(drawn))
	for i, c := range drawn {
		list[i] = c.kase
	}
	return list, nil
}

func sortReasons(out map[string]int) []eval.Reason {
	var list []eval.Reason
	for _, why := range slices.Sorted(maps.Keys(out)) {
		list = append(list, eval.Reason{Why: why, N: out[why]})
	}
	slices.SortStableFunc(list, func(a, b eval.Reason) int { return cmp.Compare(b.N, a.N) })
	return list
}

func tooFew(dir string, l eval.Looked, usable int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s has too little history to ask about: %d commits looked at, %d usable, at least %d needed", dir, l.Commits, usable, minQuestions)
	for _, r := range l.Out {
		fmt.Fprintf(&b, "\n  %5d  %s", r.N, r.Why)
	}
	return fmt.Errorf("%s", b.String())
}
