package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"compactor/runtime/doctor"
)

func (a *app) doctor() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: "look",
		Short:   "Check what can go wrong and say what to do",
		Long: `Check the configuration, the roots, the sandbox, model endpoints and chat clients,
and say what to do where something is wrong. Nothing is changed.

Exit code 0: nothing is broken. 1: something is.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := a.options()
			if err != nil {
				return err
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
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func (a *app) printChecks(checks []doctor.Check) {
	marks := map[doctor.Level]string{doctor.Good: "ok  ", doctor.Warn: "warn", doctor.Bad: "BAD "}
	for _, c := range checks {
		fmt.Fprintf(a.out, "%s  %s: %s\n", marks[c.Level], c.Subject, c.Found)
		if c.Do != "" {
			fmt.Fprintf(a.out, "      %s\n", c.Do)
		}
	}
}
