package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/bench"
	"github.com/compactor-mcp/compactor/runtime/app/service"
)

// benchMemory limits the cache if the configuration gives it no memory, in bytes.
const benchMemory = 256 << 20

func (a *app) bench() *cobra.Command {
	var opt bench.Options
	var format string
	cmd := &cobra.Command{
		Use:     "bench",
		GroupID: "look",
		Short:   "Measure what a question costs, and what the cache saves",
		Long: `Ask questions about a tree without a cache, as the first one of a server with a
cache, and as a second one after another, and show what each costs by part:
finding the files (walk), counting words in them (scan), reading the best (read),
callers and what they do (analyze). ripgrep, where it is installed, gives the
measure. cache.memory in the configuration turns a server's cache on.

Exit code 0: done. 1: a reply was not the same with the cache. 2: could not run.`,
		Example: `  compactor bench
  compactor bench --root ~/src/prometheus --rounds 10
  compactor bench --question "where is the WAL replayed?" --question "how are samples appended?" --format json`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := a.options()
			if err != nil {
				return err
			}
			o.Cache, o.Memory, o.NoModel = true, benchMemory, true
			snap, diags, err := service.Load(cmd.Context(), o)
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			if snap == nil {
				a.printDiags(diags)
				return exit{exitBroken, fmt.Sprintf("the configuration in %s is not valid; nothing was run", o.Display)}
			}
			defer snap.Close()
			r, err := bench.Run(cmd.Context(), service.New(snap), opt)
			if none := (*bench.NoQuestion)(nil); errors.As(err, &none) {
				return exit{exitInvalid, none.Error()}
			}
			if err != nil {
				return toExit(err)
			}
			return a.printBench(r, format)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&a.roots, "root", nil, "directory to ask about; may be repeated (default: the configuration's, else the current one)")
	f.StringArrayVar(&opt.Questions, "question", nil, "question to ask; may be repeated (default: some made of the tree's names and comments)")
	numberFlag(cmd, &opt.Rounds, "rounds", 3, 1, 10_000, "how often each question is asked")
	f.Uint64Var(&opt.Seed, "seed", 1, "random seed of the generated questions")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

func (a *app) printBench(r *bench.Report, format string) error {
	var err error
	if format == "json" {
		var raw []byte
		if raw, err = json.MarshalIndent(r, "", "  "); err == nil {
			_, err = a.out.Write(append(raw, '\n'))
		}
	} else {
		err = bench.Text(a.out, r)
	}
	switch {
	case err != nil:
		return exit{exitBroken, "the report could not be written: " + err.Error()}
	case len(r.Differ) > 0:
		return exit{exitInvalid, "replies were not the same with and without the cache"}
	}
	return nil
}
