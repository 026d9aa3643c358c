package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/doctor"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func (a *app) doctor() *cobra.Command {
	var format string
	var renew bool
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: "look",
		Short:   "Check what can go wrong and say what to do",
		Long: `Check the configuration, the roots, the sandbox, model endpoints, chat clients and
upstream servers (their commands, variables, addresses, tools to be approved), and
say what to do where something is wrong. What chat clients start is started as they
do it, and asked for its tools; upstream servers are not (compactor servers does
that). Nothing is changed but by --renew-store: it moves a damaged store aside and
begins a new one. The approvals in it have to be given again.

Exit code 0: nothing is broken. 1: something is.`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := a.options()
			if err != nil {
				return err
			}
			if renew {
				return a.renewStore(cmd.Context(), opt)
			}
			checks := doctor.Run(cmd.Context(), opt)
			if format == "json" {
				if err := json.NewEncoder(a.out).Encode(checks); err != nil {
					return err
				}
			} else {
				a.printChecks(checks)
			}
			if !doctor.Healthy(checks) {
				return exit{exitInvalid, ""}
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&a.roots, "root", nil, "directory to check; may be repeated (default: the configuration's)")
	formatFlag(cmd, &format, "text", "json")
	cmd.Flags().BoolVar(&renew, "renew-store", false, "move a damaged store aside and begin a new one")
	return cmd
}

// renewStore replaces a damaged store and leaves a sound one alone.
func (a *app) renewStore(ctx context.Context, opt service.Options) error {
	snap, diags, err := service.Load(ctx, opt)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if snap == nil {
		a.printDiags(diags)
		return exit{exitInvalid, "the configuration is not valid, so its store is not known; nothing was changed"}
	}
	defer snap.Close()
	at, err := snap.StoreAt()
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if at == "" {
		return exit{exitInvalid, "there is no store: store.url is none"}
	}
	s, moved, err := store.Renew(ctx, at)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	_ = s.Close()
	if moved == "" {
		fmt.Fprintf(a.out, "The store is sound; nothing was changed: %s\n", store.Shown(at))
		return nil
	}
	fmt.Fprintf(a.out, "A new store was begun; the damaged one is %s\nApprove your tools again: compactor servers, then compactor tools approve\n", moved)
	return nil
}

func (a *app) printChecks(checks []doctor.Check) {
	marks := map[doctor.Level]string{doctor.Good: "ok  ", doctor.Warn: "warn", doctor.Bad: "BAD "}
	styles := map[doctor.Level]screen.Style{doctor.Good: screen.Good, doctor.Warn: screen.Doubt, doctor.Bad: screen.Bad}
	for _, c := range checks {
		_ = screen.Paint(a.out, styles[c.Level], marks[c.Level])
		fmt.Fprintf(a.out, "  %s: %s\n", oneLine(c.Subject), indentLines(c.Found))
		if c.Do != "" {
			fmt.Fprintf(a.out, "      %s\n", indentLines(c.Do))
		}
	}
}
