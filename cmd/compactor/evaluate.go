package main

import (
	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
)

// evaluate returns the hidden command that compactor itself starts, with limits, for each
// configuration that is not the built-in one.
func (a *app) evaluate() *cobra.Command {
	return &cobra.Command{
		Use:    bounded.Command,
		Short:  "Evaluate a configuration within limits (started by compactor)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if code := bounded.Evaluate(a.in, a.out, compactor.Defaults); code != exitDone {
				return exit{code: code}
			}
			return nil
		},
	}
}
