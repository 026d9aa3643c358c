package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// dashboardAddr is the address of the dashboard if no serve process listens for browsers.
const dashboardAddr = "127.0.0.1:7718"

func (a *app) dashboard() *cobra.Command {
	var open bool
	var at string
	var pid int
	cmd := &cobra.Command{
		Use:     "dashboard",
		GroupID: "look",
		Short:   "Show sessions, what was saved, and how everything is, in a browser",
		Long: `Print the address of the dashboard, and open it with --open: the sessions of your
chat clients with the timeline of each (requests, stages, calls of models and of
upstream servers, each summary beside its call with the masked original on demand),
the tokens saved, the health of servers and models with what is wrong, and the
configuration in force. It changes nothing.

Where a compactor serves over HTTP, its own dashboard is opened. Where a chat client
started one over stdio, this command shows it at an address of its own until Ctrl+C.
Where none serves, it shows what earlier runs have left in the store.

Only this machine reaches it, and only you get in: the address printed lets one
browser in, once, within ten minutes. For another browser, or when it was used, run
the command again. --open hands it to your browser in a file that only you can read,
which is removed once it was used.`,
		Example: `  compactor dashboard --open
  compactor dashboard --listen 127.0.0.1:9000`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.showDashboard(cmd.Context(), at, pid, open)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&open, "open", false, "open it in the browser")
	f.StringVar(&at, "listen", "", "HOST:PORT of this machine to show it at (default: the server's own, else "+dashboardAddr+")")
	pidFlag(cmd, &pid)
	return cmd
}

// showDashboard shows the running compactor or, without one, the content of the store.
func (a *app) showDashboard(ctx context.Context, at string, pid int, open bool) error {
	running, err := findServing(ctx, pid)
	if err != nil && (pid != 0 || !errors.Is(err, exit{exitInvalid, noneServes})) {
		return err
	}
	if len(running) == 0 {
		return a.showStore(ctx, at, open)
	}
	c, entrance := toShow(ctx, running)
	if len(running) > 1 {
		fmt.Fprintf(a.err, "compactor: %d are serving; this is process %d, %s. The others: compactor servers running, then --pid\n", len(running), c.About.PID, oneLine(c.About.Serves))
	}
	if entrance != "" && at == "" {
		a.sayDashboard(entrance)
		if open {
			return openBrowser(ctx, entrance)
		}
		return nil
	}
	if _, err := c.Entrance(ctx); errors.Is(err, control.ErrUnknown) {
		return exit{exitInvalid, fmt.Sprintf("the compactor that serves (process %d, version %s) has no dashboard; restart it", c.About.PID, oneLine(c.About.Version))}
	}
	return a.serveDashboard(ctx, at, open, proxyPages(c))
}

// toShow returns the compactor to show, and its entrance: the first that listens for browsers, ordered by
// whether it was started here, then newest first. If none listens, it returns the first, without an entrance.
func toShow(ctx context.Context, list []*control.Client) (c *control.Client, entrance string) {
	here := workDir()
	slices.SortStableFunc(list, func(x, y *control.Client) int {
		return cmp.Or(btoi(y.About.Dir == here)-btoi(x.About.Dir == here), y.About.Started.Compare(x.About.Started))
	})
	for _, x := range list {
		if at, err := x.Entrance(ctx); err == nil && at != "" {
			return x, at
		}
	}
	return list[0], ""
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// proxyPages proxies the pages of another process. Of a browser's headers it forwards only Accept.
func proxyPages(c *control.Client) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", "compactor", "compactor"
			r.Out.Header = http.Header{"Accept": r.In.Header["Accept"]}
		},
		Transport:     c.Pages(),
		FlushInterval: -1, // a stream is flushed at once
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			dashboard.Protect(w.Header())
			http.Error(w, fmt.Sprintf("the compactor that was shown here (process %d) has ended; run compactor dashboard again", c.About.PID), http.StatusBadGateway)
		},
		ErrorLog: log.New(io.Discard, "", 0), // the browser has gone
	}
}

// showStore shows what earlier runs have left in the store.
func (a *app) showStore(ctx context.Context, at string, open bool) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	svc.Gateway().LoadCached(ctx)
	opt := a.pagesOf(svc)
	kept, end := a.openTimeline(ctx, svc)
	defer end()
	opt.Timeline = kept
	if at := store.UsagePath(svc.Snapshot().StoreURL()); at != "" && store.Exists(at) {
		defer a.trackUsage(svc)()
	}
	opt.Of = "No compactor is serving: this is what earlier runs have left. Nothing is live, and originals are gone."
	return a.serveDashboard(ctx, at, open, dashboard.New(opt))
}

// serveDashboard serves pages on this machine until ctx ends.
func (a *app) serveDashboard(ctx context.Context, at string, open bool, pages http.Handler) error {
	token := os.Getenv("COMPACTOR_TOKEN")
	l, err := listen.TCP(ctx, cmp.Or(at, dashboardAddr), false, false)
	if err != nil && at == "" { // another dashboard listens there
		l, err = listen.TCP(ctx, "127.0.0.1:0", false, false)
	}
	var refused *listen.Error
	if errors.As(err, &refused) && refused.Err == nil {
		return exit{exitBroken, refused.What + "; the dashboard is for this machine alone: listen on 127.0.0.1, and from elsewhere forward that port, such as with ssh -L 7718:127.0.0.1:7718"}
	}
	if err != nil {
		return toExit(err)
	}
	browser := guard.NewBrowser(dashboard.Path, token)
	elsewhere := http.RedirectHandler(dashboard.Path, http.StatusSeeOther)
	requests, cancel := context.WithCancel(ctx)
	defer cancel()
	srv := &http.Server{Handler: browser.Beside(elsewhere, pages, dashboard.Locked(versionString()), guard.Options{}), ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return requests }}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listen.Limit(l, 256)) }()
	address := "http://" + l.Addr().String() + browser.Entrance()
	a.sayDashboard(address)
	fmt.Fprintln(a.err, "compactor: showing it until Ctrl+C")
	var opening sync.WaitGroup
	if open {
		opening.Go(func() {
			if err := openBrowser(requests, address); err != nil {
				fmt.Fprintln(a.err, "compactor: "+err.Error())
			}
		})
	}
	err = <-served
	cancel()
	opening.Wait() // it removes the page that it has written
	if !errors.Is(err, http.ErrServerClosed) {
		return toExit(err)
	}
	return nil
}

// sayDashboard prints the address.
func (a *app) sayDashboard(address string) {
	fmt.Fprintln(a.out, address)
	flush(a.out)
	fmt.Fprintln(a.err, "compactor: this address lets one browser in, once, within ten minutes; for another one run compactor dashboard again")
}
