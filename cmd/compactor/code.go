package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

func (a *app) code() *cobra.Command {
	return &cobra.Command{
		Use:     "code [CODE]",
		GroupID: "look",
		Short:   "Explain a diagnostic code such as C021",
		Args:    requireArgs(0, 1, ""),
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
				return noCode(args[0])
			}
			a.printCode(c)
			return nil
		},
	}
}

func (a *app) printCode(c diag.Code) {
	_ = screen.Paint(a.out, screen.Heading, c.ID+"  "+c.Title)
	fmt.Fprintf(a.out, "\n%s\n", screen.Fill(c.Text, screen.Columns(a.out)))
}

// noCode returns the error for an unknown code, with the code that was probably meant.
func noCode(id string) error {
	ids := make([]string, len(diag.Codes))
	for i, c := range diag.Codes {
		ids[i] = c.ID
	}
	if near := diag.Nearest(id, ids); near != "" {
		return exit{exitInvalid, fmt.Sprintf("code %s is not known; did you mean %s?", id, near)}
	}
	return exit{exitInvalid, fmt.Sprintf("code %s is not known; `compactor code` lists them", id)}
}
