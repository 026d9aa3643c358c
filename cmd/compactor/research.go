package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

func (a *app) research() *cobra.Command {
	var f callFlags
	var tokens, timeMS int
	var artifact bool
	var after []string
	cmd := &cobra.Command{
		Use:     "research QUESTION",
		GroupID: "use",
		Short:   "Answer a question about a codebase",
		Long: `Answer a question about the current directory, or the ones named with --root,
with path:line references that resolve. No model and no index is needed.

A follow-up such as "and where is it closed?" is read together with the question
before it: name that one with --after. It is asked first, and only the answer to
QUESTION is printed. A QUESTION that stands for itself is answered as without it.

Exit code 0: answered. 1: nothing found, or the question is not valid. 2: could not run.`,
		Example: `  compactor research "where is the worker pool built?"
  compactor research --root ~/src/prometheus "how are WAL segments truncated?"
  compactor research --after "where is the worker pool built?" "who calls it?"
  compactor research --format json --tokens 600 "show examples of table tests" | jq .answer`,
		Args: requireArgs(1, -1, `for example: compactor research "where is the worker pool built?"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.after = earlierQuestions(after)
			raw := questionArgs(args, map[string]any{"artifact": artifact}, tokens, timeMS)
			return a.callTool(cmd.Context(), commandTool(plan.Research), raw, f)
		},
	}
	f.bind(cmd, a)
	questionFlags(cmd, &after, &tokens, &timeMS)
	cmd.Flags().BoolVar(&artifact, "artifact", false, "also write the answer to the artifact directory")
	return cmd
}

// callFlags holds the flags of every command that calls a tool.
type callFlags struct {
	format        string
	deterministic bool
	record        string
	after         []json.RawMessage // arguments of the calls before this one in its session
}

// earlierQuestions returns the arguments of a call for each question.
func earlierQuestions(questions []string) []json.RawMessage {
	var out []json.RawMessage
	for _, q := range questions {
		raw, _ := json.Marshal(map[string]any{"question": q}) // a map of strings always has a JSON form
		out = append(out, raw)
	}
	return out
}

func (f *callFlags) bind(cmd *cobra.Command, a *app) {
	cmd.Flags().StringArrayVar(&a.roots, "root", nil, "directory to search; may be repeated (default: the configuration's, else the current one)")
	formatFlag(cmd, &f.format, render.Formats...)
	cmd.Flags().BoolVar(&f.deterministic, "deterministic", false, "leave out times, so that equal runs give equal bytes")
	cmd.Flags().BoolVar(&a.noModel, "no-model", false, "answer without a model even where one is configured")
	cmd.Flags().StringVar(&f.record, "record", "", "write what is said to models and back into this file, for a replay")
}

// toolPick says which tool of a configuration is called.
type toolPick func(*service.Service) (string, error)

// namedTool picks the tool of that name, whether it exists or not.
func namedTool(name string) toolPick {
	return func(*service.Service) (string, error) { return name, nil }
}

// commandTool picks the tool that the configuration assigns to a command.
func commandTool(command string) toolPick {
	return func(svc *service.Service) (string, error) {
		t, err := svc.Command(command)
		if err != nil {
			return "", err
		}
		return t.Name, nil
	}
}

// callTool calls a tool, prints the reply and, with --record, records the exchanges with models.
func (a *app) callTool(ctx context.Context, tool toolPick, args json.RawMessage, f callFlags) error {
	format, err := render.Parse(f.format)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if a.recorder, err = newRecorder(f.record); err != nil {
		return err
	}
	return a.finishRecording(a.recorder, a.answerCall(ctx, tool, args, format, f))
}

func (a *app) answerCall(ctx context.Context, tool toolPick, args json.RawMessage, format render.Format, f callFlags) error {
	a.once = true
	defer holdHeap()()
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	a.confine(svc, dirOf(f.record))
	name, err := tool(svc)
	if err != nil {
		return toExit(err)
	}
	line := newProgress(a.err)
	reply, err := f.invokeAfter(ctx, svc, service.Call{Tool: name, Args: args, Deterministic: f.deterministic, Progress: line.show})
	line.clear()
	if err != nil {
		return toExit(err)
	}
	linkPlaces(a.out, svc.Snapshot().Roots)
	if err := render.Print(a.out, reply.JSON, reply.Type, format); err != nil {
		return exit{exitBroken, "the answer could not be written: " + err.Error()}
	}
	if service.Empty(reply.JSON) {
		return exit{exitInvalid, ""}
	}
	return nil
}

// invokeAfter makes a call after those that come before it in its session.
func (f callFlags) invokeAfter(ctx context.Context, svc *service.Service, c service.Call) (*service.Reply, error) {
	if len(f.after) > 0 {
		c.Caller.Session = svc.Session("command line")
	}
	last := c.Args
	for _, c.Args = range f.after {
		if _, err := svc.Invoke(ctx, c); err != nil {
			return nil, err
		}
	}
	c.Args = last
	return svc.Invoke(ctx, c)
}
