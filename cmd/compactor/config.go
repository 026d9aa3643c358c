package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/quote"
)

func (a *app) config() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		GroupID: "config",
		Short:   "Look at the configuration in force",
		Args:    oneCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "show",
		Short: "Print the effective configuration, and where each value came from; keys that are written in it are masked",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			snap := svc.Snapshot()
			if held := snap.Held(); held != nil {
				fmt.Fprintf(a.out, "// Not in force, for it came with the project and waits to be allowed: %s\n// Look at it, and allow it, with: %s\n\n",
					quote.Line(strings.Join(held.Paths(), ", ")), quote.Line(snap.AllowWith()))
			}
			_, err = a.out.Write(config.Show(snap.Plan.Config, withoutKeys(snap.Redactor)))
			return err
		},
	})
	return cmd
}
