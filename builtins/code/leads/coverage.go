package leads

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// CoverageInput is the input of code.coverage.
type CoverageInput struct {
	Question   string   `json:"question" doc:"what the tests are wanted of"`
	References []string `json:"references,omitempty" doc:"what a search found, best first"`
	Tokens     int      `json:"tokens" doc:"length of the summary at most, in tokens of four bytes" default:"300" min:"60" max:"4000"`
}

// Coverage returns code.coverage, which lists the tests that name or call the subject of a
// question.
func Coverage() catalog.Builtin {
	return catalog.New("code.coverage", "find the tests that name or call something", catalog.Roots, coverage)
}

// These bound the search for tests.
const (
	testFiles     = 24 // read in addition to those found by rank
	testsShown    = 6  // per file
	coverageFiles = 4
)

// testFile is a test file with its matching tests.
type testFile struct {
	src    *source.File
	tests  []testCase
	beside bool // it is named after the code or the subject
	near   bool // it lies in the directory of code that was found
	score  float64
}

func coverage(ctx context.Context, env *catalog.Env, in CoverageInput) (contract.Result, error) {
	q := coderank.Parse(in.Question)
	want := subjectStems(in.Question)
	names, err := testedNames(ctx, env, q, want, in.References)
	if err != nil {
		return contract.Result{}, err
	}
	asked := names       // if no test names these, the answer says so
	if len(names) == 0 { // a search for tests found only tests: look for the code they test separately
		var refs []string
		if names, refs, err = codeNames(ctx, env, in.Question, want); err != nil {
			return contract.Result{}, err
		}
		in.References = append(slices.Clone(in.References), refs...)
	}
	files, err := gatherTests(ctx, env, in, q, names)
	if err != nil || len(files) == 0 {
		return contract.NotFound("No test calls or names it."), err
	}
	scoreTests(files, want, names)
	if namesAll(files, want) {
		asked = nil // the names of definitions no longer matter
	}
	return tellTests(env, files, asked, in.Tokens*4), nil
}

// namesAll reports whether the name of the best test has all the words of the question, of which
// there must be at least two.
func namesAll(files []testFile, want map[string]bool) bool {
	if len(want) < 2 || len(files[0].tests) == 0 {
		return false
	}
	for s := range want {
		if !hasStem(files[0].tests[0].stems, s) {
			return false
		}
	}
	return true
}

// testedNames returns the names that a test of the subject would use: the ones in the question, and
// the names of definitions found for it.
func testedNames(ctx context.Context, env *catalog.Env, q *coderank.Query, want map[string]bool, refs []string) ([]string, error) {
	var out []string
	for _, id := range q.Idents {
		if id.Before == 0 && (id.Shaped || id.Quoted) && len(id.Text) > 2 {
			out = source.AppendNew(out, id.Text)
		}
	}
	for _, ref := range refs[:min(len(refs), 6)] {
		if len(out) >= 4 || coderank.BucketOf(contract.ParseReference(ref).Path, nil) == coderank.Test {
			continue
		}
		src, line, err := source.LoadAt(ctx, env, ref)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		if d, ok := src.DefNear(line); ok && usage.IsTraceable(d.Kind) && len(d.Name) > 3 && stemShare(want, d.Name) >= 0.5 {
			out = source.AppendNew(out, d.Name)
		}
	}
	return out, nil
}

// codeNames returns the names and the best place of the definitions that answer the question when
// it is not taken as one about tests.
func codeNames(ctx context.Context, env *catalog.Env, question string, want map[string]bool) (names, refs []string, err error) {
	q := coderank.Parse(question)
	q.Intent = coderank.Intent{}
	f, err := find.RankTree(ctx, env, q, coderank.Default(), 6)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range f.Hits {
		for _, p := range h.Places {
			refs = append(refs, fmt.Sprintf("%s:%d", h.Path, p.Line))
		}
	}
	names, err = testedNames(ctx, env, q, want, refs)
	return names, refs[:min(len(refs), 1)], err
}

// gatherTests loads the test files that rank for the question, those that contain one of the names,
// and those named after the code or the subject.
func gatherTests(ctx context.Context, env *catalog.Env, in CoverageInput, q *coderank.Query, names []string) ([]testFile, error) {
	w := coderank.Default()
	w.Test = 1
	q.Intent.Tests = true
	f, err := find.RankTree(ctx, env, q, w, 30)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, ref := range in.References {
		if p := contract.ParseReference(ref).Path; coderank.BucketOf(p, nil) == coderank.Test {
			paths = source.AppendNew(paths, p)
		}
	}
	for _, h := range f.Hits {
		if h.Bucket == coderank.Test || rustSource(h.Path) {
			paths = source.AppendNew(paths, h.Path)
		}
	}
	near := codeDirectories(in.References)
	if len(names) > 0 {
		for _, root := range env.Roots.Roots() {
			with, err := source.ListContaining(ctx, env, root, names)
			if err != nil {
				return nil, err
			}
			n := 0
			for _, e := range nearFirst(with, func(e sandbox.Entry) bool { return near[path.Dir(env.Roots.Ref(root, e.Path))] }) {
				if p := env.Roots.Ref(root, e.Path); n < testFiles && coderank.BucketOf(p, nil) == coderank.Test {
					paths = source.AppendNew(paths, p)
					n++
				}
			}
		}
	}
	beside, err := testsNamedFor(ctx, env, in.References, subjectStems(in.Question))
	if err != nil {
		return nil, err
	}
	for _, p := range beside {
		paths = source.AppendNew(paths, p)
	}
	var out []testFile
	share := source.ParseBudget{BytesLeft: source.MaxLeadBytes}
	for _, p := range paths {
		src, err := source.LoadPart(ctx, env, p, &share)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		if tests := findTests(src); len(tests) > 0 {
			out = append(out, testFile{src: src, tests: tests, beside: slices.Contains(beside, p), near: near[path.Dir(p)]})
		}
	}
	return out, nil
}

// codeDirectories returns the directories of the implementation files among the references.
func codeDirectories(refs []string) map[string]bool {
	out := map[string]bool{}
	for _, ref := range refs {
		if p := contract.ParseReference(ref).Path; coderank.BucketOf(p, nil) == coderank.Implementation {
			out[path.Dir(p)] = true
		}
	}
	return out
}

// nearFirst sorts the near files before the others.
func nearFirst(files []sandbox.Entry, near func(sandbox.Entry) bool) []sandbox.Entry {
	var first, rest []sandbox.Entry
	for _, f := range files {
		if near(f) {
			first = append(first, f)
		} else {
			rest = append(rest, f)
		}
	}
	return append(first, rest...)
}

// rustSource reports whether the file is Rust, where a source file holds its own tests.
func rustSource(p string) bool { return strings.HasSuffix(p, ".rs") }

// scoreTests scores every test by the words of the question in its name, rare words higher, and by
// whether its body uses one of the names.
func scoreTests(files []testFile, want map[string]bool, names []string) {
	weight, all := weighStems(files, want)
	best := 0.0
	for i := range files {
		f := &files[i]
		file := stemShare(want, f.src.Ref) * 0.3
		lines := bytes.SplitAfter(f.src.Data, []byte("\n"))
		for j := range f.tests {
			t := &f.tests[j]
			for s := range want {
				if t.stems[s] {
					t.score += weight[s]
				}
			}
			t.score = t.score/max(all, 1e-9) + file
			body := bytes.Join(lines[min(t.line-1, len(lines)):min(t.end, len(lines))], nil)
			for _, name := range names {
				if source.IndexWord(body, name) >= 0 {
					t.uses = true
					if t.score += 0.4; f.near {
						t.score += 0.3
					}
					break
				}
			}
			if f.beside && t.score > file { // its name or body matches as well
				t.score += 0.15
			}
			best = max(best, t.score)
		}
	}
	for i := range files {
		f := &files[i]
		f.tests = slices.DeleteFunc(f.tests, func(t testCase) bool { return t.score < 0.55*best || t.score < 0.2 })
		slices.SortStableFunc(f.tests, func(a, b testCase) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.line, b.line))
		})
		for j, t := range f.tests {
			f.score += t.score / float64(1+j)
		}
	}
	slices.SortStableFunc(files, func(a, b testFile) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.src.Ref, b.src.Ref))
	})
}

// weighStems fills the stems of the tests, and returns the weight of each wanted stem, greater the
// fewer tests have it, and the sum of the weights of those that occur.
func weighStems(files []testFile, want map[string]bool) (weight map[string]float64, all float64) {
	df, n := map[string]int{}, 0
	for _, f := range files {
		for i := range f.tests {
			t := &f.tests[i]
			t.stems = stemsOf(t.name + " " + t.group)
			for s := range want {
				if t.stems[s] {
					df[s]++
				}
			}
			n++
		}
	}
	weight = map[string]float64{}
	for s := range want {
		weight[s] = math.Log(1 + float64(n)/float64(1+df[s]))
		if df[s] > 0 {
			all += weight[s]
		}
	}
	return weight, all
}

// tellTests lists the tests by file, in at most room bytes.
func tellTests(env *catalog.Env, files []testFile, names []string, room int) contract.Result {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Low}
	var lines []string
	size, second := 0, []string{}
	for i, f := range files {
		if len(f.tests) == 0 || i == coverageFiles {
			break
		}
		var parts []string
		for _, t := range f.tests[:min(len(f.tests), testsShown)] {
			part := fmt.Sprintf("`%s` (%s)", contract.Shorten(t.name, 90), f.src.RefTo(t.line))
			if len(parts) > 0 {
				part = fmt.Sprintf("`%s` (line %d)", contract.Shorten(t.name, 90), t.line)
			}
			if size+len(part)+2 > room {
				break
			}
			size += len(part) + 2
			parts = append(parts, part)
			if t.uses {
				r.Confidence = contract.Med
			}
			if len(parts) == 1 {
				r.References = append(r.References, f.src.RefTo(t.line))
			} else if len(second) < 3 {
				second = append(second, f.src.RefTo(t.line))
			}
		}
		text := strings.Join(parts, ", ")
		if more := len(f.tests) - len(parts); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		if len(parts) == 0 || f.src.Book(env, len(text)) != nil {
			break
		}
		if f.tests[0].score >= 0.6 {
			r.Confidence = contract.Med
		}
		lines = append(lines, text)
	}
	if len(lines) == 0 {
		return contract.NotFound("No test calls or names it.")
	}
	r.References = append(r.References, second...)
	r.Summary = strings.Join(lines, "\n")
	if len(names) > 0 && !slices.ContainsFunc(files, func(f testFile) bool {
		return slices.ContainsFunc(f.tests, func(t testCase) bool { return t.uses })
	}) {
		r.Summary += fmt.Sprintf("\nNone of them calls or names `%s` itself; they are the nearest by name.", names[0])
		r.Confidence = contract.Low
	}
	return r
}
