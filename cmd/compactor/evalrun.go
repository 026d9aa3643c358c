package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/ranking"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// runFlags holds the flags of eval run.
type runFlags struct {
	split, weights, runFile, format string
	collection                      string
	failBelow                       []string
	tune                            bool
	seed                            uint64
	expansion                       index.Expansion
}

// rankingLegs are the legs that the table shows on their own, in its order.
var rankingLegs = []string{index.LegBM25, index.LegLSI, index.LegNGram}

func (a *app) evalRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run SUITE...",
		Short: "Search judged documents: how high do the relevant ones stand?",
		Long:  helpText("run.txt"),
		Example: `  compactor eval run ~/beir/scifact
  compactor eval run cranfield pydocs --tune
  compactor eval run mine --weights bm25=0.5,lsi=0.25,ngram=0.25 --fail-below ndcg=0.3
  compactor eval run mine --run-file fused.run && trec_eval -m ndcg_cut.10 mine.qrels fused.run`,
		Args: requireArgs(1, -1, "a folder with corpus.jsonl, queries.jsonl and judgements; see compactor eval run --help"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.runSuites(cmd.Context(), f, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.split, "split", "", "judgements to use: qrels/SPLIT.tsv (default: qrels.tsv, else test, else the only one)")
	fl.StringVar(&f.weights, "weights", "", "what the legs count in the fused run: bm25=0.5,lsi=0.25,ngram=0.25 (default: the built-in ones)")
	fl.StringVar(&f.collection, "collection", "", "search this collection as it is configured; a suite has queries and judgements, of its documents by path")
	fl.BoolVar(&f.tune, "tune", false, "also fit the weights on one part of the queries and show them on the part kept out")
	fl.Uint64Var(&f.seed, "seed", 1, "splits the queries of a single suite for --tune; another seed, other halves")
	numberFlag(cmd, &f.expansion.Terms, "feedback", 0, 0, 100, "also with so many terms of the best passages asked beside each query")
	fl.BoolVar(&f.expansion.Abbreviations, "abbreviations", false, "also with abbreviations that the best passages spell out")
	fl.Float64Var(&f.expansion.Weight, "expand-weight", 0.3, "what an added word counts, 0..1; one of the query counts 1")
	fl.StringArrayVar(&f.failBelow, "fail-below", nil, "[run.]measure=least; may be repeated")
	fl.StringVar(&f.runFile, "run-file", "", "write the fused lists to this file, in TREC's run format")
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

// suiteReport holds the results of one suite.
type suiteReport struct {
	Suite     string        `json:"suite"`
	Documents int           `json:"documents"`
	Queries   int           `json:"queries"`
	Unjudged  int           `json:"unjudged,omitempty"`
	Build     float64       `json:"build_seconds"`
	Rows      []ranking.Row `json:"runs"`
	Notes     []string      `json:"notes,omitempty"`
}

// runSuites runs the command.
func (a *app) runSuites(ctx context.Context, f runFlags, dirs []string) error {
	least, weights, err := f.parseFlags(dirs)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	var reports []suiteReport
	var pools []ranking.Pool
	legs := rankingLegs
	var in *collected
	if f.collection != "" {
		if in, err = a.openCollected(ctx, f.collection); err != nil {
			return err
		}
		legs, weights = in.legs, in.weights
	}
	for _, dir := range dirs {
		run := func() (suiteReport, ranking.Pool, error) { return a.runSuite(ctx, f, dir, weights) }
		if in != nil {
			run = func() (suiteReport, ranking.Pool, error) { return a.runCollected(ctx, f, dir, in) }
		}
		r, pool, err := run()
		if errors.Is(err, context.Canceled) {
			return exit{exitBroken, "stopped; nothing was written"}
		}
		if err != nil {
			return exit{exitBroken, err.Error()}
		}
		reports, pools = append(reports, r), append(pools, pool)
	}
	var fits []ranking.Fit
	if f.tune {
		fits = ranking.CrossFit(pools, legs, weights, f.seed)
	}
	if err := f.writeRun(reports[0].Rows); err != nil {
		return exit{exitBroken, "--run-file: " + err.Error()}
	}
	if err := a.printSuites(f, reports, fits); err != nil {
		return exit{exitBroken, err.Error()}
	}
	var missed []string
	for _, r := range reports {
		for _, t := range least {
			if s := t.Missed(r.Suite, r.Rows); s != "" {
				missed = append(missed, s)
			}
		}
	}
	if len(missed) > 0 {
		return exit{exitInvalid, strings.Join(missed, "\ncompactor: ")}
	}
	return nil
}

// parseFlags checks the flags and parses the thresholds and weights.
func (f runFlags) parseFlags(dirs []string) (least []ranking.Threshold, weights ranking.Weights, err error) {
	for _, s := range f.failBelow {
		t, err := ranking.ParseThreshold(s)
		if err != nil {
			return nil, nil, fmt.Errorf("--fail-below: %w", err)
		}
		if f.collection == "" && t.Run != ranking.Fused && !(f.expands() && t.Run == ranking.Expanded) && !slices.Contains(rankingLegs, t.Run) {
			return nil, nil, fmt.Errorf("--fail-below: threshold %q: run %q: want one of %s, %s", s, t.Run, strings.Join(rankingLegs, ", "), ranking.Fused)
		}
		least = append(least, t)
	}
	if f.runFile != "" && len(dirs) > 1 {
		return nil, nil, fmt.Errorf("--run-file takes the lists of one suite, and %d are named", len(dirs))
	}
	if f.collection != "" && (f.weights != "" || f.expands()) {
		return nil, nil, errors.New("--collection has its own weights and expansion: leave out --weights, --feedback and --abbreviations")
	}
	if f.weights == "" {
		return least, ranking.Weights(index.Default().Weights), nil
	}
	weights, err = parseWeights(f.weights)
	return least, weights, err
}

// parseWeights parses weights such as bm25=0.5,lsi=0.25. A leg that is not named does not count.
func parseWeights(s string) (ranking.Weights, error) {
	weights, sum := ranking.Weights{}, 0.0
	for pair := range strings.SplitSeq(s, ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(pair), "=")
		w, err := strconv.ParseFloat(number, 64)
		if err != nil || !slices.Contains(rankingLegs, name) {
			return nil, fmt.Errorf("--weights %s: %q: want leg=number, with a leg of %s", s, pair, strings.Join(rankingLegs, ", "))
		}
		weights[name] = w
		sum += w
	}
	if err := index.Weights(weights).Check(); err != nil {
		return nil, fmt.Errorf("--weights %s: %w", s, err)
	}
	if sum == 0 {
		return nil, fmt.Errorf("--weights %s: no leg counts", s)
	}
	return weights, nil
}

// runSuite indexes the documents of a suite and asks its queries: with each leg alone, with
// all of them, with expansion if it is on and, when tuning, for the pool.
func (a *app) runSuite(ctx context.Context, f runFlags, dir string, weights ranking.Weights) (r suiteReport, pool ranking.Pool, err error) {
	line := newProgress(a.err)
	defer line.clear()
	full, err := filepath.Abs(dir)
	if err != nil {
		return r, pool, err
	}
	suite, err := ranking.Read(os.DirFS(full), filepath.Base(full), f.split)
	if err != nil {
		return r, pool, err
	}
	r = suiteReport{Suite: suite.Name, Documents: len(suite.Documents), Queries: len(suite.Queries), Unjudged: suite.Unjudged}
	show := func(what string, done, total int) {
		line.show(catalog.Progress{Stage: "eval", Message: fmt.Sprintf("%s: %s %d of %d", suite.Name, what, done, total), Done: done, Total: total})
	}
	start := time.Now()
	ix, err := indexSuite(ctx, suite, show)
	if err != nil {
		return r, pool, err
	}
	r.Build = time.Since(start).Seconds()
	asked, runs := 0, len(rankingLegs)+1
	if f.tune {
		runs++
	}
	if f.expands() {
		runs++
	}
	step := func() { asked++; show("asking", asked, runs*len(suite.Queries)) }
	from := indexed{Index: ix}
	for _, leg := range rankingLegs {
		row, err := ranking.Run(ctx, suite, from, leg, ranking.Weights{leg: 1}, step)
		if err != nil {
			return r, pool, err
		}
		r.Rows = append(r.Rows, row)
	}
	row, err := ranking.Run(ctx, suite, from, ranking.Fused, weights, step)
	if err != nil {
		return r, pool, err
	}
	r.Rows = append(r.Rows, row)
	if f.expands() {
		if row, err = ranking.Run(ctx, suite, newExpanded(ix, suite, f.expansion), ranking.Expanded, weights, step); err != nil {
			return r, pool, err
		}
		r.Rows = append(r.Rows, row)
	}
	if f.tune {
		pool, err = ranking.Collect(ctx, suite, from, rankingLegs, step)
	}
	return r, pool, err
}

// indexSuite indexes the documents of a suite.
func indexSuite(ctx context.Context, s *ranking.Suite, show func(string, int, int)) (*index.Index, error) {
	b, err := index.NewBuilder(index.Default())
	if err != nil {
		return nil, err
	}
	for i, d := range s.Documents {
		if i%500 == 0 {
			show("indexing", i, len(s.Documents))
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err := b.Add(index.Passage{ID: d.ID, Title: d.Title, Body: d.Text}); err != nil {
			return nil, err
		}
	}
	show("learning from", len(s.Documents), len(s.Documents))
	return b.Build(ctx)
}

// indexed searches an index for the eval.
type indexed struct {
	*index.Index
	more []index.More
}

func (x indexed) Search(ctx context.Context, text string, weights ranking.Weights, limit int) ([]ranking.Found, error) {
	answer, err := x.Index.Search(ctx, index.Query{Text: text, More: x.more, Weights: index.Weights(weights), Limit: limit})
	if err != nil {
		return nil, err
	}
	found := make([]ranking.Found, len(answer.Hits))
	for i, h := range answer.Hits {
		legs := make(map[string]float64, len(h.Legs))
		for _, l := range h.Legs {
			legs[l.Leg] = l.Score / l.Weight
		}
		found[i] = ranking.Found{ID: h.ID, Score: h.Score, Legs: legs}
	}
	return found, nil
}

// writeRun writes --run-file.
func (f runFlags) writeRun(rows []ranking.Row) error {
	if f.runFile == "" {
		return nil
	}
	file, err := os.Create(f.runFile)
	if err != nil {
		return err
	}
	fused := fusedOf(rows)
	return errors.Join(ranking.WriteTREC(file, fused.Lists, "compactor"), file.Close())
}

// fusedOf returns the row of the run with all legs.
func fusedOf(rows []ranking.Row) ranking.Row {
	return rows[slices.IndexFunc(rows, func(r ranking.Row) bool { return r.Run == ranking.Fused })]
}

// printSuites prints a table for each suite, and one of the fits.
func (a *app) printSuites(f runFlags, reports []suiteReport, fits []ranking.Fit) error {
	if f.format == string(render.JSON) {
		return printJSON(a.out, struct {
			Suites []suiteReport `json:"suites"`
			Fits   []ranking.Fit `json:"fits,omitempty"`
		}{reports, fits})
	}
	for _, r := range reports {
		if f.collection != "" {
			fmt.Fprintf(a.out, "%s: collection %s, %d documents, %d queries\n", oneLine(r.Suite), oneLine(f.collection), r.Documents, r.Queries)
			for _, n := range r.Notes {
				fmt.Fprintln(a.out, oneLine(n))
			}
		} else {
			fmt.Fprintf(a.out, "%s: %d documents, %d queries; indexed in %.1f s\n", oneLine(r.Suite), r.Documents, r.Queries, r.Build)
		}
		if r.Unjudged > 0 {
			fmt.Fprintf(a.out, "%d queries without a relevant document are left out\n", r.Unjudged)
		}
		if err := screen.Table(a.out, append(append([]string{"run"}, ranking.Measures...), "over bm25", "p50 ms", "p95 ms"), suiteRows(r.Rows)); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "fused: %s\n\n", showWeights(fusedOf(r.Rows).Weights))
	}
	if len(fits) == 0 {
		return nil
	}
	fmt.Fprintln(a.out, "ndcg@10 with weights that were fitted without the queries they are shown on:")
	rows := make([][]string, len(fits))
	for i, fit := range fits {
		rows[i] = []string{oneLine(fit.Shown), strconv.Itoa(fit.Queries), oneLine(fit.On), showWeights(fit.Weights),
			formatDecimals(fit.Fitted), formatDecimals(fit.BM25), formatDecimals(fit.Given), formatDecimals(fit.Tuned), formatGain(fit.Tuned, fit.BM25)}
	}
	return screen.Table(a.out, []string{"shown on", "queries", "fitted on", "weights", "there", "bm25", "fused", "tuned", "over bm25"}, rows)
}

func suiteRows(rows []ranking.Row) [][]string {
	var table [][]string
	for _, r := range rows {
		cells := []string{r.Run}
		for _, v := range r.Mean.Values() {
			cells = append(cells, formatDecimals(v))
		}
		cells = append(cells, formatGain(r.Mean.NDCG, rows[0].Mean.NDCG), fmt.Sprintf("%.1f", r.P50), fmt.Sprintf("%.1f", r.P95))
		table = append(table, cells)
	}
	return table
}

func formatDecimals(v float64) string { return fmt.Sprintf("%.4f", v) }

// formatGain returns how far a figure is above another, in percent, or "" if they are equal or base is zero.
func formatGain(v, base float64) string {
	if base == 0 || v == base {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100*(v/base-1))
}

// showWeights formats weights as --weights takes them.
func showWeights(w ranking.Weights) string {
	var list []string
	for _, leg := range append(slices.Clone(rankingLegs), slices.DeleteFunc(slices.Sorted(maps.Keys(w)), func(l string) bool { return slices.Contains(rankingLegs, l) })...) {
		if w[leg] > 0 {
			list = append(list, leg+"="+strconv.FormatFloat(w[leg], 'g', -1, 64))
		}
	}
	return strings.Join(list, ",")
}
