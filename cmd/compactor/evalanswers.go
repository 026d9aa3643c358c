package main

import (
	"bytes"
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
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/lab/commitbench"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/answers"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// answersFlags holds the flags of eval answers.
type answersFlags struct {
	root, repos, cases, kind, tool, format string
	save, against, show                    string
	only                                   []string
	deterministic                          bool
}

func (a *app) evalAnswers() *cobra.Command {
	var f answersFlags
	cmd := &cobra.Command{
		Use:   "answers",
		Short: "Ask questions whose facts are known: does the reply say them?",
		Long:  helpText("answers.txt"),
		Example: `  compactor eval answers --cases questions.jsonl
  compactor eval answers --cases questions.jsonl --save before.json
  compactor eval answers --cases questions.jsonl --against before.json
  compactor eval answers --cases questions.jsonl --show retries`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runAnswers(cmd.Context(), f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.cases, "cases", "", "the questions: JSON lines {id,kind,question,gold?[],nuggets?[],earlier?,commit?,repo?}")
	fl.StringVar(&f.root, "root", ".", "directory that is asked about; a git repository where a question names a commit")
	fl.StringVar(&f.repos, "repos", "", "directory of git repositories named owner+name or owner/name, for questions that name one")
	fl.StringVar(&f.kind, "kind", "", "only questions of this kind")
	fl.StringArrayVar(&f.only, "only", nil, "only questions of this repository; may be repeated")
	fl.StringVar(&f.show, "show", "", "print one question with what its reply does not say, and the reply")
	fl.StringVar(&f.tool, "tool", "", "tool of the configuration to ask; it must take a question (default: that of compactor research)")
	fl.StringVar(&f.save, "save", "", "write questions, replies and results to this file")
	fl.StringVar(&f.against, "against", "", "compare with the results of this saved file")
	fl.BoolVar(&a.noModel, "no-model", false, "ask no model, even where one is configured")
	fl.BoolVar(&f.deterministic, "deterministic", false, "leave out times, so that equal runs give equal bytes")
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

// runAnswers runs the command: questions, replies, tables.
func (a *app) runAnswers(ctx context.Context, f answersFlags) error {
	list, before, err := f.readInputs()
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	run, err := a.askAll(ctx, f, list)
	if errors.Is(err, context.Canceled) {
		return exit{exitBroken, "stopped; nothing was saved"}
	}
	if err != nil {
		return exit{exitBroken, err.Error()}
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
	if err := f.printRun(a.out, run, before); err != nil {
		return exit{exitBroken, err.Error()}
	}
	return nil
}

// readInputs reads the files that the flags name and selects the questions to ask.
func (f answersFlags) readInputs() (list []answers.Case, before *answers.Run, err error) {
	if f.cases == "" {
		return nil, nil, errors.New("--cases is missing: a file of questions; see compactor eval answers --help")
	}
	file, err := os.Open(f.cases)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if list, err = answers.ReadCases(file, f.cases); err != nil {
		return nil, nil, err
	}
	list = slices.DeleteFunc(list, func(c answers.Case) bool {
		return f.kind != "" && c.Kind != f.kind || len(f.only) > 0 && !slices.Contains(f.only, c.Repo) || f.show != "" && c.ID != f.show
	})
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("%s holds no such question", f.cases)
	}
	if f.against == "" {
		return list, nil, nil
	}
	data, err := os.ReadFile(f.against)
	if err == nil {
		if err = json.Unmarshal(data, &before); err != nil {
			err = fmt.Errorf("%s is not a saved run: %w", f.against, err)
		}
	}
	return list, before, err
}

// askAll asks all questions with one loaded configuration, tree by tree.
func (a *app) askAll(ctx context.Context, f answersFlags, list []answers.Case) (*answers.Run, error) {
	opt, err := a.options()
	if err != nil {
		return nil, err
	}
	opt.OnlyRoots = true
	opt.Artifacts = filepath.Join(os.TempDir(), "compactor-eval-none")
	opt.Roots = map[string][]string{"code": {}}
	loaded, diags, err := service.Load(ctx, opt)
	if err != nil {
		return nil, err
	}
	if loaded == nil {
		a.printDiags(diags)
		return nil, fmt.Errorf("the configuration in %s is not valid; nothing was run", opt.Display)
	}
	defer loaded.Close()
	run := &answers.Run{Config: loaded.Plan.Config.Source.Hash()}
	if run.Tool, err = (&localizeFlags{tool: f.tool}).toolName(service.New(loaded)); err != nil {
		return nil, err
	}
	a.confineTo(loaded, f.asksAbout(list), dirOf(f.save)) // as when the tool is used for real
	temp, err := os.MkdirTemp("", "compactor-eval-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	line := newProgress(a.err)
	defer line.clear()
	run.Results = make([]answers.Result, len(list))
	done := 0
	for tree, of := range byTree(list) {
		dir, err := f.layOut(ctx, tree, filepath.Join(temp, fmt.Sprint(done)))
		if err != nil {
			return nil, err
		}
		snap, err := loaded.Elsewhere(map[string][]string{"code": {dir}})
		if err != nil {
			return nil, err
		}
		for _, i := range of {
			line.show(catalog.Progress{Stage: "eval", Message: fmt.Sprintf("asking %d of %d", done+1, len(list)), Done: done, Total: len(list)})
			if run.Results[i], err = askOne(ctx, snap, run.Tool, dir, list[i], f.deterministic); err != nil {
				return nil, errors.Join(err, snap.Close())
			}
			done++
		}
		if err := snap.Close(); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// askedTree identifies the files that questions are about.
type askedTree struct{ repo, commit string }

// byTree iterates over the trees in the order of the questions, with the indexes of each tree's questions.
func byTree(list []answers.Case) func(func(askedTree, []int) bool) {
	groups := map[askedTree][]int{}
	var order []askedTree
	for i, c := range list {
		t := askedTree{c.Repo, c.Commit}
		if groups[t] == nil {
			order = append(order, t)
		}
		groups[t] = append(groups[t], i)
	}
	return func(yield func(askedTree, []int) bool) {
		for _, t := range order {
			if !yield(t, groups[t]) {
				return
			}
		}
	}
}

// asksAbout lists the directories that the questions are about. A missing one is reported
// when its question is asked.
func (f answersFlags) asksAbout(list []answers.Case) []string {
	var dirs []string
	for _, c := range list {
		dir := f.root
		if c.Repo != "" && f.repos != "" {
			var err error
			if dir, err = f.findRepository(c.Repo); err != nil {
				continue
			}
		}
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// layOut returns the directory of a tree: the root itself, or one with the files of a commit.
func (f answersFlags) layOut(ctx context.Context, t askedTree, temp string) (string, error) {
	from := f.root
	if t.repo != "" && f.repos != "" {
		var err error
		if from, err = f.findRepository(t.repo); err != nil {
			return "", err
		}
	}
	if t.commit == "" {
		return from, nil
	}
	repo, err := githistory.Open(ctx, from)
	if err != nil {
		return "", err
	}
	if !repo.Has(ctx, t.commit) {
		return "", fmt.Errorf("%s has no commit %.12s, which a question is about; name the repository with --root, or several with --repos", from, t.commit)
	}
	name := filepath.Base(strings.ReplaceAll(t.repo, "..", ""))
	if t.repo == "" || !filepath.IsLocal(name) {
		name = "tree"
	}
	dir := filepath.Join(temp, name)
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil { // an empty .git marks a work tree
		return "", err
	}
	layout, err := repo.Layout(ctx, dir)
	if err != nil {
		return "", err
	}
	defer layout.Close()
	return dir, layout.To(ctx, t.commit)
}

// findRepository returns the directory of a repository below --repos.
func (f answersFlags) findRepository(name string) (string, error) {
	plus := strings.ReplaceAll(name, "/", "+")
	for _, sub := range []string{plus + "/repo", plus, plus + ".git", name, name + ".git"} {
		dir := filepath.Join(f.repos, filepath.FromSlash(sub))
		if info, err := os.Stat(dir); err == nil && info.IsDir() && filepath.IsLocal(filepath.FromSlash(sub)) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%s holds no repository %s; want %s in it", f.repos, name, plus)
}

// askOne asks a question, as a follow-up to its earlier one if any, and scores the reply that a reader sees.
func askOne(ctx context.Context, snap *service.Snapshot, tool, dir string, c answers.Case, deterministic bool) (answers.Result, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return answers.Result{}, err
	}
	defer root.Close()
	known := func(path string) bool {
		info, err := root.Stat(filepath.FromSlash(path))
		return err == nil && info.Mode().IsRegular()
	}
	var flags callFlags
	if c.Earlier != "" {
		flags.after = earlierQuestions([]string{c.Earlier})
	}
	args := earlierQuestions([]string{c.Question})[0]
	svc := service.New(snap)
	defer svc.Close()
	start := time.Now()
	reply, err := flags.invokeAfter(ctx, svc, service.Call{Tool: tool, Args: args, Deterministic: true})
	r := answers.Reply{Seconds: time.Since(start).Seconds()}
	if deterministic {
		r.Seconds = 0
	}
	if ctx.Err() != nil {
		return answers.Result{}, ctx.Err()
	}
	if err != nil {
		r.Failed = err.Error()
		return answers.Score(c, r, known), nil
	}
	var text bytes.Buffer
	if err := render.Print(&text, reply.JSON, reply.Type, render.Text); err != nil {
		return answers.Result{}, err
	}
	r.Text, r.Tokens = text.String(), tokens.Count(text.String())
	r.Confidence = commitbench.ConfidenceOf(reply.JSON)
	return answers.Score(c, r, known), nil
}

// printRun writes the tables, or one question with its reply.
func (f answersFlags) printRun(w io.Writer, run, before *answers.Run) error {
	if f.format == string(render.JSON) {
		return printJSON(w, run)
	}
	if f.show != "" {
		_, err := io.WriteString(w, run.Results[0].Show())
		return err
	}
	tables := [][][]string{run.Rows(), run.Confidence()}
	if before != nil {
		tables = append(tables, run.Against(before))
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := screen.Table(w, t[0], t[1:]); err != nil {
			return err
		}
	}
	return nil
}
