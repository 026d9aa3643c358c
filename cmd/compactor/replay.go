package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/selection"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// replayFlags holds the flags of replay.
type replayFlags struct {
	train, split, hold, lists, format string
	write, profile                    string
	sources                           []string
	folds                             int
	shown                             []int
	fit, rules, deterministic         bool
}

// maxList limits the lengths that --shown takes.
const maxList = 1000

func (a *app) replaySessions() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:     "replay LOG",
		GroupID: "look",
		Short:   "Replay logged sessions: would the lists of tools have held what was called?",
		Long:    helpText("replay.txt"),
		Example: `  compactor replay sessions.jsonl
  compactor replay sessions.jsonl --split session --shown 10,20
  compactor replay this-week.jsonl --train last-month.jsonl
  compactor replay sessions.jsonl --hold github --lists lists.jsonl
  compactor replay sessions.jsonl --rules --config .compactor
  compactor replay sessions.jsonl --profile work --fit --write ~/.config/compactor/weights.cue`,
		Args: requireArgs(1, 1, "a file of sessions; see compactor replay --help"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.profile = a.profile
			return a.replayLog(cmd.Context(), f, args[0])
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.train, "train", "", "learn from the sessions of this file alone, and test all of LOG")
	f.split = string(selection.ByTask)
	fl.Var(choice{&f.split, []string{string(selection.ByTask), string(selection.BySession)}}, "split", "what stays together in a fold: task or session")
	_ = cmd.RegisterFlagCompletionFunc("split", cobra.FixedCompletions([]string{string(selection.ByTask), string(selection.BySession)}, cobra.ShellCompDirectiveNoFileComp))
	numberFlag(cmd, &f.folds, "folds", 5, 2, 100, "parts that are tested in turn, by what the others teach")
	fl.IntSliceVar(&f.shown, "shown", []int{20, 50}, "lengths of the lists")
	fl.StringVar(&f.hold, "hold", "", "test this source, and learn from all others")
	fl.StringArrayVar(&f.sources, "source", nil, "only sessions of this source; may be repeated")
	fl.BoolVar(&f.fit, "fit", false, "find the weights of the predictors on what is learnt from, and print them as configuration")
	fl.StringVar(&f.write, "write", "", "with --fit, write them to this file of a configuration, such as .compactor/weights.cue")
	a.profileFlag(fl, "only sessions of a profile, as it learns: by its weights, half-life and learn_from, and its toolRules")
	fl.BoolVar(&f.rules, "rules", false, "say what the configuration's toolRules would have hidden of what was used")
	fl.StringVar(&f.lists, "lists", "", "write each list to this file: JSON lines {session,step,tools}, the best tool first")
	fl.BoolVar(&f.deterministic, "deterministic", false, "leave out times, so that equal runs give equal bytes")
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

// replayLog runs the command: log, sessions, tables.
func (a *app) replayLog(ctx context.Context, f replayFlags, path string) error {
	log, o, err := f.readLogs(path)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	cfg, err := a.inForce(ctx, f)
	if err != nil {
		return err
	}
	var set *rules.Set
	if f.rules {
		if set, err = rulesOf(cfg); err != nil {
			return err
		}
	}
	if f.profile != "" {
		if log, err = f.keepProfile(cfg, &o, log, path); err != nil {
			return exit{exitBroken, err.Error()}
		}
	}
	if err := f.spareLogs(path); err != nil {
		return err
	}
	run, err := a.replayAll(ctx, f, log, o)
	if errors.Is(err, context.Canceled) {
		return exit{exitBroken, "stopped; nothing was scored"}
	}
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if set != nil {
		run.Rules = selection.HoldRules(log, set)
	}
	if err := f.printRun(a.out, run); err != nil {
		return exit{exitBroken, err.Error()}
	}
	if f.write != "" {
		if err := writeWeights(f.write, weightsCUE(f.profile, run.Weights)); err != nil {
			return exit{exitBroken, err.Error()}
		}
	}
	return nil
}

// readLogs checks the flags and reads the logs.
func (f replayFlags) readLogs(path string) ([]selection.Session, selection.Options, error) {
	o := selection.Options{Split: selection.Split(f.split), Folds: f.folds, Hold: f.hold, Fit: f.fit, Weights: predict.DefaultWeights, HalfLife: predict.DefaultHalfLife}
	if f.train != "" && f.hold != "" {
		return nil, o, errors.New("--train and --hold both say what is learnt from; give one of them")
	}
	if f.write != "" && !f.fit {
		return nil, o, errors.New("--write: there are weights to write with --fit only")
	}
	if f.profile != "" && (len(f.sources) > 0 || f.hold != "") {
		return nil, o, errors.New("--profile is the source of a session as compactor data export has it; leave out --source and --hold")
	}
	if len(f.shown) == 0 {
		return nil, o, errors.New("--shown is empty: want lengths of lists, such as 20,50")
	}
	for _, n := range f.shown {
		if n < 1 || n > maxList {
			return nil, o, fmt.Errorf("--shown %d: want whole numbers from 1 to %d", n, maxList)
		}
	}
	o.Shown = slices.Compact(slices.Sorted(slices.Values(f.shown)))
	log, err := readSessions(path)
	if err != nil {
		return nil, o, err
	}
	if log, err = f.keepSources(log, path); err != nil {
		return nil, o, err
	}
	if f.train != "" {
		if o.Train, err = readSessions(f.train); err != nil {
			return nil, o, fmt.Errorf("--train: %w", err)
		}
	}
	return log, o, nil
}

func readSessions(path string) ([]selection.Session, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, errors.New(readError(path, err))
	}
	defer file.Close()
	return selection.ReadLog(file, path)
}

// keepSources keeps the sessions of the requested sources.
func (f replayFlags) keepSources(log []selection.Session, path string) ([]selection.Session, error) {
	for _, name := range append(slices.Clone(f.sources), f.hold) {
		if name != "" && !slices.ContainsFunc(log, func(s selection.Session) bool { return s.Source == name }) {
			return nil, fmt.Errorf("%s has no session of source %q%s", path, name, sourcesOf(log, name))
		}
	}
	if len(f.sources) > 0 {
		log = ofSources(log, f.sources)
	}
	return log, nil
}

func ofSources(log []selection.Session, sources []string) []selection.Session {
	return slices.DeleteFunc(slices.Clone(log), func(s selection.Session) bool { return !slices.Contains(sources, s.Source) })
}

// keepProfile keeps the sessions of the profile, and has them tested as the profile learns: with
// its weights, from its own sessions and from the profiles in learn_from.
func (f replayFlags) keepProfile(cfg *config.Config, o *selection.Options, log []selection.Session, path string) ([]selection.Session, error) {
	if set := cfg.Gateway.Selection; set != nil {
		if o.HalfLife = set.HalfLife; len(set.Weights) > 0 {
			o.Weights = set.Weights
		}
	}
	own, err := replayFlags{sources: []string{f.profile}}.keepSources(log, path)
	if err != nil || f.train == "" {
		o.Also = ofSources(log, cfg.LearnFrom)
		return own, err
	}
	train, also := ofSources(o.Train, []string{f.profile}), ofSources(o.Train, cfg.LearnFrom)
	if len(train)+len(also) == 0 {
		return nil, fmt.Errorf("--train: %s has no session of source %q%s", f.train, f.profile, sourcesOf(o.Train, f.profile))
	}
	o.Train, o.Also = train, also
	return own, nil
}

// sourcesOf suggests the source that was meant, or lists those that a log has.
func sourcesOf(log []selection.Session, name string) string {
	var names []string
	for _, s := range log {
		if s.Source != "" && !slices.Contains(names, s.Source) {
			names = append(names, s.Source)
		}
	}
	slices.Sort(names)
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	if len(names) == 0 {
		return "; its sessions name no source"
	}
	return "; it has " + strings.Join(names[:min(8, len(names))], ", ")
}

// inForce returns the configuration in force for the profile, or nil if no flag needs it.
func (a *app) inForce(ctx context.Context, f replayFlags) (*config.Config, error) {
	if !f.rules && f.profile == "" {
		return nil, nil
	}
	svc, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Snapshot().Plan.Config, nil
}

// rulesOf returns the tool rules of a configuration, narrowed by the rules of its profile.
func rulesOf(cfg *config.Config) (*rules.Set, error) {
	if len(cfg.ToolRules)+len(cfg.ProfileRules) == 0 {
		return nil, exit{exitInvalid, "--rules: the configuration in force has no toolRules; name another with --config, or leave --rules out"}
	}
	var all, narrower []rules.Rule
	for _, r := range cfg.ToolRules {
		all = append(all, rules.Rule(r))
	}
	for _, r := range cfg.ProfileRules {
		narrower = append(narrower, rules.Rule(r))
	}
	set, _ := rules.Compile(all) // the configuration is valid
	own, _ := rules.Compile(narrower)
	return set.Narrowed(own), nil
}

// replayAll replays the sessions, with a progress bar, and writes the lists.
func (a *app) replayAll(ctx context.Context, f replayFlags, log []selection.Session, o selection.Options) (run *selection.Run, err error) {
	bar := newProgress(a.err)
	defer bar.clear()
	o.Progress = func(done, total int) {
		bar.show(catalog.Progress{Stage: "replay", Message: fmt.Sprintf("session %d of %d", done+1, total), Done: done, Total: total})
	}
	if !f.deterministic {
		o.Now = time.Now
	}
	if f.lists != "" {
		file, err := os.Create(f.lists)
		if err != nil {
			return nil, fmt.Errorf("--lists: %w", err)
		}
		out := bufio.NewWriter(file)
		o.List = listWriter(out)
		defer func() {
			if e := errors.Join(out.Flush(), file.Close()); err == nil && e != nil {
				err = fmt.Errorf("--lists: %w", e)
			}
		}()
	}
	return selection.Replay(ctx, log, o)
}

// spareLogs returns an error if --lists would overwrite a log that is read.
func (f replayFlags) spareLogs(log string) error {
	out, err := os.Stat(f.lists)
	if err != nil {
		return nil // a new file
	}
	for _, read := range []string{log, f.train} {
		if in, err := os.Stat(read); err == nil && os.SameFile(in, out) {
			return exit{exitBroken, "--lists " + f.lists + " is a log that is read: name another file"}
		}
	}
	return nil
}

// listWriter returns a function that writes one list per line.
func listWriter(w io.Writer) func(string, int, []string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return func(session string, step int, tools []string) error {
		return e.Encode(struct {
			Session string   `json:"session"`
			Step    int      `json:"step"`
			Tools   []string `json:"tools"`
		}{session, step, tools})
	}
}

// printRun writes the tables.
func (f replayFlags) printRun(w io.Writer, run *selection.Run) error {
	if f.format == string(render.JSON) {
		return printJSON(w, run)
	}
	var tables [][][]string
	for _, n := range run.Shown {
		tables = append(tables, run.Rows(n))
	}
	for _, rows := range append(tables, run.KeptRows()) {
		for _, row := range rows {
			row[0] = oneLine(row[0]) // a source's name is foreign text
		}
		if err := screen.Table(w, rows[0], rows[1:]); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, l := range run.Notes() {
		fmt.Fprintln(w, oneLine(l))
	}
	if run.Weights == nil {
		return nil
	}
	return printWeights(w, weightsCUE(f.profile, run.Weights))
}
