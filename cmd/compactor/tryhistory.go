package main

import (
	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/doctor"
)

// tryHistory returns the hidden command that doctor starts to see what git can do in a
// process that has confined itself.
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
