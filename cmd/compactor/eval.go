package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/lab/commitbench"
	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

func (a *app) eval() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "eval",
		GroupID: "config",
		Short:   "Measure what a configuration finds",
		Long: `Measure how well a configuration answers, on questions whose answers are known.
What is measured is the tool as "compactor call" runs it: with the models that are
configured, else offline.`,
		Args: oneCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.evalLocalize(), a.evalAnswers(), a.evalSummaries(), a.evalRun(), a.evalDocs())
	return cmd
}

// localizeFlags holds the flags of eval localize.
type localizeFlags struct {
	commitbench.Options
	root, since, kind, tool, format string
	save, against, cases            string
	failBelow                       []string
	misses, deterministic           bool
}

func (a *app) evalLocalize() *cobra.Command {
	var f localizeFlags
	cmd := &cobra.Command{
		Use:   "localize",
		Short: "Replay your git history: does a commit's message find the files it changed?",
		Long:  helpText("localize.txt"),
		Example: `  compactor eval localize --root ~/src/prometheus
  compactor eval localize --kind all --commits 80 --jobs 2 --misses
  compactor eval localize --fail-below hit5=0.8 --fail-below definition.hit1=0.95
  compactor eval localize --cases recorded.jsonl --format json | jq .groups`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runLocalize(cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.root, "root", ".", "git repository to replay, or a directory in one")
	numberFlag(cmd, &f.Commits, "commits", 40, 1, 100_000, "questions to take from history")
	fl.StringVar(&f.since, "since", "", "only commits since this day (2025-01-31)")
	fl.Uint64Var(&f.Seed, "seed", 1, "draws the questions; another seed, other questions")
	fl.StringVar(&f.kind, "kind", eval.History, "history, definition, absent or all")
	fl.StringVar(&f.tool, "tool", "", "tool of the configuration to ask; it must take a question and answer with references (default: that of compactor research)")
	fl.StringVar(&f.save, "save", "", "write questions and results to this file")
	fl.StringVar(&f.against, "against", "", "ask the questions of this saved file again and compare")
	fl.StringVar(&f.cases, "cases", "", "ask recorded questions instead: JSON lines {id,kind,question,gold[],parent?,commit?,line?}")
	fl.StringArrayVar(&f.failBelow, "fail-below", nil, "[group.]measure=least; may be repeated")
	fl.BoolVar(&f.misses, "misses", false, "also list the questions that were missed")
	formatFlag(cmd, &f.format, render.Formats...)
	fl.BoolVar(&a.noModel, "no-model", false, "ask no model, even where one is configured")
	fl.BoolVar(&f.deterministic, "deterministic", false, "leave out times, so that equal runs give equal bytes")
	numberFlag(cmd, &f.Jobs, "jobs", 1, 1, 64, "trees to search at a time; more than one blurs the seconds")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(append(slices.Clone(eval.Kinds), commitbench.All), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// runLocalize runs the command: flags, questions, answers, report.
func (a *app) runLocalize(cmd *cobra.Command, f localizeFlags) error {
	format, err := render.Parse(f.format)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	run := &eval.Run{Choice: eval.Choice{Kind: f.kind, Commits: f.Commits, Since: f.since, Seed: f.Seed, Cases: f.cases != ""}}
	before, thresholds, err := f.readInputs(cmd, run)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if err := a.replayCases(cmd.Context(), f, run, before); err != nil {
		return err
	}
	if err := a.writeReport(run, before, f, format); err != nil {
		return exit{exitBroken, err.Error()}
	}
	return checkThresholds(thresholds, run)
}

// readInputs checks the flags and reads the files that they name.
func (f *localizeFlags) readInputs(cmd *cobra.Command, run *eval.Run) (before *eval.Run, least []eval.Threshold, err error) {
	if f.Kind = f.kind; f.kind != commitbench.All && !slices.Contains(eval.Kinds, f.kind) {
		return nil, nil, fmt.Errorf("--kind %s: want one of %s, %s", f.kind, strings.Join(eval.Kinds, ", "), commitbench.All)
	}
	if f.since != "" {
		if f.Since, err = time.Parse(time.DateOnly, f.since); err != nil {
			return nil, nil, fmt.Errorf("--since %s: want a day such as 2025-01-31", f.since)
		}
	}
	for _, s := range f.failBelow {
		t, err := eval.ParseThreshold(s)
		if err != nil {
			return nil, nil, fmt.Errorf("--fail-below: %w", err)
		}
		least = append(least, t)
	}
	if f.Dir, err = filepath.Abs(f.root); err != nil {
		return nil, nil, err
	}
	if f.cases != "" {
		if err := f.readCases(cmd); err != nil {
			return nil, nil, err
		}
	}
	if f.against == "" {
		return nil, least, nil
	}
	before, err = f.readEarlier(cmd, run)
	return before, least, err
}

// readCases reads --cases; all of them are asked unless --kind is set.
func (f *localizeFlags) readCases(cmd *cobra.Command) error {
	file, err := os.Open(f.cases)
	if err != nil {
		return err
	}
	defer file.Close()
	if f.Cases, err = eval.ReadCases(file, f.cases); err != nil {
		return err
	}
	if !cmd.Flags().Changed("kind") {
		f.Kind = commitbench.All
	}
	return nil
}

// readEarlier reads --against and takes over its questions, so that both runs are asked the same.
// A flag that would choose others is an error.
func (f *localizeFlags) readEarlier(cmd *cobra.Command, run *eval.Run) (*eval.Run, error) {
	data, err := os.ReadFile(f.against)
	if err != nil {
		return nil, err
	}
	before, err := eval.Read(data, f.against)
	if err != nil {
		return nil, err
	}
	if f.cases != "" {
		return before, nil
	}
	was := before.Choice
	for name, same := range map[string]bool{"commits": was.Commits == f.Commits, "since": was.Since == f.since,
		"seed": was.Seed == f.Seed, "kind": was.Kind == f.kind} {
		if cmd.Flags().Changed(name) && !same {
			return nil, fmt.Errorf("--against asks the questions of %s again, and --%s would choose others; leave it out, or save again", f.against, name)
		}
	}
	run.Choice, run.Looked = was, before.Looked
	f.Cases, f.Kind = before.Questions(), commitbench.All
	return before, nil
}

// replayCases asks the questions with one loaded configuration. before may be nil.
func (a *app) replayCases(ctx context.Context, f localizeFlags, run, before *eval.Run) error {
	opt, err := a.options()
	if err != nil {
		return err
	}
	opt.OnlyRoots = true // whatever else the configuration opens was written after the commits
	opt.Artifacts = filepath.Join(os.TempDir(), "compactor-eval-none")
	var loaded *service.Snapshot
	opt.Roots = map[string][]string{"code": {}}
	snap, diags, err := service.Load(ctx, opt)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if loaded = snap; loaded == nil {
		a.printDiags(diags)
		return exit{exitBroken, fmt.Sprintf("the configuration in %s is not valid; nothing was run", opt.Display)}
	}
	defer loaded.Close()
	if run.Tool, err = f.toolName(service.New(loaded)); err != nil {
		return exit{exitBroken, err.Error()}
	}
	a.confineTo(loaded, []string{f.Dir}, dirOf(f.save)) // as when the tool is used for real
	run.Config = loaded.Plan.Config.Source.Hash()
	line := newProgress(a.err)
	f.Source, f.Definitions, f.Count, f.Mask = isSource, scanDefinitions, tokens.Count, loaded.Egress.Text
	if before != nil {
		for i, c := range before.Cases { // it may have been saved before a masking rule was added
			before.Cases[i].Question, before.Cases[i].ID = f.Mask(c.Question), f.Mask(c.ID)
		}
	}
	f.Show = func(step string, done, total int) {
		line.show(catalog.Progress{Stage: "eval", Message: fmt.Sprintf("%s %d of %d", step, done, total), Done: done, Total: total})
	}
	f.Open = func(dir string) (commitbench.Asker, error) {
		s, err := loaded.Elsewhere(map[string][]string{"code": {dir}}) // each job has a tree of its own
		if err != nil {
			return nil, err
		}
		return asker{service.New(s), s, run.Tool}, nil
	}
	out, err := commitbench.Run(ctx, f.Options)
	line.clear()
	if errors.Is(err, context.Canceled) {
		return exit{exitBroken, "stopped; nothing was saved"}
	}
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if why := allFailed(out.Cases); why != "" {
		return exit{exitBroken, "the tool answered no question: " + why}
	}
	run.Head, run.Cases = out.Head, out.Cases
	if len(out.Looked.Out) > 0 {
		run.Looked = out.Looked
	}
	if n := len(out.Absent); n > 0 {
		fmt.Fprintf(a.err, "compactor: %d recorded questions left out: %s holds none of their commits\n", n, f.root)
	}
	if f.deterministic {
		for i := range run.Cases {
			run.Cases[i].Seconds = 0
		}
	}
	run.Finish()
	return nil
}

// toolName returns the name of the tool to ask.
func (f *localizeFlags) toolName(svc *service.Service) (string, error) {
	find := func() (*plan.Tool, error) { return svc.Tool(f.tool) }
	if f.tool == "" {
		find = func() (*plan.Tool, error) { return svc.Command(plan.Research) }
	}
	t, err := find()
	if err != nil {
		return "", err
	}
	return t.Name, nil
}

// allFailed returns why the first question failed, or "" if any question has a reply.
func allFailed(list []eval.Result) string {
	for _, r := range list {
		if r.Failed == "" {
			return ""
		}
	}
	return list[0].Failed
}

// asker asks a tool of a service as the command line does.
type asker struct {
	*service.Service
	snap *service.Snapshot
	tool string
}

func (k asker) Ask(ctx context.Context, question string) (json.RawMessage, error) {
	raw, err := json.Marshal(map[string]string{"question": question})
	if err != nil {
		return nil, err
	}
	reply, err := k.Invoke(ctx, service.Call{Tool: k.tool, Args: raw, Deterministic: true})
	if err != nil {
		return nil, err
	}
	return reply.JSON, nil
}

func (k asker) Close() error { return errors.Join(k.Service.Close(), k.snap.Close()) }

// writeReport writes what --save and --format ask for.
func (a *app) writeReport(run, before *eval.Run, f localizeFlags, format render.Format) error {
	if f.save != "" {
		data, err := run.JSON()
		if err == nil {
			err = os.WriteFile(f.save, data, 0o644)
		}
		if err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	if format != render.JSON {
		_, err := io.WriteString(a.out, eval.Show(run, before, f.misses, format == render.Markdown))
		return err
	}
	if before != nil {
		run.Against = eval.Compare(before.Cases, run.Cases)
	}
	data, err := run.JSON()
	if err != nil {
		return err
	}
	_, err = a.out.Write(data)
	return err
}

// checkThresholds returns an error that lists the thresholds that are not met.
func checkThresholds(least []eval.Threshold, run *eval.Run) error {
	var missed []string
	for _, t := range least {
		if s := t.Missed(run.Cases); s != "" {
			missed = append(missed, s)
		}
	}
	if len(missed) > 0 {
		return exit{exitInvalid, strings.Join(missed, "\ncompactor: ")}
	}
	return nil
}
