package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

func (a *app) toolsApprove() *cobra.Command {
	var all, dry bool
	var format string
	cmd := &cobra.Command{
		Use:   "approve [NAME…]",
		Short: "Show the tools that are pending, and trust them",
		Long: `A tool that has changed since it was trusted is set aside, and under trust "ask"
every tool that is seen for the first time. Without a name the command shows what
waits and what has changed; with names of tools or servers, or --all, it trusts
them as they are now, with NAME@HASH only if that is what was shown. A running server takes it over at once.`,
		Example: `  compactor tools approve
  compactor tools approve github__create_issue@3770af47ff5b
  compactor tools approve github`,
		ValidArgsFunction: a.completeWaiting,
		RunE: func(cmd *cobra.Command, names []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			g := svc.Gateway()
			waiting := append([]gateway.Waiting{}, g.Waiting(cmd.Context())...)
			if len(names) == 0 && !all {
				if format == "json" {
					return printJSON(a.out, waiting)
				}
				a.printWaiting(waiting, unknownServers(g.Servers()))
				return nil
			}
			chosen := waiting
			if !all {
				var unknown []string
				if chosen, unknown = gateway.Select(waiting, names, serverNames(svc)); len(unknown) > 0 {
					return notWaiting(unknown, waiting, serverNames(svc))
				}
			}
			if !dry {
				if err := g.Approve(cmd.Context(), chosen); err != nil {
					return toExit(err)
				}
			}
			return a.printApproved(chosen, dry, format)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all pending tools")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "write nothing")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

// notWaiting returns the error for names that match nothing pending; a tool that has changed
// since it was shown gets an error of its own.
func notWaiting(names []string, waiting []gateway.Waiting, servers []string) error {
	for _, n := range names {
		name, hash, _ := strings.Cut(n, "@")
		if now, _ := gateway.Select(waiting, []string{name}, servers); hash != "" && len(now) > 0 {
			return exit{exitInvalid, fmt.Sprintf("%s is not what was shown as %s: it is %s@%.12s now; compactor tools approve shows it",
				name, n, now[0].Listed, now[0].Hash)}
		}
	}
	return exit{exitInvalid, "no pending tool named " + strings.Join(names, ", ") + "; compactor tools approve lists the pending ones"}
}

// printApproved prints which tools are trusted now or, in a dry run, would be.
func (a *app) printApproved(list []gateway.Waiting, dry bool, format string) error {
	if format == "json" {
		if list == nil {
			list = []gateway.Waiting{}
		}
		return printJSON(a.out, map[string]any{"approved": list, "written": !dry && len(list) > 0})
	}
	done := "approved"
	if dry {
		done = "would approve"
	}
	for _, w := range list {
		fmt.Fprintf(a.out, "%s %s, sha256 %s\n", done, oneLine(w.Listed), w.Hash)
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "nothing is pending")
	}
	return nil
}

// unknownServers returns the names of the servers whose tools are not known.
func unknownServers(list []catalog.UpstreamServer) []string {
	var out []string
	for _, s := range list {
		if !s.Known {
			out = append(out, s.Name)
		}
	}
	return out
}

func (a *app) printWaiting(list []gateway.Waiting, unseen []string) {
	if len(unseen) > 0 {
		defer fmt.Fprintf(a.out, "Not known are the tools of %s; compactor servers says why.\n", strings.Join(unseen, ", "))
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "nothing is pending")
		return
	}
	for _, w := range list {
		fmt.Fprintf(a.out, "%s@%.12s  %s\n", oneLine(w.Listed), w.Hash, oneLine(w.Why))
		if w.Does != "" {
			fmt.Fprintf(a.out, "    %s\n", sanitize.Brief(w.Does, 4000))
		}
		for _, c := range w.Changes {
			fmt.Fprintf(a.out, "    %s\n", oneLine(c))
		}
		for _, f := range w.Flags {
			fmt.Fprintf(a.out, "    taken out: %s\n", oneLine(f))
		}
	}
	fmt.Fprintln(a.out, `
Trust them as they are shown with: compactor tools approve NAME@HASH…
The whole of one, with its schema: compactor tools show NAME`)
}
