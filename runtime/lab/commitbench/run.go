package commitbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// Asker asks the configured tool about one tree.
type Asker interface {
	// Ask returns the reply as a client gets it.
	Ask(ctx context.Context, question string) (json.RawMessage, error)
	Close() error
}

// Options say what to replay and with what.
type Options struct {
	Dir     string // the repository, or a directory in one
	Kind    string // eval.History, eval.Definition, eval.Absent, or "all"
	Commits int    // questions from history
	Since   time.Time
	Seed    uint64
	Cases   []eval.Case // asked instead of new ones
	Jobs    int         // trees at a time

	// Source reports whether a path is code that people of the project write; head is the
	// beginning of its text, nil if it has not been read yet.
	Source func(path string, head []byte) bool
	// Definitions lists the definitions of a file.
	Definitions func(path string, src []byte) []Definition
	// Open returns an Asker for a directory.
	Open func(dir string) (Asker, error)
	// Count counts tokens.
	Count func(string) int
	// Mask masks secrets. Questions are masked when they are made, so that neither the tool nor any
	// report, table or file sees a secret in a commit's message. By default nothing is masked.
	Mask func(string) string
	// Show reports progress; it may be called concurrently.
	Show func(step string, done, total int)
}

// Outcome is what was asked and how it went.
type Outcome struct {
	Head   string
	Looked eval.Looked
	Cases  []eval.Result
	Absent []string // ids of recorded cases whose commits the repository does not have
}

// session is one run.
type session struct {
	Options
	repo *githistory.Repo // nil if no case needs history
	temp string
	out  Outcome
}

// Run makes the questions and asks them. The error says what prevents it; in any case nothing
// is left on disk.
func Run(ctx context.Context, opt Options) (*Outcome, error) {
	s := &session{Options: opt}
	if s.Mask == nil {
		s.Mask = func(text string) string { return text }
	}
	if s.needsHistory() {
		repo, err := githistory.Open(ctx, opt.Dir)
		if err != nil {
			return nil, err
		}
		s.repo, s.out.Head = repo, repo.Head()
	}
	var err error
	if s.temp, err = tempDir(); err != nil {
		return nil, fmt.Errorf("no temporary directory: %w", err)
	}
	defer os.RemoveAll(s.temp)
	list, err := s.makeQuestions(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.askAll(ctx, list); err != nil {
		return nil, err
	}
	return &s.out, nil
}

func (s *session) needsHistory() bool {
	return len(s.Cases) == 0 || slices.ContainsFunc(s.Cases, func(c eval.Case) bool { return c.Parent != "" })
}

// job is one tree with the cases that are asked of it.
type job struct {
	parent string // "" for the directory as it is
	at     []int  // indexes in the results
	cases  []eval.Case
}

// askAll runs all cases, tree by tree, and keeps their order.
func (s *session) askAll(ctx context.Context, list []eval.Case) error {
	jobs := byTree(list)
	results := make([]eval.Result, len(list))
	var mu sync.Mutex
	done := 0
	tick := func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		s.Show("asking", done, len(list))
	}
	s.Show("asking", 0, len(list))
	workers := min(max(1, s.Jobs), len(jobs))
	errs := make([]error, workers)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	for w := range workers {
		part := jobs[w*len(jobs)/workers : (w+1)*len(jobs)/workers]
		wg.Go(func() {
			if errs[w] = s.runJobs(ctx, w, part, results, tick); errs[w] != nil {
				stop()
			}
		})
	}
	wg.Wait()
	if err := worstError(errs); err != nil {
		return err
	}
	s.out.Cases = results
	return nil
}

// worstError returns the error that made the other workers stop, if any.
func worstError(errs []error) error {
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(errs...)
}

// byTree groups the cases by tree, in the order in which the trees first occur: neighbours in
// history differ little.
func byTree(list []eval.Case) []job {
	at := map[string]int{}
	var jobs []job
	for i, c := range list {
		n, known := at[c.Parent]
		if !known {
			n = len(jobs)
			at[c.Parent] = n
			jobs = append(jobs, job{parent: c.Parent})
		}
		jobs[n].at = append(jobs[n].at, i)
		jobs[n].cases = append(jobs[n].cases, c)
	}
	return jobs
}

// runJobs asks a worker's share of the cases in a tree of its own.
func (s *session) runJobs(ctx context.Context, w int, jobs []job, results []eval.Result, tick func()) error {
	b := &bench{session: s, n: w}
	defer b.close()
	for _, j := range jobs {
		if err := b.moveTo(ctx, j.parent); err != nil {
			return err
		}
		for i, c := range j.cases {
			r, err := b.askOne(ctx, c)
			if err != nil {
				return err
			}
			results[j.at[i]] = r
			tick()
		}
	}
	return nil
}
