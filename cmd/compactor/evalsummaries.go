package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/summaries"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

// summariesFlags holds the flags of eval summaries.
type summariesFlags struct {
	cases, run, save, against, by, kind, format string
	tokens                                      []int
	failBelow                                   []string
	misses                                      int
	pipeline                                    bool
}

// summaryGroups maps the values of --by to functions that return the group of a result.
var summaryGroups = map[string]func(summaries.Result) string{
	"kind":   func(r summaries.Result) string { return r.Kind },
	"source": func(r summaries.Result) string { return r.Source },
}

func (a *app) evalSummaries() *cobra.Command {
	var f summariesFlags
	cmd := &cobra.Command{
		Use:   "summaries",
		Short: "Summarize tool results: is what later calls needed still there?",
		Long:  helpText("summaries.txt"),
		Example: `  compactor eval summaries --cases results.jsonl
  compactor eval summaries --cases results.jsonl --tokens 300 --misses 5
  compactor eval summaries --cases results.jsonl --pipeline --no-model
  compactor eval summaries --cases results.jsonl --fail-below 1000.anch=0.8 --fail-below 1000.log.anch=0.85 --fail-below faith=0.99
  compactor eval summaries --cases results.jsonl --run other.jsonl`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runSummaries(cmd.Context(), f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.cases, "cases", "", "the results: JSON lines {id,kind,result,needed[],task?,tool?,arguments?,recent?}, or a directory with cases.jsonl")
	fl.IntSliceVar(&f.tokens, "tokens", []int{500, 1000, 2000}, "budgets of the summaries")
	fl.StringVar(&f.run, "run", "", "score the summaries of this file instead: JSON lines {id,budget?,summary}")
	fl.StringVar(&f.kind, "kind", "", "only cases of this kind")
	fl.StringVar(&f.save, "save", "", "write the results to this file")
	fl.StringVar(&f.against, "against", "", "compare with the results of this saved file")
	fl.StringArrayVar(&f.failBelow, "fail-below", nil, "[budget.][kind.]measure=least; may be repeated")
	fl.IntVar(&f.misses, "misses", 0, "also list so many of the cases that lost most")
	fl.BoolVar(&f.pipeline, "pipeline", false, "make them as serve does: by the hook on results, with counted tokens and the room of its note")
	f.by = "kind"
	fl.Var(choice{&f.by, []string{"kind", "source"}}, "by", "what the table is split by: kind or source")
	_ = cmd.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"kind", "source"}, cobra.ShellCompDirectiveNoFileComp))
	fl.BoolVar(&a.noModel, "no-model", false, "ask no model, even where one is configured")
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

// runSummaries runs the command: cases, summaries, tables.
func (a *app) runSummaries(ctx context.Context, f summariesFlags) error {
	least, cases, err := f.readInputs()
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	run, err := a.summarizeAll(ctx, f, cases)
	if errors.Is(err, context.Canceled) {
		return exit{exitBroken, "stopped; nothing was saved"}
	}
	if err != nil {
		return err
	}
	if len(run.Results) == 0 {
		return exit{exitBroken, fmt.Sprintf("no result is long enough for a budget of %d tokens: 1.5 times its four bytes a token", slices.Min(f.tokens))}
	}
	if f.save != "" {
		data, err := json.MarshalIndent(run, "", "  ")
		if err == nil {
			err = os.WriteFile(f.save, append(data, '\n'), 0o644)
		}
		if err != nil {
			return exit{exitBroken, "--save: " + err.Error()}
		}
	}
	if err := a.printSummaries(f, run); err != nil {
		return exit{exitBroken, err.Error()}
	}
	var missed []string
	for _, l := range least {
		if s := l.Missed(run); s != "" {
			missed = append(missed, s)
		}
	}
	if len(missed) > 0 {
		return exit{exitInvalid, strings.Join(missed, "\ncompactor: ")}
	}
	return nil
}

// readInputs checks the flags and reads the cases.
func (f summariesFlags) readInputs() (least []summaries.Least, list []summaries.Case, err error) {
	if f.cases == "" {
		return nil, nil, errors.New("--cases is missing: a file of tool results; see compactor eval summaries --help")
	}
	for _, n := range f.tokens {
		if n < 50 || n > 1_000_000 {
			return nil, nil, fmt.Errorf("--tokens %d: want whole numbers from 50 to 1000000", n)
		}
	}
	for _, s := range f.failBelow {
		l, err := summaries.ParseLeast(s)
		if err != nil {
			return nil, nil, fmt.Errorf("--fail-below: %w", err)
		}
		least = append(least, l)
	}
	path := f.cases
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "cases.jsonl")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if list, err = summaries.ReadCases(file, path); err != nil {
		return nil, nil, err
	}
	list = slices.DeleteFunc(list, func(c summaries.Case) bool { return f.kind != "" && c.Kind != f.kind })
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("%s holds no case of kind %s", path, f.kind)
	}
	return least, list, nil
}

// summarizeAll makes the summaries, or reads those that --run names, and scores
// them.
func (a *app) summarizeAll(ctx context.Context, f summariesFlags, list []summaries.Case) (*summaries.Run, error) {
	if f.run != "" {
		return f.scoreExternal(list)
	}
	svc, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	run := &summaries.Run{Config: svc.Snapshot().Plan.Config.Source.Hash()}
	line := newProgress(a.err)
	defer line.clear()
	for i, c := range list {
		line.show(catalog.Progress{Stage: "eval", Message: fmt.Sprintf("summarizing %d of %d", i+1, len(list)), Done: i, Total: len(list)})
		var about summaryContext
		raw, err := json.Marshal(c)
		if err == nil {
			err = json.Unmarshal(raw, &about)
		}
		if err != nil {
			return nil, exit{exitBroken, fmt.Sprintf("case %s: recent is not a list of {tool, arguments, result}: %v", c.ID, err)}
		}
		masked, _ := svc.Snapshot().Redactor.Redact(c.Result)
		for _, budget := range f.tokens {
			if !c.Counts(budget) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			var out string
			if f.pipeline {
				w, ok := svc.Served(ctx, about.toPrinted(svc.Snapshot().Redactor, masked, budget))
				if !ok && ctx.Err() == nil {
					return nil, exit{exitBroken, fmt.Sprintf("case %s: the hook on results makes nothing of it; does hooks.tool_result run? See compactor explain", c.ID)}
				}
				out = w.Text
			} else {
				out = a.shortenText(ctx, svc, masked, summarizeFlags{tokens: budget}, about).Summary
			}
			run.Results = append(run.Results, summaries.Score(c, out, budget))
		}
	}
	return run, nil
}

// scoreExternal scores summaries that were made elsewhere.
func (f summariesFlags) scoreExternal(list []summaries.Case) (*summaries.Run, error) {
	file, err := os.Open(f.run)
	if err != nil {
		return nil, exit{exitBroken, "--run: " + readError(f.run, err)}
	}
	defer file.Close()
	told, err := summaries.ReadTold(file, f.run)
	if err != nil {
		return nil, exit{exitBroken, "--run: " + err.Error()}
	}
	run := &summaries.Run{}
	for _, c := range list {
		for _, budget := range f.tokens {
			if c.Counts(budget) {
				run.Results = append(run.Results, summaries.Score(c, summaries.Find(told, c.ID, budget), budget))
			}
		}
	}
	return run, nil
}

// printSummaries prints the tables of a run.
func (a *app) printSummaries(f summariesFlags, run *summaries.Run) error {
	if f.format == string(render.JSON) {
		return printJSON(a.out, run)
	}
	for i, budget := range run.Budgets() {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		rows := run.Rows(budget, summaryGroups[f.by])
		rows[0][0] = strconv.Itoa(budget) + " tokens"
		if err := screen.Table(a.out, rows[0], rows[1:]); err != nil {
			return err
		}
	}
	if f.against != "" {
		if err := a.printDifference(f, run); err != nil {
			return err
		}
	}
	for i, r := range run.Worst(f.misses) {
		if i == 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintf(a.out, "%s at %d: %d of %d kept; missing %s\n", oneLine(r.ID), r.Budget, r.Kept, r.Needed, oneLine(strings.Join(r.Missing[:min(6, len(r.Missing))], ", ")))
		if len(r.Foreign) > 0 {
			fmt.Fprintf(a.out, "  not in the result: %s\n", oneLine(strings.Join(r.Foreign[:min(6, len(r.Foreign))], ", ")))
		}
	}
	return nil
}

// printDifference compares a run with a saved one, case by case.
func (a *app) printDifference(f summariesFlags, run *summaries.Run) error {
	var before summaries.Run
	data, err := os.ReadFile(f.against)
	if err == nil {
		err = json.Unmarshal(data, &before)
	}
	if err != nil {
		return fmt.Errorf("--against: %s is not a saved run: %w", f.against, err)
	}
	fmt.Fprintln(a.out)
	return screen.Table(a.out, []string{"against", "budget", "cases", "anch before", "now", "better", "worse"}, run.Against(&before))
}
