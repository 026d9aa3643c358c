package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/answers"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/quotes"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
)

// evalDocsFlags holds the flags of eval docs.
type evalDocsFlags struct {
	cases, foreign, style, format string
	generate, passages, tokens    int
	support                       float64
	seed                          uint64
	failBelow                     []string
}

func (a *app) evalDocs() *cobra.Command {
	var f evalDocsFlags
	cmd := &cobra.Command{
		Use:   "docs DIR",
		Short: "Answer questions from a folder of documents: is it said, and are the quotes there?",
		Long:  helpText("evaldocs.txt"),
		Example: `  compactor eval docs manual --cases questions.jsonl
  compactor eval docs manual --generate 100
  compactor eval docs manual --cases questions.jsonl --foreign other-manual --format json`,
		Args: requireArgs(1, 1, "a folder of documents; see compactor eval docs --help"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.evalDocsRun(cmd.Context(), f, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.cases, "cases", "", "the questions: JSON lines {id,kind,question,nuggets?[]}; one without nuggets is one that nothing answers")
	numberFlag(cmd, &f.generate, "generate", 0, 0, 10_000, "questions to make of the documents themselves")
	fl.Uint64Var(&f.seed, "seed", 1, "draws the questions that are made; another seed, other questions")
	fl.StringVar(&f.foreign, "foreign", "", "another folder: as many questions made of it are asked too, which these documents do not answer")
	numberFlag(cmd, &f.passages, "passages", 6, 1, answer.MaxPassages, "passages that are found for a question")
	numberFlag(cmd, &f.tokens, "tokens", 260, 1, 100_000, "the most tokens of an answer")
	fl.StringVar(&f.style, "style", string(answer.Default), "concise, default or technical")
	fl.Float64Var(&f.support, "support", answer.Threshold, "the least support with which something is answered, 0..1; below 0 everything is")
	fl.StringArrayVar(&f.failBelow, "fail-below", nil, "measure=least of the composed answers: "+strings.Join(quotes.Measures, ", ")+"; may be repeated")
	formatFlag(cmd, &f.format, string(render.Text), string(render.JSON))
	return cmd
}

func (a *app) evalDocsRun(ctx context.Context, f evalDocsFlags, dir string) error {
	var least []quotes.Threshold
	for _, s := range f.failBelow {
		t, err := quotes.ParseThreshold(s)
		if err != nil {
			return exit{exitBroken, "--fail-below: " + err.Error()}
		}
		least = append(least, t)
	}
	rows, err := a.docsRows(ctx, f, dir)
	if errors.Is(err, context.Canceled) {
		return exit{exitBroken, "stopped"}
	}
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if err := a.printDocsRows(f, rows); err != nil {
		return exit{exitBroken, err.Error()}
	}
	var missed []string
	for _, t := range least {
		if s := t.Missed(rows[0]); s != "" {
			missed = append(missed, s)
		}
	}
	if len(missed) > 0 {
		return exit{exitInvalid, strings.Join(missed, "\ncompactor: ")}
	}
	return nil
}

func (a *app) printDocsRows(f evalDocsFlags, rows []quotes.Row) error {
	if f.format == string(render.JSON) {
		return printJSON(a.out, struct {
			Methods []quotes.Row `json:"methods"`
		}{rows})
	}
	var table [][]string
	for _, r := range rows {
		table = append(table, []string{r.Method, formatDecimals(r.Nuggets), formatDecimals(r.Answered), formatDecimals(r.Denied), formatDecimals(r.Honest), strconv.Itoa(r.Citations), formatDecimals(r.Right), fmt.Sprintf("%.0f", r.Tokens),
			fmt.Sprintf("%.1f", r.Calls), fmt.Sprintf("%.1f", r.P50), fmt.Sprintf("%.1f", r.P95)})
	}
	fmt.Fprintf(a.out, "%d questions, and %d that nothing answers\n", rows[0].Questions, rows[0].Foreign)
	return screen.Table(a.out, []string{"answer", "nuggets", "answered", "denied", "honest", "quotes", "right", "tokens", "calls", "p50 ms", "p95 ms"}, table)
}

// docsRows asks all questions with every method.
func (a *app) docsRows(ctx context.Context, f evalDocsFlags, dir string) ([]quotes.Row, error) {
	policy := answer.Policy{Style: answer.Style(f.style), Tokens: f.tokens, Support: f.support}
	if err := policy.Check(); err != nil {
		return nil, err
	}
	line := newProgress(a.err)
	defer line.clear()
	l, err := a.openDocs(ctx, dir, line)
	if err != nil {
		return nil, err
	}
	cases, err := a.docsCases(ctx, f, l, line)
	if err != nil {
		return nil, err
	}
	methods := append([]quotes.Method{quotes.Composed(policy)}, append(quotes.Baselines(), quotes.Ceiling())...)
	var rows []quotes.Row
	done := 0
	for _, m := range methods {
		row, err := quotes.Run(ctx, l, m, cases, quotes.Options{Passages: f.passages, Tokens: f.tokens}, func() {
			done++
			line.show(catalog.Progress{Stage: "eval", Message: fmt.Sprintf("%s: %d of %d", m.Name, done, len(methods)*len(cases)), Done: done, Total: len(methods) * len(cases)})
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// docsCases reads and generates the questions.
func (a *app) docsCases(ctx context.Context, f evalDocsFlags, l *quotes.Library, line *progress) (cases []answers.Case, err error) {
	if f.cases != "" {
		file, err := os.Open(f.cases)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if cases, err = answers.ReadCases(file, f.cases); err != nil {
			return nil, err
		}
	}
	cases = append(cases, quotes.Generate(l, f.generate, f.seed)...)
	if len(cases) == 0 {
		return nil, errors.New("there is no question; name a file with --cases, or have some made with --generate")
	}
	if f.foreign == "" {
		return cases, nil
	}
	other, err := a.openDocs(ctx, f.foreign, line)
	if err != nil {
		return nil, err
	}
	for _, c := range quotes.Generate(other, len(cases), f.seed) {
		cases = append(cases, answers.Case{ID: "foreign-" + c.ID, Kind: "foreign", Question: c.Question})
	}
	return cases, nil
}

// openDocs reads the documents below a folder. Other files, and documents whose text cannot be extracted, are skipped.
func (a *app) openDocs(ctx context.Context, dir string, line *progress) (*quotes.Library, error) {
	var list []quotes.Document
	readers := extractor.Extractors(extractor.Limits{})
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && path != dir && strings.HasPrefix(e.Name(), ".") {
			return filepath.SkipDir
		}
		by, known := extract.For(readers, path)
		if info, err := e.Info(); err != nil || !known || !info.Mode().IsRegular() || info.Size() > extract.MaxInput {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		line.show(catalog.Progress{Stage: "eval", Message: "reading " + rel})
		text, err := by.Extract(ctx, filepath.ToSlash(rel), data)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			list = append(list, quotes.Document{URI: filepath.ToSlash(rel), Text: text})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there is no document; Markdown, reStructuredText, AsciiDoc, text, HTML, PDF, Word and notebooks are read", dir)
	}
	return quotes.Open(ctx, list)
}
