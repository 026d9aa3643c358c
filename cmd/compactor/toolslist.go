package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

func (a *app) toolsList() *cobra.Command {
	var format, tag string
	var all, refresh bool
	var limit, offset int
	cmd := &cobra.Command{
		Use:   "list [SERVER]",
		Short: "List the tools, all or of one server",
		Example: `  compactor tools list
  compactor tools list github --all          also those that cannot be run, and why
  compactor tools list --limit 20 --offset 20
  compactor tools list --refresh             ask the servers anew`,
		Args:              requireArgs(0, 1, ""),
		ValidArgsFunction: a.completeServers(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			server := ""
			if len(args) > 0 {
				server = args[0]
			}
			if limit < 0 || offset < 0 {
				return exit{exitInvalid, "--limit and --offset are numbers from 0"}
			}
			if err := a.refreshTools(cmd.Context(), svc, server, refresh); err != nil {
				return err
			}
			rows, err := a.toolRows(cmd.Context(), svc, server, tag, all)
			if err != nil {
				return err
			}
			rows = sliceRows(rows, offset, limit)
			if format == "json" {
				return printJSON(a.out, rows)
			}
			return a.printTools(rows)
		},
	}
	formatFlag(cmd, &format, "text", "json")
	f := cmd.Flags()
	a.profileFlag(f, "the tools of a profile")
	f.BoolVar(&all, "all", false, "also tools that cannot be run, with the reason")
	f.StringVar(&tag, "tag", "", "only tools with this tag")
	f.IntVar(&limit, "limit", 0, "tools at most; 0 for all")
	f.IntVar(&offset, "offset", 0, "tools to leave out from the start")
	refreshFlag(cmd, &refresh)
	return cmd
}

// sliceRows returns the rows from offset on, at most limit of them unless limit is 0.
func sliceRows(rows []toolRow, offset, limit int) []toolRow {
	rows = rows[min(offset, len(rows)):]
	if limit > 0 {
		rows = rows[:min(limit, len(rows))]
	}
	return rows
}

// toolRow is one tool of the list.
type toolRow struct {
	Tool    string   `json:"tool"`
	Server  string   `json:"server"`
	Enabled bool     `json:"enabled"`
	Why     string   `json:"why,omitempty"`
	Trust   string   `json:"trust,omitempty"` // empty if it cannot be offered at all
	Tags    []string `json:"tags,omitempty"`
	Does    string   `json:"does"`
}

func (a *app) toolRows(ctx context.Context, svc *service.Service, server, tag string, all bool) ([]toolRow, error) {
	up := svc.Gateway().For(gateway.Caller{})
	tools := up.Tools(ctx)
	known := server == ""
	for _, s := range up.Servers() {
		known = known || strings.EqualFold(s.Name, server)
		if s.Problem != "" && (server == "" || strings.EqualFold(s.Name, server)) {
			fmt.Fprintf(a.err, "compactor: %s: %s\n", oneLine(s.Name), indentLines(s.Problem))
		}
	}
	if !known {
		return nil, noServer(server, svc)
	}
	for _, s := range up.Servers() {
		if !s.Known && s.Problem == "" && (server == "" || strings.EqualFold(s.Name, server)) {
			fmt.Fprintf(a.err, "compactor: %s: still starting; its tools are not known; compactor servers waits for it\n", oneLine(s.Name))
		}
	}
	rows := []toolRow{}
	for _, t := range tools.List {
		if server != "" && !strings.EqualFold(t.Server, server) || !t.Enabled && !all || tag != "" && !contains(t.Tags, tag) {
			continue
		}
		rows = append(rows, toolRow{t.Listed, t.Server, t.Enabled, t.Why, t.Trust, t.Tags, sanitize.Brief(t.Description, 60)})
	}
	for _, r := range svc.Gateway().Refused() {
		if all && tag == "" && (server == "" || strings.EqualFold(r.Server, server)) {
			rows = append(rows, toolRow{Tool: orNameless(r.Tool), Server: r.Server, Why: r.Why})
		}
	}
	return rows, nil
}

func (a *app) printTools(rows []toolRow) error {
	var table [][]string
	for _, r := range rows {
		what := r.Does
		if !r.Enabled {
			what = "cannot be run: " + r.Why
		}
		if len(r.Tags) > 0 {
			what += "  [" + strings.Join(r.Tags, " ") + "]"
		}
		table = append(table, []string{oneLine(r.Tool), oneLine(what)})
	}
	if err := screen.Table(a.out, nil, table); err != nil {
		return exit{exitBroken, err.Error()}
	}
	if len(rows) == 0 {
		fmt.Fprintln(a.out, "there are none; compactor servers says how the servers are")
		return exit{exitInvalid, ""}
	}
	return nil
}

func refreshFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "refresh", false, "ask the servers again, even where their tools are known")
}

// refreshTools asks the named server, or all of them, for their tools, if that is wanted.
func (a *app) refreshTools(ctx context.Context, svc *service.Service, server string, wanted bool) error {
	if !wanted {
		return nil
	}
	var names []string
	if server != "" {
		var err error
		if names, err = resolveNames([]string{server}, svc); err != nil {
			return err
		}
	}
	a.probeServers(ctx, svc, names)
	return nil
}

// probeServers asks servers again and shows the progress.
func (a *app) probeServers(ctx context.Context, svc *service.Service, names []string) map[string]time.Duration {
	waiting := newProgress(a.err)
	defer waiting.clear()
	return svc.Gateway().Probe(ctx, names, func(done, total int, name string) {
		waiting.show(catalog.Progress{Stage: "servers", Message: name, Done: done, Total: total})
	})
}
