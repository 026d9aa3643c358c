package find

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// defaultScan bounds the scan of the tree unless the configuration sets a limit. When it ends, what
// was scanned is ranked, and the cut is reported.
const defaultScan = 15 * time.Second

// deepest is how many candidates are read in depth: parsed into definitions and comments. More cost
// time without improving any measurement.
const deepest = 64

// maxRankedBytes bounds how much of the candidates of a ranking is parsed.
const maxRankedBytes = 8 << 20

// widen is the advice when the scan was cut short.
const widen = "ask about a smaller root, or raise sandbox.scan_time in the configuration"

// The phases of a search, for timing.
const (
	partWalk    = "walk"    // finding the files
	partScan    = "scan"    // counting the question's words in all of them
	partRead    = "read"    // parsing the best, and ranking
	partAnalyze = "analyze" // what is said about the best
)

// Ranking is a ranked tree.
type Ranking struct {
	coderank.Result
	Candidates []string // files read in depth, best first
	files      int      // number of files scanned
	skipped    int      // too big or binary
	sources    int      // of the skipped, those with the name of a source file
	cut        bool
	late       bool               // history was not available in time
	deep       source.ParseBudget // of the candidates
	budget     time.Duration      // for the scan
}

// Note reports which files or data the search missed.
func (f Ranking) Note() string {
	switch {
	case f.cut:
		return fmt.Sprintf("the scan was cut after %s, %v being over; later ones were not ranked: %s", words.Count(f.files, "file"), f.budget, widen)
	case f.late:
		return "past commits were not read in time and do not weigh"
	case f.sources > 0:
		return words.Count(f.sources, "source file") + " not searched: too large, or not text"
	case f.deep.CutFiles > 0:
		return f.deep.Note()
	case len(f.Hits) == 0 && f.skipped > 0:
		return words.Count(f.skipped, "file") + " not searched: too large, or not text"
	}
	return ""
}

// RankTree ranks the whole tree for a question in two steps: every file is scanned for the
// question's words, and the best are read in depth.
func RankTree(ctx context.Context, env *catalog.Env, q *coderank.Query, w coderank.Weights, limit int) (Ranking, error) {
	t, err := countedFor(ctx, env, q, w)
	if err != nil {
		return Ranking{}, err
	}
	out, r, at := t.found, t.ranker, t.at
	out.deep.BytesLeft = maxRankedBytes
	collectors := r.Collectors()
	event.Mark(ctx, partRead)
	out.Candidates = r.Candidates(deepest)
	if err := readDeep(ctx, env, r.Unread(out.Candidates), at, collectors, &out.deep); err != nil {
		return out, err
	}
	out.Result = r.Rank(limit)
	if !out.cut && needsSecondLook(q, &out.Result) {
		err := out.lookAgain(ctx, env, r, limit, func(more []string) error { return readDeep(ctx, env, more, at, collectors, &out.deep) })
		if err != nil {
			return out, err
		}
	}
	if !out.cut && out.deep.CutFiles == 0 { // do not keep what is known of huge files: it is huge
		t.keep(env, q)
	}
	event.Mark(ctx, partAnalyze)
	return out, nil
}

func scanRoot(ctx context.Context, env *catalog.Env, root *sandbox.Root, r *coderank.Ranker, collectors []*coderank.Collector, at map[string]place, out *Ranking) error {
	event.Mark(ctx, partWalk)
	files, stats, err := root.Files(ctx, "")
	event.Mark(ctx, partScan)
	if isTimeout(err) {
		out.cut = true
	} else if err != nil {
		return err
	}
	out.cut = out.cut || stats.Cut
	refs := make([]string, len(files))
	for i, e := range files {
		refs[i] = env.Roots.Ref(root, e.Path)
		at[refs[i]] = place{root, e.Path, e.Size}
	}
	total := len(files)
	words, seen := make([]coderank.Words, total), make([]bool, total)
	progress := func(i int) {
		if i%2048 == 2047 {
			env.Progress(catalog.Progress{Message: fmt.Sprintf("%d of %d files", i+1, total), Done: i + 1, Total: total})
		}
	}
	st := newStreams(env, r, refs, collectors)
	visit := sandbox.Visitor{Read: func(w, i int, _ sandbox.Entry, data []byte, v sandbox.Version) {
		seen[i] = true
		words[i] = st.collect(w, i, data, v)
		progress(i)
	}}
	if st.enabled() {
		visit.Known = func(w, i int, v sandbox.Version) (ok bool) {
			if words[i], ok = st.replayKnown(w, i, v); ok {
				seen[i] = true
				progress(i)
			}
			return ok
		}
	}
	scanned, err := root.ScanVersions(ctx, files, len(collectors), visit)
	if err != nil && !isTimeout(err) {
		return err
	}
	out.cut = out.cut || err != nil || scanned.Cut
	if !out.cut {
		source.KeepSurvey(env, root, &source.Survey{Files: files, Words: words})
	}
	out.files += scanned.Files
	out.skipped += scanned.Binary + scanned.Oversize
	for i := range seen {
		if !seen[i] && scanned.Binary+scanned.Oversize > 0 && !out.cut && coderank.IsSource(refs[i]) {
			out.sources++
		}
	}
	return nil
}

// isTimeout reports whether an error only means that the scan time is over.
func isTimeout(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// readDeep parses the candidates. They are assigned to workers by position, so that a worker's
// share does not depend on timing.
func readDeep(ctx context.Context, env *catalog.Env, candidates []string, at map[string]place, collectors []*coderank.Collector, share *source.ParseBudget) error {
	parts := make([]int, len(candidates))
	for i, c := range candidates {
		parts[i] = share.Take(at[c].size)
	}
	var workers conc.WaitGroup // repeats a panic here, where it ends the stage and not the process
	for w, c := range collectors {
		workers.Go(func() {
			var buf []byte
			parse := source.NewParser(env)
			for i := w; i < len(candidates) && ctx.Err() == nil; i += len(collectors) {
				p := at[candidates[i]]
				data, v, err := source.ReadFile(ctx, env, p.root, p.rel, buf)
				if err != nil {
					continue // deleted since the scan, so not an answer
				}
				buf = data
				if int64(parts[i]) < at[candidates[i]].size {
					data, v = source.FirstLines(data, parts[i]), sandbox.Version{}
				}
				readOne(c, &parse, candidates[i], data, v)
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}

// readOne parses a file and passes the result to the collector.
func readOne(c *coderank.Collector, p *source.Parser, ref string, data []byte, v sandbox.Version) {
	defs, spans := p.ParseAndKeep(v, ref, data)
	var comments, strings [][2]int
	for _, s := range spans {
		at := [2]int{int(s.From), int(s.To)}
		switch s.Kind {
		case symbols.SpanComment:
			comments = append(comments, at)
		case symbols.SpanString:
			strings = append(strings, at)
		}
	}
	c.ReadParsed(ref, data, defs, comments, strings)
}
