package library

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Indexer brings a collection up to date with its files.
type Indexer struct {
	Shelf      Shelf
	Collection string // its name
	Origin     Origin
	Roots      []Root
	Filter     Filter
	Policy     chunk.Policy
	Extractors []extract.Extractor // the first that accepts a file reads it
	Tiers      []Tier              // of vectors
	Workers    int                 // number that read files concurrently; 0 for one per processor
	Memory     int                 // about the memory of new postings before they are written, in bytes; 0 for 64 MB
	Now        func() time.Time
	Progress   func(Step) // may be nil
}

// Root is an open directory of a collection. Its documents are Prefix/path.
type Root struct {
	*sandbox.Root
	Prefix string
}

// Step is the progress of a run.
type Step struct {
	Stage string `json:"stage"`
	Done  int    `json:"done"`
	Total int    `json:"total"` // 0 while unknown
}

// Options say which work of a run is repeated.
type Options struct {
	Retry bool      // files that could not be read
	All   bool      // everything
	Since time.Time // files modified since; zero for none
	Trust bool      // an earlier run has checked the index for damage
}

// Report is the result of a run.
type Report struct {
	Version   string         `json:"version"`
	Documents int            `json:"documents"` // in the new version
	Passages  int            `json:"passages"`
	Added     int            `json:"added"`
	Changed   int            `json:"changed"`
	Removed   int            `json:"removed"`
	Unchanged int            `json:"unchanged"`
	Failed    []Failure      `json:"failed,omitempty"`
	Left      int            `json:"left"`                   // files that are too large, binary, denied, empty or gone
	Why       map[string]int `json:"left_because,omitempty"` // how many of them for each reason
	Unread    map[string]int `json:"not_read,omitempty"`     // files of kinds without an extractor, by their extension
	Bytes     int64          `json:"bytes"`
	Published bool           `json:"published"`        // whether there is a new version
	Mended    int            `json:"mended,omitempty"` // index parts rebuilt: damaged, or of another program version
	Vectors   []Vectored     `json:"vectors,omitempty"`
	Took      time.Duration  `json:"took"`
}

// Failure is a document that could not be read.
type Failure struct {
	URI   string `json:"uri"`
	Error string `json:"error"`
}

// Run makes a new version of the collection if anything changed. Of two runs at the same time one
// is refused with ErrOwned.
func (x *Indexer) Run(ctx context.Context, opt Options) (Report, error) {
	release, err := x.Shelf.Own(ctx)
	if err != nil {
		return Report{}, err
	}
	defer release()
	if err := x.Shelf.Begin(ctx, x.Origin); err != nil {
		return Report{}, err
	}
	start := x.Now()
	r := &run{Indexer: x, opt: opt, was: map[string]Document{}, before: map[string]string{}, failed: map[string]string{}, failing: map[string]string{}}
	if err := r.prepare(ctx); err != nil {
		return Report{}, err
	}
	if err := r.readFiles(ctx); err != nil {
		return Report{}, err
	}
	if err := r.publish(ctx); err != nil {
		return Report{}, err
	}
	r.report.Took = x.Now().Sub(start)
	return r.report, nil
}

// run is one run of an indexer.
type run struct {
	*Indexer
	opt      Options
	version  string              // the published version
	was      map[string]Document // its documents, by address
	kept     map[string]bool     // contents that exist already
	failed   map[string]string   // why earlier runs could not make a content, by hash
	before   map[string]string   // errors of earlier runs, by the keys of jobs
	docs     []Document          // of the next version
	failing  map[string]string   // why contents could not be made, by hash
	problems []Job               // of files without a content
	jobs     []Job               // of the whole run
	report   Report
	told     Step      // last step reported to other processes
	toldAt   time.Time //
}

// prepare reads the state that earlier runs left.
func (r *run) prepare(ctx context.Context) error {
	err := r.Shelf.View(ctx, func(v View) error {
		r.version = v.Version()
		list, err := v.Documents(ctx)
		for _, d := range list {
			r.was[d.URI] = d
		}
		return err
	})
	if err != nil {
		return err
	}
	if r.kept, err = r.Shelf.Contents(ctx); err != nil {
		return err
	}
	for _, state := range []string{Failed, Left} {
		jobs, err := r.Shelf.Jobs(ctx, state, 0)
		if err != nil {
			return err
		}
		for _, j := range jobs {
			r.before[j.Key] = j.Error
			if _, hash, _, ok := parseKey(j.Key); ok && !r.opt.Retry && !r.opt.All {
				r.failed[hash] = j.Error
			}
		}
	}
	return nil
}

// publish brings the index up to date and replaces the documents of the published version.
func (r *run) publish(ctx context.Context) error {
	passages := numberPassages(r.docs)
	name := versionOf(indexRecipe(), r.docs)
	r.countChanges()
	r.report.Version, r.report.Documents, r.report.Passages = name, len(r.docs), passages
	if err := r.vectorize(ctx); err != nil {
		return err
	}
	start := r.Now()
	g, err := r.planGrowth(ctx)
	if err != nil {
		return err
	}
	put, gone := r.diffDocuments()
	r.report.Published = name != r.version || g.fresh
	if !r.report.Published && len(put)+len(gone) == 0 && !r.problemsChanged() {
		return nil
	}
	if err := g.embed(ctx, passages); err != nil {
		return err
	}
	v := Version{Name: name, Put: put, Gone: gone, Passages: passages, Parts: g.parts, Space: g.space, Jobs: append(r.jobs, r.problems...),
		Failing: slices.Sorted(maps.Keys(r.failing)), Tiers: r.keptTiers(), At: r.Now()}
	for _, h := range g.have {
		v.Segments = append(v.Segments, h.Segment)
	}
	r.reportStep(Upsert, 0, 1)
	if r.report.Published {
		v.Jobs = append(v.Jobs, r.newJob(name, Embed, "", start, nil), r.newJob(name, Upsert, "", r.Now(), nil))
	}
	if err := r.Shelf.Publish(ctx, v, r.Origin); err != nil {
		return err
	}
	r.reportStep(Upsert, 1, 1)
	return nil
}

// diffDocuments returns the documents that are new or different, also if only their files were
// touched, and the addresses of documents that are gone. Their place in the index is ignored.
func (r *run) diffDocuments() (put []Document, gone []string) {
	now := map[string]bool{}
	for _, d := range r.docs {
		now[d.URI] = true
		was := r.was[d.URI]
		if was.First = d.First; was != d {
			put = append(put, d)
		}
	}
	for uri := range r.was {
		if !now[uri] {
			gone = append(gone, uri)
		}
	}
	return put, gone
}

// problemsChanged reports whether problems appeared or disappeared.
func (r *run) problemsChanged() bool {
	now := map[string]string{}
	for hash, why := range r.failing {
		now[r.jobKey(hash, Extract)] = why
	}
	for _, j := range r.problems {
		now[j.Key] = j.Error
	}
	return !maps.Equal(now, r.before)
}

// countChanges counts the added, changed, unchanged and removed documents.
func (r *run) countChanges() {
	now := map[string]bool{}
	for _, d := range r.docs {
		now[d.URI] = true
		switch was, known := r.was[d.URI]; {
		case !known:
			r.report.Added++
		case was.Content != d.Content:
			r.report.Changed++
		default:
			r.report.Unchanged++
		}
	}
	for uri := range r.was {
		if !now[uri] {
			r.report.Removed++
		}
	}
	slices.SortFunc(r.report.Failed, func(a, b Failure) int { return strings.Compare(a.URI, b.URI) })
}

func (r *run) jobKey(hash, stage string) string { return r.Collection + ":" + hash + ":" + stage }

func (r *run) newJob(hash, stage, uri string, start time.Time, err error) Job {
	j := Job{Key: r.jobKey(hash, stage), Stage: stage, URI: uri, State: Done, Attempts: 1, Ended: r.Now(), Took: r.Now().Sub(start)}
	if err != nil {
		j.State, j.Error = Failed, err.Error()
	}
	return j
}

// tellEvery is the interval between progress reports to other processes.
const tellEvery = 300 * time.Millisecond

func (r *run) reportStep(stage string, done, total int) {
	s := Step{stage, done, total}
	if now := r.Now(); stage != r.told.Stage || now.Sub(r.toldAt) >= tellEvery {
		r.told, r.toldAt = s, now
		r.Shelf.Tell(s)
	}
	if r.Progress != nil {
		r.Progress(s)
	}
}

// errCut reports that files may exist that were not listed, so that nothing may be removed.
var errCut = errors.New("not all directories could be listed; nothing was changed, run it again")
