package main

import (
	upstream "github.com/compactor-mcp/compactor/runtime/gateway/process"

	"github.com/spf13/cobra"
)

// guard returns the hidden command that compactor itself starts with the first upstream
// program. It reads no configuration: it must run whatever state that is in.
func (a *app) guard() *cobra.Command {
	return &cobra.Command{
		Use:    "guard",
		Short:  "End upstream programs when compactor was killed (started by compactor)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			releaseIdleMemory()() // it only waits from here on
			if code := upstream.Guard(a.in); code != exitDone {
				return exit{code: code}
			}
			return nil
		},
	}
}
