package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/diag"
)

func (a *app) code() *cobra.Command {
	return &cobra.Command{
		Use:     "code [CODE]",
		GroupID: "look",
		Short:   "Explain a diagnostic code such as C021",
		Args:    needs(0, 1, ""),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var out []cobra.Completion
			for _, c := range diag.Codes {
				if len(args) == 0 {
					out = append(out, cobra.CompletionWithDesc(c.ID, c.Title))
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, c := range diag.Codes {
					fmt.Fprintf(a.out, "%s  %s\n", c.ID, c.Title)
				}
				return nil
			}
			c, ok := diag.Explain(args[0])
			if !ok {
				return exit{exitInvalid, fmt.Sprintf("code %s is not known; `compactor code` lists them", args[0])}
			}
			fmt.Fprintf(a.out, "%s  %s\n%s\n", c.ID, c.Title, c.Text)
			return nil
		},
	}
}
