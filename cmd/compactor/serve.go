package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// reloadEvery is how often a running server checks its configuration for changes.
const reloadEvery = time.Second

func (a *app) serve() *cobra.Command {
	var t server.Transport
	var logFile string
	var deterministic, noCache bool
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: "use",
		Short:   "Serve the tools over MCP",
		Long: `Serve the configuration's tools to an MCP client. Over stdio nothing but the
protocol is written to standard output, and standard error stays quiet. Edits of
the configuration are taken over while the server runs; a broken edit is refused
with the same message that validate gives, and the old configuration stays.

Upstream MCP servers of the configuration are started when they are needed and
end with this process. gateway.surface controls how their tools are offered:
discovery (five tools find and run the others), proxy (they are listed
themselves), both or none.

Over HTTP the dashboard is at /dashboard/; compactor dashboard opens it, whatever
the transport. The control API is described at /openapi.json; what changes something
by it needs a token.`,
		Example: `  compactor serve
  compactor serve --transport http --listen 127.0.0.1:7717
  compactor serve --transport unix --listen /tmp/compactor/mcp.sock`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if t.Kind == server.Stdio && t.Listen != "" {
				return exit{exitBroken, "over stdio nothing listens on " + t.Listen + "; add --transport http, or unix, or leave --listen out"}
			}
			if t.Token == "" {
				t.Token = os.Getenv("COMPACTOR_TOKEN")
			}
			out, err := a.openLog(logFile, t.Kind)
			if err != nil {
				return err
			}
			defer out.Close()
			log := a.log
			a.cache, a.several = !noCache, true
			a.indexes = t.Kind != server.Stdio && t.Token != "" // by the control API
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			out.applyConfig(svc)
			a.warnPending(svc.Snapshot())
			giveBack := releaseIdleMemory()
			a.confine(svc, socketDir(t), controlDir(), writtenByAPI(t, svc.Snapshot()))
			svc.Gateway().LoadCached(cmd.Context()) // so that the first list has what earlier runs have seen
			ctx, stop := context.WithCancel(cmd.Context())
			defer stop()
			go a.watchConfig(ctx, svc, out)
			go svc.Gateway().WatchApprovals(ctx)
			srv, err := server.New(service.Backend{Service: svc, Deterministic: deterministic},
				server.Options{
					Name: "compactor", Title: "compactor", Version: versionString(), Logger: log, Events: a.events,
					Quiet: giveBack, // gives memory back to the system while idle
				})
			if err != nil {
				return exit{exitBroken, err.Error()}
			}
			defer srv.Close()
			defer a.trackUsage(svc)()
			if t.Kind != server.Stdio { // over stdio a connection is its own session
				defer a.shareSessions(svc, t.Token)()
			}
			shown := a.dashboardOf(ctx, svc, &t)
			defer shown.end()
			defer a.controlAPI(svc, &t)()
			stopControl := a.serveControl(ctx, svc, t, shown, log)
			defer stopControl()
			t.In, t.Out = a.in, a.out
			defer svc.Background(ctx, log)()
			learn := func() { go svc.Gateway().DiscoverAll(ctx) }
			t.Ready = func(addr net.Addr) { // upstream programs are not started if the address is taken
				shown.noteAddress(t, addr)
				a.sayServing(t, addr)
				learn()
			}
			if t.Kind == server.Stdio {
				learn()
			}
			a.sayWaiting(t)
			if err := srv.Serve(ctx, t); err != nil {
				return toExit(err)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&a.roots, "root", nil, "directory to search; may be repeated (default: the configuration's)")
	a.profileFlag(f, "let clients see and run what a profile of the configuration has, and nothing else, unless the configuration gives them another")
	kinds := []string{server.Stdio, server.HTTP, server.Unix}
	t.Kind = server.Stdio
	f.Var(choice{&t.Kind, kinds}, "transport", oneOf(kinds))
	_ = cmd.RegisterFlagCompletionFunc("transport", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	f.StringVar(&t.Listen, "listen", "", "HOST:PORT or socket path (default "+server.DefaultAddr+")")
	f.StringVar(&t.Token, "token", "", "bearer token that HTTP clients must send (default: $COMPACTOR_TOKEN)")
	f.BoolVar(&t.Remote, "remote", false, "allow an address beyond this machine; needs a token")
	f.StringArrayVar(&t.Origins, "origin", nil, "web origin whose pages may call; may be repeated")
	f.StringVar(&logFile, "log", "", "file for log lines, whatever the configuration says (default: log.file, else standard error, but none over stdio)")
	f.BoolVar(&a.noModel, "no-model", false, "ask no model: neither a configured one nor the client's own (sampling)")
	f.BoolVar(&deterministic, "deterministic", false, "leave out times and the client's own model, so that equal calls give equal bytes")
	f.BoolVar(&noCache, "no-cache", false, "keep nothing of files and of searches between calls, whatever the configuration says (cache)")
	return cmd
}

// socketDir returns the directory in which a socket has to be created, or "" for other transports.
func socketDir(t server.Transport) string {
	if t.Kind != server.Unix {
		return ""
	}
	if t.Listen == "" {
		t.Listen, _ = listen.DefaultSocket()
	}
	dir := dirOf(t.Listen)
	_ = os.MkdirAll(dir, 0o700) // a missing directory cannot be left accessible; listening reports what is wrong
	return dir
}

// watchConfig follows the configuration directory. The errors in a refused edit go to the log and,
// over stdio too, to standard error: they are the one thing that a user must see.
func (a *app) watchConfig(ctx context.Context, svc *service.Service, out *serveLog) {
	opt, err := a.options()
	if err != nil || opt.Dir == "" {
		return
	}
	service.Watch(ctx, opt.Watched(), reloadEvery, func() {
		restore := growHeap(growLoading)
		list, err := svc.Reload(ctx, opt)
		restore()
		switch {
		case err != nil:
			fmt.Fprintln(a.err, "compactor: configuration not reloaded: "+err.Error())
		case list.HasErrors():
			_ = writeDiags(a.err, list)
			fmt.Fprintln(a.err, "compactor: the edit was refused; the old configuration stays")
		default:
			out.applyConfig(svc)
		}
	})
}
