package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
)

func (a *app) servers() *cobra.Command {
	var format string
	var offline bool
	cmd := &cobra.Command{
		Use:     "servers [NAME…]",
		GroupID: "use",
		Short:   "Show the upstream MCP servers and how they are",
		Long: `Start or connect to each upstream server of the configuration and show what it
offers, how long it took, and what is wrong where something is. With --offline
nothing is started: what earlier runs have seen is shown. Disabled servers are
listed and left alone. HIDDEN counts the tools that cannot be run: by toolRules,
because they wait for compactor tools approve, or because of how they are defined.

Exit code 0: all servers answer. 1: one does not.`,
		Example: `  compactor servers
  compactor servers github --format json`,
		ValidArgsFunction: a.completeServers(1 << 10),
		RunE: func(cmd *cobra.Command, names []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			if err := noCommandNor(cmd, names, svc); err != nil {
				return err
			}
			list, err := a.serverRows(cmd.Context(), svc, names, offline)
			if err != nil {
				return err
			}
			if format == "json" {
				err = printJSON(a.out, map[string]any{"servers": list, "caches": svc.Gateway().Rates()})
			} else {
				a.printServers(list)
			}
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			return allAnswered(cmd.Context(), list)
		},
	}
	cmd.AddCommand(a.serversLogs(), a.serversRestart(), a.serversSwitch(true), a.serversSwitch(false), a.serversRunning())
	formatFlag(cmd, &format, "text", "json")
	cmd.Flags().BoolVar(&offline, "offline", false, "start nothing; show what is known")
	cmd.AddCommand(a.login(), a.logout())
	return cmd
}

// allAnswered returns an error if a server has a problem, or if the command was interrupted before all had answered.
func allAnswered(ctx context.Context, list []serverRow) error {
	if ctx.Err() != nil {
		return exit{exitInvalid, "ended before all servers had answered"}
	}
	for _, s := range list {
		if s.Problem != "" {
			return exit{exitInvalid, ""}
		}
	}
	return nil
}

// serverRow is one server as it is shown.
type serverRow struct {
	Name    string            `json:"name"`
	Reached string            `json:"reached"` // program or host
	Status  string            `json:"status"`  // connected, disconnected, error or disabled
	State   string            `json:"state"`   // the same in more words: see catalog.UpstreamServer
	Known   bool              `json:"known"`   // whether its tools were ever seen
	Tools   int               `json:"tools"`
	Hidden  int               `json:"hidden"`
	Waiting int               `json:"waiting,omitempty"` // of the hidden ones, those to be approved
	Refused []gateway.Refused `json:"refused,omitempty"` // of the hidden ones, those that cannot be offered
	Millis  int64             `json:"ms,omitempty"`      // until its tools were known
	Login   string            `json:"login,omitempty"`   // its login, if there is one
	Problem string            `json:"problem,omitempty"`
	Stderr  []string          `json:"stderr,omitempty"` // last lines, if there is a problem
}

func (a *app) serverRows(ctx context.Context, svc *service.Service, names []string, offline bool) ([]serverRow, error) {
	g := svc.Gateway()
	cfg := svc.Snapshot().Plan.Config
	names, err := resolveNames(names, svc)
	if err != nil {
		return nil, err
	}
	took := map[string]time.Duration{}
	if offline {
		g.LoadCached(ctx)
	} else {
		took = a.probeServers(ctx, svc, names)
	}
	var out []serverRow
	waiting := g.Undecided()
	for _, s := range g.Servers() {
		if len(names) > 0 && !contains(names, s.Name) {
			continue
		}
		row := serverRow{Name: s.Name, Reached: reachedBy(svc, cfg.Servers[s.Name]), Status: s.Status(), State: s.State, Known: s.Known, Tools: s.Tools, Hidden: s.Hidden, Waiting: waiting[s.Name],
			Millis: took[s.Name].Milliseconds(), Problem: s.Problem, Login: loginLine(g, cfg.Servers[s.Name])}
		for _, r := range g.Refused() {
			if r.Server == s.Name {
				row.Refused = append(row.Refused, r)
			}
		}
		if row.Problem != "" {
			row.Stderr = g.Said(s.Name)
		}
		out = append(out, row)
	}
	for name, s := range cfg.Servers {
		if !s.Enabled && (len(names) == 0 || contains(names, name)) {
			out = append(out, serverRow{Name: name, Reached: reachedBy(svc, s), Status: "disabled", State: "disabled"})
		}
	}
	slices.SortFunc(out, func(a, b serverRow) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// reachedBy returns how a server is reached, without secrets.
func reachedBy(svc *service.Service, s config.Server) string {
	return svc.Snapshot().Egress.Line(gateway.Reached(s))
}

// resolveNames returns the names as the configuration spells them, ignoring case.
func resolveNames(names []string, svc *service.Service) ([]string, error) {
	servers := svc.Snapshot().Plan.Config.Servers
	out := make([]string, len(names))
	for i, n := range names {
		_, exact := servers[n]
		for _, name := range slices.Sorted(maps.Keys(servers)) {
			if name == n || !exact && strings.EqualFold(name, n) {
				out[i] = name
			}
		}
		if out[i] == "" {
			return nil, noServer(n, svc)
		}
	}
	return out, nil
}

func (a *app) printServers(list []serverRow) {
	if len(list) == 0 {
		fmt.Fprintln(a.out, "There are no upstream servers. Declare them in servers, or take them over from a chat client: compactor import")
		return
	}
	var rows [][]string
	for _, s := range list {
		tools, hidden := "-", "-"
		if s.Known {
			tools, hidden = strconv.Itoa(s.Tools), strconv.Itoa(s.Hidden)
		}
		rows = append(rows, []string{oneLine(s.Name), statusWord(s.Status, s.State), tools, hidden, formatMillis(s.Millis), oneLine(s.Reached)})
	}
	_ = screen.Table(a.out, []string{"SERVER", "STATUS", "TOOLS", "HIDDEN", "TIME", "REACHED BY"}, rows)
	for _, s := range list {
		if s.Waiting > 0 {
			fmt.Fprintf(a.out, "\n%s: of its tools %d must be approved before use: compactor tools approve\n", s.Name, s.Waiting)
		}
		if n := len(s.Refused); n > 0 {
			fmt.Fprintf(a.out, "\n%s: of its tools %d cannot be offered\n", s.Name, n)
			for _, r := range s.Refused[:min(n, 10)] {
				fmt.Fprintf(a.out, "    %s: %s\n", sanitize.Brief(orNameless(r.Tool), 60), oneLine(r.Why))
			}
		}
		if s.Login != "" && s.Problem == "" {
			fmt.Fprintf(a.out, "\n%s: %s\n", oneLine(s.Name), oneLine(s.Login))
		}
		if s.Problem == "" {
			continue
		}
		fmt.Fprintf(a.out, "\n%s: %s\n", oneLine(s.Name), indentLines(s.Problem))
		for _, said := range s.Stderr {
			fmt.Fprintf(a.out, "    %s\n", indentLines(said))
		}
	}
}

// statusWord returns the status of a server in one word for people: two states without a
// connection say more than the status does.
func statusWord(status, state string) string {
	if state == "held" || state == "starting" {
		return state
	}
	return status
}

// orNameless returns the name of a tool, or a placeholder if it has none.
func orNameless(tool string) string {
	if tool == "" {
		return "(no name)"
	}
	return tool
}

// noServer returns the error for an unknown server, with the one that was meant or those that exist.
func noServer(name string, svc *service.Service) error {
	names := serverNames(svc)
	switch near := diag.Nearest(name, names); {
	case near != "":
		return exit{exitInvalid, "there is no server " + name + "; did you mean " + near + "?"}
	case len(names) == 0:
		return exit{exitInvalid, "there is no server " + name + ", nor any other; declare servers, or take them over with: compactor import"}
	}
	return exit{exitInvalid, "there is no server " + name + "; there are: " + diag.Some(name, names)}
}

// noCommandNor rejects a single word that is neither a server nor a subcommand.
func noCommandNor(cmd *cobra.Command, names []string, svc *service.Service) error {
	if len(names) != 1 {
		return nil
	}
	if _, err := resolveNames(names, svc); err == nil {
		return nil
	}
	known := append(commandNames(cmd), serverNames(svc)...)
	msg := fmt.Sprintf("there is no server %s, nor a command %s %s", names[0], cmd.CommandPath(), names[0])
	switch near := diag.Nearest(names[0], known); {
	case near != "":
		msg += "; did you mean " + near + "?"
	case len(known) > 0:
		msg += "; there are: " + strings.Join(known, ", ")
	default:
		msg += "; declare servers, or take them over with: compactor import"
	}
	return exit{exitBroken, msg}
}

// serverNames returns the sorted names of the servers in the configuration.
func serverNames(svc *service.Service) []string {
	return slices.Sorted(maps.Keys(svc.Snapshot().Plan.Config.Servers))
}

func formatMillis(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d ms", n)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
