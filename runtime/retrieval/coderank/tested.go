package coderank

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// Constants of tests as evidence. A test says in its own words what the tested file does; a few
// tests, with little weight, are enough to separate near ties.
const (
	testsAsked = 3   // test files that vote
	testedGain = .06 // share that the file with the most votes gains
	testedMost = 3   // files of one name; with more, the tested one cannot be determined
)

// A witness is a test file and the score of what it holds of the question.
type witness struct {
	path  string
	score float64
}

// addWitness keeps the test files that hold most of the question. If tests are asked for, they are not
// evidence but the answer, and a follow-up continues from the files found before.
func (r *Ranker) addWitness(f *counted, rough float64) {
	if q := r.plan.query; f.bucket != Test || q.Intent.Tests || len(q.Found) > 0 || r.named[f.path] > 0 || r.w.Test <= 0 {
		return
	}
	w := witness{f.path, rough / r.bucketFactor(Test)}
	at, _ := slices.BinarySearchFunc(r.witnesses, w, func(a, b witness) int {
		if c := retrieval.Descending(a.score, b.score); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	if at < testsAsked {
		r.witnesses = slices.Insert(r.witnesses, at, w)
		r.witnesses = r.witnesses[:min(len(r.witnesses), testsAsked)]
	}
}

// testVotes returns the votes of the best tests for the files that they are named after, 1 for the most.
func (r *Ranker) testVotes() map[string]float64 {
	if len(r.witnesses) == 0 {
		return nil
	}
	byStem := map[string][]string{}
	for _, d := range r.docs {
		if d.bucket != Test {
			s := testedStem(d.path)
			byStem[s] = append(byStem[s], d.path)
		}
	}
	votes, most := map[string]float64{}, 0.0
	for _, w := range r.witnesses {
		stem := testedStem(w.path)
		files := byStem[stem]
		if stem == "" || len(files) > testedMost {
			continue
		}
		for _, f := range files {
			votes[f] += math.Pow(w.score/r.witnesses[0].score, 4) / float64(len(files))
			most = math.Max(most, votes[f])
		}
	}
	for f := range votes {
		votes[f] /= most
	}
	return votes
}

// testedStem returns the part of the name that a file and its test share: canvas for canvas.py and
// test_canvas.py, objectmapper for ObjectMapper.java and ObjectMapperTest.java.
func testedStem(file string) string {
	s, _, _ := strings.Cut(strings.ToLower(path.Base(file)), ".")
	for _, p := range []string{"test_", "test-", "tests_"} {
		s = strings.TrimPrefix(s, p)
	}
	for _, p := range []string{"tests", "test", "spec"} {
		if t, ok := strings.CutSuffix(s, p); ok {
			s = t
			break
		}
	}
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' {
			return -1
		}
		return c
	}, s)
}
