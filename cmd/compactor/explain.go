package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) explain() *cobra.Command {
	var format, input string
	cmd := &cobra.Command{
		Use:     "explain TOOL [key=value…]",
		GroupID: "look",
		Short:   "Show which stages a call would run, and why",
		Long: `Show what a call would do without doing it: the stages of its pipeline, which
conditions hold for this input and why, and the budgets. "depends" marks what
only an earlier stage can decide.`,
		Example:           helpText("explain.txt"),
		Args:              requireArgs(1, -1, "compactor call says which tools there are"),
		ValidArgsFunction: a.completeOwn,
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			raw, err := a.mergeArguments(input, args[1:])
			if err != nil {
				return exit{exitInvalid, err.Error()}
			}
			e, err := svc.Explain(cmd.Context(), args[0], raw)
			if err != nil {
				return toExit(err)
			}
			switch format {
			case "text":
				a.sayNotInForce(svc.Snapshot())
				fmt.Fprint(a.out, e.Text())
			case "mermaid":
				fmt.Fprint(a.out, e.Mermaid())
			case "json":
				enc := json.NewEncoder(a.out)
				enc.SetEscapeHTML(false)
				return enc.Encode(e)
			}
			return nil
		},
	}
	formatFlag(cmd, &format, "text", "json", "mermaid")
	cmd.Flags().StringVar(&input, "input", "", "all arguments as one JSON object, or - for standard input")
	return cmd
}
