package main

import (
	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/doctor"
)

// tryHistory is started by doctor, to see what git can do where a process has shut
// itself in.
func (a *app) tryHistory() *cobra.Command {
	return &cobra.Command{
		Use:    doctor.TryHistoryCommand,
		Short:  "Read git histories behind the second wall (started by compactor doctor)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := doctor.TryHistory(cmd.Context(), a.in, a.out); err != nil {
				return exit{exitBroken, err.Error()}
			}
			return nil
		},
	}
}
