package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/config"
)

func (a *app) config() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		GroupID: "config",
		Short:   "Look at the configuration in force",
		Args:    oneCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.configShow())
	return cmd
}

func (a *app) configShow() *cobra.Command {
	var format string
	var diff bool
	cmd := &cobra.Command{
		Use:   "show [PATH]",
		Short: "Print the configuration in force, and where each value came from",
		Long: `Print the effective configuration as CUE. With PATH only what is at or below it,
each value on a line with the place it came from: a file of yours, a built-in one,
or the default of the schema. With --diff only what you have written and what
differs from what is shipped. Keys that are written in it are masked.

Exit code 0: done. 1: there is nothing at PATH. 2: could not run.`,
		Example: `  compactor config show
  compactor config show roles.locator.budget
  compactor config show servers.github.timeout
  compactor config show --diff --format json`,
		Args:              requireArgs(0, 1, ""),
		ValidArgsFunction: a.completeSetting,
		Annotations:       map[string]string{copied: "CUE"},
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			snap := svc.Snapshot()
			path := strings.Join(args, "")
			if path == "" && !diff && format == "text" {
				a.sayNotInForce(snap)
				_, err = a.out.Write(config.Show(snap.Plan.Config, withoutKeys(snap.Redactor)))
				return err
			}
			list, err := a.listSettings(cmd, snap, path, diff)
			if missing := (*config.Missing)(nil); errors.As(err, &missing) {
				return exit{exitInvalid, missing.Error()}
			}
			if err != nil {
				return err
			}
			return a.printSettings(snap, list, diff, format)
		},
	}
	cmd.Flags().BoolVar(&diff, "diff", false, "only what differs from what is shipped")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

func (a *app) listSettings(cmd *cobra.Command, snap *service.Snapshot, path string, diff bool) ([]config.Setting, error) {
	mask := withoutKeys(snap.Redactor)
	if !diff {
		return config.Part(snap.Plan.Config, path, mask)
	}
	shipped, list, err := config.Load(cmd.Context(), config.Options{Defaults: compactor.Defaults})
	if err != nil || list.HasErrors() {
		return nil, exit{exitBroken, fmt.Sprintf("the built-in configuration: %v", errors.Join(err, list.Err()))}
	}
	return config.Differing(snap.Plan.Config, shipped, path, mask)
}

func (a *app) printSettings(snap *service.Snapshot, list []config.Setting, diff bool, format string) error {
	if format == "json" {
		waits := []string{}
		if held := snap.Held(); held != nil {
			waits = held.Paths()
		}
		if list == nil {
			list = []config.Setting{}
		}
		return printJSON(a.out, map[string]any{"settings": list, "waits": waits})
	}
	a.sayNotInForce(snap)
	if len(list) == 0 && diff {
		fmt.Fprintln(a.out, "// nothing differs from what is shipped")
	}
	for _, s := range list {
		cue, from := s.Line()
		if strings.Contains(cue, "\n") { // a comment after it would become part of it
			_ = screen.Paint(a.out, screen.Place, "// "+sanitize.Line(from))
			fmt.Fprintf(a.out, "\n%s\n", sanitize.Strip(cue))
			continue
		}
		fmt.Fprintf(a.out, "%s ", sanitize.Line(cue))
		_ = screen.Paint(a.out, screen.Place, "// "+sanitize.Line(from))
		fmt.Fprintln(a.out)
	}
	return nil
}

// sayNotInForce lists the parts of the configuration that are held until they are allowed.
func (a *app) sayNotInForce(snap *service.Snapshot) {
	if held := snap.Held(); held != nil {
		fmt.Fprintf(a.out, "// Not in force: project configuration not trusted yet: %s\n// Review and allow it with: %s\n\n",
			sanitize.Line(strings.Join(held.Paths(), ", ")), sanitize.Line(snap.AllowWith()))
	}
}

// completeSetting completes a path with the names below the part before its last dot.
func (a *app) completeSetting(cmd *cobra.Command, args []string, part string) ([]cobra.Completion, cobra.ShellCompDirective) {
	svc := a.loadSilently(cmd.Context())
	if svc == nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	above, _, _ := cutLast(part, ".")
	return dropUnprintable(config.Below(svc.Snapshot().Plan.Config, above)), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// cutLast cuts a text at the last separator; without one all of it comes after.
func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}
