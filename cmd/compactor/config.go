package main

import (
	"github.com/spf13/cobra"

	"compactor/runtime/config"
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
		Short: "Print the effective configuration, and where each value came from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			_, err = a.out.Write(config.Show(svc.Snapshot().Plan.Config))
			return err
		},
	})
	return cmd
}
