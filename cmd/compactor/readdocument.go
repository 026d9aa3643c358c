package main

import (
	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
)

// readDocument returns the hidden command that compactor itself starts, with limits, for each
// document of a format whose library is not trusted.
func (a *app) readDocument() *cobra.Command {
	return &cobra.Command{
		Use:    extractor.Command,
		Short:  "Read a document within limits (started by compactor)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if code := extractor.Serve(a.in, a.out); code != exitDone {
				return exit{code: code}
			}
			return nil
		},
	}
}
