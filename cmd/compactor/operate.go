package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/app/supervise"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// controlDir returns the directory of the sockets of running compactors and creates it if it
// is missing; "" for no directory.
func controlDir() string {
	dir := control.Dir()
	if dir != "" {
		_ = os.MkdirAll(dir, 0o700) // listening in it reports what is wrong
	}
	return dir
}

// serveControl listens for the commands of another terminal. If it cannot, it logs a warning and
// everything else works.
func (a *app) serveControl(ctx context.Context, svc *service.Service, t server.Transport, shown *shown, log *slog.Logger) (stop func()) {
	dir := controlDir()
	if dir == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	about := control.About{PID: os.Getpid(), Version: versionString(), Started: time.Now(), Serves: t.Kind, Dir: workDir()}
	if opt, err := a.options(); err == nil {
		about.Configuration = supervise.Identity(opt.Dir)
	}
	if t.Listen != "" {
		about.Serves += " " + t.Listen
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := control.Serve(ctx, dir, about, service.Operator{Service: svc, Timeline: shown.recent}, shown.pages()); err != nil {
			log.Warn("commands of other terminals cannot reach this server", "error", err)
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}

func workDir() string {
	dir, _ := os.Getwd()
	return dir
}

func (a *app) serversLogs() *cobra.Command {
	var lines, pid int
	cmd := &cobra.Command{
		Use:   "logs NAME",
		Short: "Show what a server's program wrote to its standard error",
		Long: `Show the last lines that the program of an upstream server wrote to its standard
error, from each running compactor serve that has it. Before them come the first
lines on its standard output that are no messages.`,
		Example:           `  compactor servers logs github -n 20`,
		Args:              requireArgs(1, 1, seeRunning),
		ValidArgsFunction: a.completeServers(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.operateServer(cmd.Context(), args[0], pid, func(ctx context.Context, c *control.Client, name string) error {
				said, err := c.Log(ctx, name)
				if err != nil {
					return err
				}
				if len(said) == 0 {
					fmt.Fprintf(a.err, "%s has written nothing (process %d)\n", name, c.About.PID)
				}
				for _, l := range said[max(0, len(said)-lines):] {
					fmt.Fprintln(a.out, oneLine(l))
				}
				return nil
			})
		},
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", 100, "show so many of the last lines")
	pidFlag(cmd, &pid)
	return cmd
}

func (a *app) serversRestart() *cobra.Command {
	var pid int
	cmd := &cobra.Command{
		Use:   "restart NAME",
		Short: "Restart an upstream server",
		Long: `Restart an upstream server in each running compactor serve that has it, and list
its tools again. Calls in progress end with an error.`,
		Example:           `  compactor servers restart github`,
		Args:              requireArgs(1, 1, seeRunning),
		ValidArgsFunction: a.completeServers(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.operateServer(cmd.Context(), args[0], pid, func(ctx context.Context, c *control.Client, name string) error {
				if err := c.Restart(ctx, name); err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%s was restarted (process %d)\n", name, c.About.PID)
				return nil
			})
		},
	}
	pidFlag(cmd, &pid)
	return cmd
}

func (a *app) serversSwitch(on bool) *cobra.Command {
	verb, does, short := "disable", "off", "Turn a server of a running compactor off"
	if on {
		verb, does, short = "enable", "on", "Turn a server of a running compactor on"
	}
	var pid int
	cmd := &cobra.Command{
		Use:   verb + " NAME",
		Short: short,
		Long: `Turn an upstream server ` + does + ` in each running compactor serve that has it, until that
ends or the configuration says otherwise. For good, write into the configuration:

    servers: NAME: enabled: ` + strconv.FormatBool(on),
		Example:           "  compactor servers " + verb + " github",
		Args:              requireArgs(1, 1, seeRunning),
		ValidArgsFunction: a.completeServers(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.operateServer(cmd.Context(), args[0], pid, func(ctx context.Context, c *control.Client, name string) error {
				if err := c.Switch(ctx, name, on); err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%s is %s until process %d ends; for good: servers: %s: enabled: %t\n", name, does, c.About.PID, name, on)
				return nil
			})
		},
	}
	pidFlag(cmd, &pid)
	return cmd
}

func (a *app) serversRunning() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "running",
		Short:   "Show the servers of each running compactor as they are now",
		Long:    `Show each running compactor serve of yours with its upstream servers. Nothing is started.`,
		Example: `  compactor servers running --format json`,
		Args:    requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, _, err := control.Find(cmd.Context(), control.Dir())
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			type row struct {
				control.About
				Servers []control.Server `json:"servers"`
			}
			rows := []row{}
			for _, c := range list {
				servers, err := c.Servers(cmd.Context())
				if err != nil {
					return exit{exitBroken, err.Error()}
				}
				rows = append(rows, row{c.About, servers})
			}
			if format == "json" {
				return printJSON(a.out, map[string]any{"running": rows})
			}
			if len(rows) == 0 {
				fmt.Fprintln(a.out, noneServes)
			}
			for _, r := range rows {
				fmt.Fprintf(a.out, "process %d, %s, since %s, in %s\n", r.PID, oneLine(r.Serves), r.Started.Format(time.DateTime), oneLine(r.Dir))
				var servers [][]string
				for _, s := range r.Servers {
					servers = append(servers, []string{"  " + oneLine(s.Name), statusWord(s.Status, s.State), words.Count(s.Enabled, "tool"), oneLine(s.Problem)})
				}
				if err := screen.Table(a.out, nil, servers); err != nil {
					return err
				}
			}
			return nil
		},
	}
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

// seeRunning tells the user how to find the name of a server.
const seeRunning = "compactor servers running says what there is"

const noneServes = "no compactor is serving; a chat client starts one, or you do: compactor serve"

func pidFlag(cmd *cobra.Command, pid *int) {
	cmd.Flags().IntVar(pid, "pid", 0, "only in the compactor of this process id (default: all that run)")
}

// findServing returns the compactors that serve now, or the one with a process id.
func findServing(ctx context.Context, pid int) ([]*control.Client, error) {
	list, _, err := control.Find(ctx, control.Dir())
	if err != nil {
		return nil, exit{exitBroken, err.Error()}
	}
	if pid != 0 {
		list = slices.DeleteFunc(list, func(c *control.Client) bool { return c.About.PID != pid })
	}
	switch {
	case len(list) == 0 && pid != 0:
		return nil, exit{exitInvalid, fmt.Sprintf("no compactor serves as process %d; see: compactor servers running", pid)}
	case len(list) == 0:
		return nil, exit{exitInvalid, noneServes}
	}
	return list, nil
}

// operateServer calls do for a server in each running compactor that has it.
func (a *app) operateServer(ctx context.Context, name string, pid int, do func(context.Context, *control.Client, string) error) error {
	list, err := findServing(ctx, pid)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	var failed []string
	found := false
	for _, c := range list {
		servers, err := c.Servers(ctx)
		if err != nil {
			failed = append(failed, fmt.Sprintf("process %d: %v", c.About.PID, err))
			continue
		}
		at := slices.IndexFunc(servers, func(s control.Server) bool { return strings.EqualFold(s.Name, name) })
		for _, s := range servers {
			known[s.Name] = true
		}
		if at < 0 {
			continue
		}
		found = true
		if err := do(ctx, c, servers[at].Name); err != nil && !errors.Is(err, control.ErrUnknown) {
			what := strings.TrimPrefix(err.Error(), servers[at].Name+": ")
			failed = append(failed, fmt.Sprintf("%s (process %d): %s", servers[at].Name, c.About.PID, what))
		}
	}
	switch {
	case len(failed) > 0:
		return exit{exitInvalid, strings.Join(failed, "\n")}
	case !found:
		return exit{exitInvalid, unknownServer(name, known)}
	}
	return nil
}

func unknownServer(name string, known map[string]bool) string {
	var names []string
	for n := range known {
		names = append(names, n)
	}
	slices.Sort(names)
	text := "no running compactor has a server " + name
	if near := diag.Nearest(name, names); near != "" {
		return text + "; did you mean " + near + "?"
	}
	if len(names) > 0 {
		return text + "; there are: " + strings.Join(names, ", ")
	}
	return text
}
