package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"compactor/runtime/render"
	"compactor/runtime/service"
)

func (a *app) research() *cobra.Command {
	var f callFlags
	var tokens, timeMS int
	var artifact bool
	cmd := &cobra.Command{
		Use:     "research QUESTION",
		GroupID: "use",
		Short:   "Answer a question about a codebase",
		Long: `Answer a question about the current directory, or the ones named with --root,
with path:line references that resolve. No model and no index is needed.

Exit code 0: answered. 1: nothing found, or the question is not valid. 2: could not run.`,
		Example: `  compactor research "where is the worker pool built?"
  compactor research --root ~/src/prometheus "how are WAL segments truncated?"
  compactor research --format json --tokens 600 "show examples of table tests" | jq .answer`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			input := map[string]any{"question": strings.Join(args, " "), "artifact": artifact}
			limits := map[string]any{}
			if tokens > 0 {
				limits["tokens"] = tokens
			}
			if timeMS > 0 {
				limits["time_ms"] = timeMS
			}
			if len(limits) > 0 {
				input["constraints"] = limits
			}
			raw, err := json.Marshal(input)
			if err != nil {
				return err
			}
			return a.run(cmd.Context(), "research_codebase", raw, f)
		},
	}
	f.bind(cmd, a)
	cmd.Flags().IntVar(&tokens, "tokens", 0, "size of the answer at most (default 1000)")
	cmd.Flags().IntVar(&timeMS, "time-ms", 0, "time for the answer at most, in milliseconds")
	cmd.Flags().BoolVar(&artifact, "artifact", false, "also write the answer to the artifact directory")
	return cmd
}

// callFlags are those of every command that calls a tool.
type callFlags struct {
	format        string
	deterministic bool
	record        string
}

func (f *callFlags) bind(cmd *cobra.Command, a *app) {
	cmd.Flags().StringArrayVar(&a.roots, "root", nil, "directory to search; may be repeated (default: the configuration's, else the current one)")
	cmd.Flags().StringVar(&f.format, "format", "text", "text, json or md")
	cmd.Flags().BoolVar(&f.deterministic, "deterministic", false, "leave out times, so that equal runs give equal bytes")
	cmd.Flags().BoolVar(&a.noModel, "no-model", false, "answer without a model even where one is configured")
	cmd.Flags().StringVar(&f.record, "record", "", "write what is said to models and back into this file, for a replay")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(render.Formats, cobra.ShellCompDirectiveNoFileComp))
}

// run calls a tool and prints the reply, and records what models say where that
// is asked for.
func (a *app) run(ctx context.Context, tool string, args json.RawMessage, f callFlags) error {
	format, err := render.Parse(f.format)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if a.recorder, err = newRecorder(f.record); err != nil {
		return err
	}
	return a.finish(a.recorder, a.answer(ctx, tool, args, format, f.deterministic))
}

func (a *app) answer(ctx context.Context, tool string, args json.RawMessage, format render.Format, deterministic bool) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	defer growHeap(growOnce)()
	line := newProgress(a.err)
	reply, err := svc.Invoke(ctx, service.Call{Tool: tool, Args: args, Deterministic: deterministic, Progress: line.show})
	line.clear()
	if err != nil {
		return failed(err)
	}
	if _, err := a.out.Write([]byte(render.Reply(reply.JSON, format))); err != nil {
		return exit{exitBroken, "the answer could not be written: " + err.Error()}
	}
	if service.Empty(reply.JSON) {
		return exit{exitInvalid, ""}
	}
	return nil
}
