package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/app/supervise"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/config"
	programs "github.com/compactor-mcp/compactor/runtime/gateway/process"
)

func newSupervise(a *app) *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use:     "supervise",
		GroupID: "use",
		Short:   "Run the programs that the configuration depends on",
		Long: `Start the dependencies of the configuration, such as a database, a model server
or MCP servers over HTTP, and keep them running until Ctrl+C. Each starts when
those that it needs are ready. One that ends is restarted, after a longer wait
each time. At the end they stop in the opposite order, and whatever happens to
compactor, none of them is left behind.

A dependency is ready when its addr, health and check say so. Without these it has
to print a line with its address:

    SERVER_READY {"transport": "http", "addr": "127.0.0.1:8080"}

While dependency db is ready, ${DB_ADDR} in the configuration is its address, such
as 127.0.0.1:5432. A compactor that serves connects to upstream servers with such
an address as soon as they are ready.

What the programs write is shown, with secrets masked. The configuration is read
once: after an edit, run the command again.

Exit code 0: ended by Ctrl+C or SIGTERM. 1: there is nothing to run. 2: the
configuration is not valid, or a dependency was given up or could not be stopped.`,
		Example: `  compactor supervise
  compactor supervise --quiet
  compactor supervise status`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return superviseAll(cmd.Context(), a, quiet) },
	}
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "show how the programs are, but not what they write")
	cmd.AddCommand(newSuperviseStatus(a))
	return cmd
}

func newSuperviseStatus(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the programs that compactor supervise runs",
		Long: `Show the dependencies of the configuration that compactor supervise runs in another
terminal.

Exit code 0: all are ready. 1: one is not, or compactor supervise does not run.`,
		Example: `  compactor supervise status --format json`,
		Args:    requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := a.options()
			if err != nil {
				return err
			}
			list, runs := supervise.Find(cmd.Context(), supervise.Socket(opt.Dir))
			if format == "json" {
				if list == nil {
					list = []supervise.Status{}
				}
				err = printJSON(a.out, map[string]any{"running": runs, "dependencies": list})
			} else if runs {
				err = screen.Table(a.out, []string{"NAME", "STATE", "SINCE", "ADDRESS", "PROCESS", "RESTARTS", "LAST PROBLEM"}, statusRows(list))
			}
			switch {
			case err != nil:
				return err
			case !runs:
				return exit{exitInvalid, "compactor supervise does not run for this configuration; start it in another terminal with: compactor supervise"}
			}
			for _, st := range list {
				if st.State != supervise.Ready {
					return exit{exitInvalid, ""}
				}
			}
			return nil
		},
	}
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

func statusRows(list []supervise.Status) (rows [][]string) {
	for _, st := range list {
		pid := ""
		if st.PID != 0 {
			pid = strconv.Itoa(st.PID)
		}
		rows = append(rows, []string{st.Name, st.State, st.Since.Format(time.TimeOnly), oneLine(st.Addr), pid, strconv.Itoa(st.Restarts), oneLine(st.Problem)})
	}
	return rows
}

// provided returns a function that looks up the addresses of running dependencies.
func provided(socket string) func(config.Server, string) (string, bool) {
	return func(s config.Server, name string) (string, bool) {
		if !strings.HasSuffix(name, "_ADDR") {
			return "", false
		}
		list, _ := supervise.Find(context.Background(), socket) // it has a timeout of its own
		return supervise.Value(list, name, s.Project)
	}
}

func superviseAll(ctx context.Context, a *app, quiet bool) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	opt, err := a.options()
	if err != nil {
		return err
	}
	opt.Provided = nil // the supervisor knows its own
	snap := svc.Snapshot()
	a.warnPending(snap)
	dependencies := snap.Plan.Config.Dependencies
	switch {
	case len(dependencies) == 0 && snap.Held().Has("dependency"):
		return exit{exitInvalid, "nothing is started before you allow it"}
	case len(dependencies) == 0:
		return exit{exitInvalid, "the configuration in " + opt.Display + " has no dependencies; write for example:\n\n    dependencies: db: {command: \"postgres\", args: [\"-D\", \"data\"], addr: \"127.0.0.1:5432\"}"}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) }) // a second Ctrl+C ends us at once
	launcher := programs.NewLauncher(programs.Options{State: opt.State, Logger: a.log})
	show := &superviseOutput{app: a, quiet: quiet, dependencies: dependencies}
	var registering sync.WaitGroup
	defer registering.Wait()
	defer cancel()
	s := supervise.New(supervise.Options{
		Dependencies: dependencies, Work: opt.Work, Variable: opt.Variable, Redactor: snap.Redactor,
		Start: func(ctx context.Context, c programs.Command) (supervise.Program, error) {
			p, err := launcher.Start(ctx, c)
			if err != nil {
				return nil, err
			}
			return p, nil
		},
		Allowed: func(d config.Dependency) error { return allowsNow(snap, opt, d) },
		Print:   show.printLine,
		Changed: func(st supervise.Status) {
			show.printStatus(st)
			if st.State == supervise.Ready {
				registering.Go(func() { show.printConnected(register(ctx, snap, opt, dependencies[st.Name])) })
			}
		},
	})
	stopServing, err := s.Serve(ctx, supervise.Socket(opt.Dir))
	if err != nil {
		if _, runs := supervise.Find(ctx, supervise.Socket(opt.Dir)); runs {
			return exit{exitBroken, "compactor supervise runs already for this configuration; see: compactor supervise status"}
		}
		return exit{exitBroken, err.Error()}
	}
	defer stopServing()
	if err = errors.Join(s.Run(ctx), launcher.Close()); err != nil {
		return exit{exitBroken, err.Error()}
	}
	fmt.Fprintf(a.err, "compactor: %s stopped\n", words.Count(len(dependencies), "program"))
	return nil
}

// allowsNow returns an error unless the user has allowed a dependency with the files that it has now.
func allowsNow(snap *service.Snapshot, opt service.Options, d config.Dependency) error {
	if snap.AllowsDependency(d) {
		return nil
	}
	return errors.New("its files have changed since you allowed it; review them with: " + opt.Command() + ", and start compactor supervise again")
}

func register(ctx context.Context, snap *service.Snapshot, opt service.Options, d config.Dependency) []string {
	return supervise.Register(ctx, control.Dir(), supervise.Identity(opt.Dir), snap.Plan.Config.Servers, d)
}

// superviseOutput prints on standard error, by lines that begin with the name of a dependency.
type superviseOutput struct {
	app          *app
	quiet        bool
	dependencies map[string]config.Dependency
	mu           sync.Mutex
}

func (o *superviseOutput) printLine(name, line string) {
	if o.quiet {
		return
	}
	width := 0
	for other := range o.dependencies {
		width = max(width, len(other))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	fmt.Fprintf(o.app.err, "%-*s | %s\n", width, name, line)
}

// printOwn prints a line that is not of a program, which begins otherwise.
func (o *superviseOutput) printOwn(text string, style screen.Style) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fmt.Fprint(o.app.err, "compactor: ")
	if style == "" {
		fmt.Fprintln(o.app.err, text)
		return
	}
	_ = screen.Paint(o.app.err, style, text)
	fmt.Fprintln(o.app.err)
}

func (o *superviseOutput) printConnected(servers []string) {
	for _, name := range servers {
		o.printOwn("the compactor that serves has connected to server "+oneLine(name), screen.Good)
	}
}

func (o *superviseOutput) printStatus(st supervise.Status) {
	text, style := st.Name+" is "+st.State, screen.Style("")
	switch st.State {
	case supervise.Waiting:
		text += " for " + strings.Join(o.dependencies[st.Name].Needs, ", ")
	case supervise.Ready:
		style = screen.Good
		if st.Addr != "" {
			text += " at " + st.Addr
		}
	case supervise.Restarting:
		text, style = st.Name+" is restarted: "+st.Problem, screen.Bad
	case supervise.Failed:
		text, style = st.Name+" is given up", screen.Bad // why is said at the end
	}
	o.printOwn(oneLine(text), style)
}
