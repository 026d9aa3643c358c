package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/configtest"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

func (a *app) test() *cobra.Command {
	var how configtest.How
	var format string
	cmd := &cobra.Command{
		Use:     "test [DIR]",
		GroupID: "config",
		Short:   "Run the tests that a configuration carries",
		Long:    helpText("test.txt"),
		Args:    requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				a.configDir = args[0]
			}
			opt, err := a.options()
			if err != nil {
				return err
			}
			out, err := configtest.Run(cmd.Context(), opt, how)
			if list := diag.FromError(err); list != nil {
				a.printDiags(list)
				return exit{exitBroken, "the configuration is not valid; no test was run"}
			}
			if none := (*configtest.NoneRan)(nil); errors.As(err, &none) {
				return noneRan(none)
			}
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			return a.reportOutcomes(out, format)
		},
	}
	cmd.Flags().StringVar(&how.Filter, "run", "", "run only tests whose name contains this")
	cmd.Flags().BoolVar(&how.Record, "record", false, "ask the configured models, and re-record the tests")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

func (a *app) reportOutcomes(out []configtest.Outcome, format string) error {
	failed := 0
	for _, o := range out {
		if !o.Passed() {
			failed++
		}
	}
	if format == "json" {
		if err := json.NewEncoder(a.out).Encode(out); err != nil {
			return err
		}
	} else {
		a.printOutcomes(out)
		fmt.Fprintf(a.out, "%d passed, %d failed\n", len(out)-failed, failed)
	}
	if failed > 0 {
		return exit{exitInvalid, ""}
	}
	return nil
}

// noneRan returns the error for a run without tests, which must not look like a success.
func noneRan(none *configtest.NoneRan) error {
	msg := "no test was run: " + none.Error()
	if len(none.Names) == 0 {
		msg += "; compactor test --help shows how one is written"
	} else if near := diag.Nearest(none.How.Filter, none.Names); near != "" && !none.How.Record {
		msg += "; did you mean " + near + "?"
	}
	return exit{exitInvalid, msg}
}

func (a *app) printOutcomes(out []configtest.Outcome) {
	for _, o := range out {
		mark, style := "ok  ", screen.Good
		if !o.Passed() {
			mark, style = "FAIL", screen.Bad
		}
		_ = screen.Paint(a.out, style, mark)
		fmt.Fprintf(a.out, "  %s (%s)\n", o.Name, o.Elapsed.Round(time.Millisecond))
		for _, f := range o.Failed {
			fmt.Fprintf(a.out, "      does not hold: %s\n", f)
		}
		for _, e := range o.Errors {
			fmt.Fprintf(a.out, "      %s\n", e)
		}
		for _, n := range o.Notes {
			fmt.Fprintf(a.out, "      note: %s\n", n)
		}
		if o.Wrote != "" {
			fmt.Fprintf(a.out, "      wrote %s\n", o.Wrote)
		}
		if o.Reply != "" {
			fmt.Fprintf(a.out, "      reply: %s\n", o.Reply)
		}
	}
}
