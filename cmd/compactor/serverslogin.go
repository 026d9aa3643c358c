package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
)

// loginFlags holds the flags of compactor servers login.
type loginFlags struct {
	noBrowser, printURL, file bool
	timeout                   time.Duration
}

// seeServers tells the user how to find the name of a server.
const seeServers = "compactor servers --offline lists them"

func (a *app) login() *cobra.Command {
	var f loginFlags
	cmd := &cobra.Command{
		Use:   "login NAME",
		Short: "Log in to an upstream server that wants it",
		Long: `Open the login page of a server in a browser, wait until the browser comes back
to this machine, and keep the tokens: in the system's keyring where there is one,
else in a file that only you can read. They are renewed as long as the server
does so; compactor serve takes them up at once.

Where no browser can be opened the address is printed. It may be opened on
another machine: its browser then ends at an address that begins with
http://127.0.0.1 and shows no page; paste that address here.

Exit code 0: logged in. 1: not. 2: the configuration cannot be used.`,
		Example: `  compactor servers login tracker
  compactor servers login tracker --no-browser`,
		Args:              requireArgs(1, 1, seeServers),
		ValidArgsFunction: a.completeServers(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			if names, err = resolveNames(names, svc); err != nil {
				return err
			}
			ctx, stop := context.WithCancel(cmd.Context())
			defer stop()
			state, err := svc.Gateway().Login(ctx, names[0], a.loginPerson(ctx, f), f.file)
			if err != nil {
				return notLoggedIn(names[0], cmd.Context(), err)
			}
			where := "in a file that only you can read"
			if state.Keyring {
				where = "in the system's keyring"
			}
			fmt.Fprintf(a.err, "%s: %s; the tokens are %s\n", oneLine(names[0]), oneLine(state.Line(time.Now())), where)
			return nil
		},
	}
	cmd.Flags().BoolVar(&f.noBrowser, "no-browser", false, "open no browser; print the address")
	cmd.Flags().BoolVar(&f.printURL, "print-url", false, "open no browser; print the address, and nothing else, on standard output")
	cmd.Flags().BoolVar(&f.file, "file", false, "keep the tokens in a file, not in the system's keyring")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 5*time.Minute, "how long is waited for you")
	return cmd
}

// loginPerson returns the callbacks by which a login talks to the user at this terminal.
func (a *app) loginPerson(ctx context.Context, f loginFlags) oauth.Person {
	return oauth.Person{Time: f.timeout, Lines: readPasted(ctx, a.in),
		Said: func(text string) { fmt.Fprintln(a.err, text) },
		Show: func(address string) {
			if f.printURL {
				fmt.Fprintln(a.out, address)
				return
			}
			err := errors.New("--no-browser")
			if !f.noBrowser {
				err = oauth.Browse(address)
			}
			if err == nil {
				fmt.Fprintf(a.err, "The browser shows where to log in. If it does not, open:\n\n  %s\n\n", address)
			} else {
				fmt.Fprintf(a.err, "Open this address in a browser and log in:\n\n  %s\n\n", address)
			}
			fmt.Fprintln(a.err, "Waiting. If the browser is on another machine, paste the address that it ends at here (http://127.0.0.1…).")
		}}
}

// maxAddress limits a pasted line, in bytes.
const maxAddress = 64 << 10

// readPasted returns the lines of standard input. They are read until the program ends: a read cannot be cancelled.
func readPasted(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(nil, maxAddress)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func notLoggedIn(name string, ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return exit{exitInvalid, name + ": given up; nothing was kept"}
	}
	return exit{exitInvalid, name + ": " + strings.TrimPrefix(err.Error(), name+": ")}
}

func (a *app) logout() *cobra.Command {
	return &cobra.Command{
		Use:               "logout NAME",
		Short:             "Forget the login to an upstream server",
		Long:              "Tell the server that its tokens are no longer good, where it can be told, and\nremove them here.",
		Example:           "  compactor servers logout tracker",
		Args:              requireArgs(1, 1, seeServers),
		ValidArgsFunction: a.completeServers(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			if names, err = resolveNames(names, svc); err != nil {
				return err
			}
			had, told, err := svc.Gateway().Logout(cmd.Context(), names[0])
			switch {
			case err != nil:
				return exit{exitInvalid, names[0] + ": " + err.Error()}
			case !had:
				return exit{exitInvalid, names[0] + ": not logged in"}
			case told:
				fmt.Fprintf(a.err, "%s: logged out, and its tokens are taken back\n", oneLine(names[0]))
			default:
				fmt.Fprintf(a.err, "%s: logged out here; the server was not told, so its tokens end by themselves\n", oneLine(names[0]))
			}
			return nil
		},
	}
}

// loginLine describes the login to a server, or returns "" for a server without one.
func loginLine(g *gateway.Gateway, s config.Server) string {
	text := g.LoginState(s).Line(time.Now())
	if strings.HasPrefix(text, "login needed") {
		text += "; log in again with: compactor servers login " + s.Name
	}
	return text
}
