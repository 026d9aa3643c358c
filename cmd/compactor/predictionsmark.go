package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway"
)

// marking says how the user marks a tool.
type marking struct {
	tool, client                string
	relevant, irrelevant, clear bool
}

func (a *app) predictionsMark() *cobra.Command {
	var m marking
	cmd := &cobra.Command{
		Use:   "mark TOOL",
		Short: "Say that a tool is relevant, or that it is not",
		Long: `Say of an upstream tool that sessions want it, or that they do not. A relevant tool is
listed whatever is predicted; one that is irrelevant is listed only where a session
uses it. A mark holds over pinned and unwanted of gateway.selection, and for one
client over what is said for all. A running serve acts on it within seconds.`,
		Example: `  compactor predictions mark github__create_issue --relevant
  compactor predictions mark github/delete_repository --irrelevant --client "LM Studio"
  compactor predictions mark github__create_issue --clear`,
		Args: requireArgs(1, 1, "name one tool, such as github__create_issue"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !m.relevant && !m.irrelevant && !m.clear {
				return exit{exitBroken, "say what it is: --relevant or --irrelevant, or --clear to take back what was said"}
			}
			m.tool = args[0]
			return a.applyMark(cmd.Context(), m)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&m.relevant, "relevant", false, "it is wanted")
	f.BoolVar(&m.irrelevant, "irrelevant", false, "it is not wanted")
	f.BoolVar(&m.clear, "clear", false, "take back what was said of it")
	a.profileFlag(f, "profile it holds for; left out, clients that are served without one")
	f.StringVar(&m.client, "client", "", "client it holds for, as it calls itself; left out, all of the profile")
	cmd.MarkFlagsMutuallyExclusive("relevant", "irrelevant", "clear")
	cmd.ValidArgsFunction = a.completeTools
	return cmd
}

func (a *app) applyMark(ctx context.Context, m marking) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	svc.Gateway().LoadCached(ctx)
	end := a.trackUsage(svc)
	defer end()
	relevant := &m.relevant
	if m.clear {
		relevant = nil
	}
	if err := svc.Override(ctx, a.profile, m.client, m.tool, relevant); err != nil {
		_, e := contract.AsError(err)
		if e.Code == gateway.CodeNotFound {
			e.Message += "; " + seeList
		}
		return exit{exitInvalid, e.Message}
	}
	said := "irrelevant"
	switch {
	case m.clear:
		said = "no longer marked"
	case m.relevant:
		said = "relevant"
	}
	whom := "all clients"
	if m.client != "" {
		whom = oneLine(m.client)
	}
	fmt.Fprintf(a.out, "%s is %s for %s\n", oneLine(m.tool), said, whom)
	return nil
}
