package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

func (a *app) validate() *cobra.Command {
	var format string
	var strict bool
	cmd := &cobra.Command{
		Use:     "validate",
		GroupID: "config",
		Short:   "Check a configuration",
		Long: `Check the configuration completely: shape, names, types of conditions, cycles,
permissions, budgets, redaction patterns. All problems are reported in one run,
each with its place. No network, no model; milliseconds.

Exit code 0: valid. 1: invalid. 2: could not run.`,
		Example: `  compactor validate --config .compactor
  compactor validate --format sarif > compactor.sarif`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := a.options()
			if err != nil {
				return err
			}
			opt.Unopened, opt.Whole = true, true
			_, list, err := service.Load(cmd.Context(), opt)
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			if err := a.printDiagnostics(list, format, opt); err != nil {
				return err
			}
			if format == "text" && !list.HasErrors() {
				a.sayWaits(cmd.Context(), opt)
			}
			if list.HasErrors() || (strict && len(list) > 0) {
				return exit{exitInvalid, ""}
			}
			return nil
		},
	}
	formatFlag(cmd, &format, "text", "json", "sarif")
	cmd.Flags().BoolVar(&strict, "strict", false, "treat warnings as errors")
	return cmd
}

// sayWaits prints which parts of a valid configuration are held. They are not mistakes: the
// exit code is the one of the check.
func (a *app) sayWaits(ctx context.Context, opt service.Options) {
	if opt.Project == "" {
		return
	}
	if _, held, err := service.Judge(ctx, opt); err == nil && held != nil {
		fmt.Fprintf(a.out, "project configuration not trusted yet: %s; review and allow it with: %s\n",
			sanitize.Line(strings.Join(held.Paths(), ", ")), sanitize.Line(opt.Command()))
	}
}

func (a *app) printDiagnostics(list diag.List, format string, opt service.Options) error {
	list = printableDiags(list)
	switch format {
	case "json":
		return diag.JSON(a.out, expandFiles(list))
	case "sarif":
		return diag.SARIF(a.out, expandFiles(list), versionString())
	}
	if err := writeDiags(a.out, list); err != nil {
		return err
	}
	where := opt.Display
	if opt.Dir == "" {
		where = "the built-in configuration"
	}
	errs, warns := list.Count()
	if errs+warns == 0 {
		fmt.Fprintf(a.out, "%s: valid\n", where)
		return nil
	}
	fmt.Fprintf(a.out, "%s: %s, %s\n", where, words.Count(errs, "error"), words.Count(warns, "warning"))
	return nil
}
