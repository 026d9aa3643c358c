// Package bench measures the CPU and wall time of a question and what the cache saves.
// Each question runs without the cache and, in its turn, with it: as the first
// question, which fills the cache, as the second, a different one, and as a later one.
// Both replies must be byte-identical.
//
// Figures cover the whole process, so nothing else may run in it.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Options configures a measurement.
type Options struct {
	Questions []string // nil derives some from the tree
	Rounds    int      // per question
	Seed      uint64   // for deriving questions
}

// Report is the result of a measurement. Times are in milliseconds; ratios compare CPU time.
type Report struct {
	Files     int      `json:"files"`
	Bytes     int64    `json:"bytes"`
	Questions []string `json:"questions"`
	Rounds    int      `json:"rounds"`
	Without   Cost     `json:"without"` // no cache
	First     Cost     `json:"first"`   // fills an empty cache
	Second    Cost     `json:"second"`  // after one other question
	Later     Cost     `json:"later"`   // after several others
	// Medians over pairs: the same question with and without the cache, in one round.
	FirstShare  float64  `json:"first_to_without"`
	SecondShare float64  `json:"second_to_without"`
	LaterShare  float64  `json:"later_to_without"`
	Cache       Kept     `json:"cache"`
	Heap        int64    `json:"heap_bytes"` // of the process, with a filled cache
	Ripgrep     *Ripgrep `json:"ripgrep,omitempty"`
	Differ      []string `json:"differ"` // questions whose two replies differed
}

// Kept describes the cache after the last question.
type Kept struct {
	Bytes   int64   `json:"bytes"`
	Max     int64   `json:"max_bytes"`
	Entries int     `json:"entries"`
	HitRate float64 `json:"hit_rate"` // excluding the first question of each round
}

// Run measures the service, whose snapshot must have a cache.
func Run(ctx context.Context, svc *service.Service, opt Options) (*Report, error) {
	snap := svc.Snapshot()
	if snap.Cache == nil {
		return nil, fmt.Errorf("there is no cache to measure")
	}
	r := &Report{Questions: opt.Questions, Rounds: max(1, opt.Rounds), Differ: []string{}}
	files, err := listFiles(ctx, snap.Roots, r)
	if err != nil {
		return nil, err
	}
	if len(r.Questions) == 0 {
		r.Questions = Derive(ctx, files, opt.Seed)
	}
	if len(r.Questions) == 0 {
		return nil, &NoQuestion{Files: r.Files}
	}
	tool, err := svc.Command(plan.Research)
	if err != nil {
		return nil, err
	}
	b := &bench{svc: svc, tool: tool.Name, cache: snap.Cache, report: r}
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	r.Ripgrep = measureRipgrep(ctx, snap.Roots, r)
	return r, ctx.Err()
}

// NoQuestion is the error for a tree from which no question can be derived.
type NoQuestion struct{ Files int }

func (e *NoQuestion) Error() string {
	return fmt.Sprintf("no question can be made of the %d files here, for their names and comments say too little; ask your own with --question, or name another tree with --root", e.Files)
}

// listFiles lists the files of all roots and adds their number and size to the report.
func listFiles(ctx context.Context, roots *sandbox.Set, r *Report) ([]textFile, error) {
	var all []textFile
	for _, root := range roots.Roots() {
		files, _, err := root.Files(ctx, "")
		if err != nil {
			return nil, err
		}
		stats, err := root.Scan(ctx, files, 1, func(int, int, sandbox.Entry, []byte) {})
		if err != nil {
			return nil, err
		}
		r.Files += stats.Files
		r.Bytes += stats.Bytes
		for _, f := range files {
			all = append(all, textFile{root, f.Path})
		}
	}
	return all, nil
}

type bench struct {
	svc    *service.Service
	tool   string
	cache  *cache.Cache
	report *Report

	without, first, second, later samples
	shares                        [3][]float64 // of first, second and later
	hits, looks                   int64
}

func (b *bench) run(ctx context.Context) error {
	r := b.report
	if _, _, err := b.ask(ctx, r.Questions[0], true, nil); err != nil { // warm-up, not measured
		return err
	}
	for round := range r.Rounds {
		if err := b.runRound(ctx, round); err != nil {
			return err
		}
	}
	r.Without, r.First, r.Second, r.Later = b.without.cost(), b.first.cost(), b.second.cost(), b.later.cost()
	r.FirstShare, r.SecondShare, r.LaterShare = spreadOf(b.shares[0]).P50, spreadOf(b.shares[1]).P50, spreadOf(b.shares[2]).P50
	s := b.cache.Stats()
	r.Cache = Kept{Bytes: s.Bytes, Max: s.Max, Entries: s.Entries, HitRate: ratio(float64(b.hits), float64(b.looks))}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.Heap = int64(m.HeapAlloc)
	return nil
}

// runRound asks each question twice: without the cache, and with a cache that is empty
// before the first question. Each round begins with a different question.
func (b *bench) runRound(ctx context.Context, round int) error {
	b.cache.Clear()
	for turn := range b.report.Questions {
		q := b.report.Questions[(round+turn)%len(b.report.Questions)]
		plain, full, err := b.ask(ctx, q, true, &b.without)
		if err != nil {
			return err
		}
		before := b.cache.Stats()
		nth := min(turn, 2)
		kept, spent, err := b.ask(ctx, q, false, []*samples{&b.first, &b.second, &b.later}[nth])
		if err != nil {
			return err
		}
		b.shares[nth] = append(b.shares[nth], ratio(spent, full))
		if after := b.cache.Stats(); turn > 0 {
			b.hits += after.Hits - before.Hits
			b.looks += after.Hits - before.Hits + after.Misses - before.Misses
		}
		if kept != plain && !slices.Contains(b.report.Differ, q) {
			b.report.Differ = append(b.report.Differ, q)
		}
	}
	return nil
}

// ask asks one question, adds its timings to into, and returns the reply and its CPU time.
func (b *bench) ask(ctx context.Context, q string, noCache bool, into *samples) (reply string, cpu float64, err error) {
	args, err := json.Marshal(map[string]any{"question": q})
	if err != nil {
		return "", 0, err
	}
	runtime.GC() // so that no question pays for the previous one's garbage
	probe := catalog.NewProbe(processSpent)
	got, err := b.svc.Invoke(ctx, service.Call{Tool: b.tool, Args: args, Deterministic: true, NoCache: noCache, Probe: probe})
	if err != nil {
		return "", 0, err
	}
	for _, p := range probe.Parts() {
		cpu += float64(p.CPU)
	}
	if into != nil {
		into.add(probe)
	}
	return string(got.JSON), cpu, nil
}
