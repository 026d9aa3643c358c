package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"compactor/runtime/config"
	"compactor/runtime/gateway"
)

// heldServer is a server that waits for its user's word, as it is shown.
type heldServer struct {
	Name    string            `json:"name"`
	Command []string          `json:"command,omitempty"`
	Dir     string            `json:"dir,omitempty"`
	URL     string            `json:"url,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Allow   []string          `json:"allow,omitempty"` // what it may ask of the chat client
}

// heldAs is a server as it is declared, nothing left out: what is masked here
// could hide what it does. Variables stay names.
func heldAs(s config.Server) heldServer {
	h := heldServer{Name: s.Name, Dir: s.Dir, URL: s.URL, Env: s.Env, Headers: s.Headers, Allow: s.Allow}
	if s.Command != "" {
		h.Command = append([]string{s.Command}, s.Args...)
	}
	return h
}

// lines are what is said of it, one thing a line.
func (h heldServer) lines() []string {
	var out []string
	if len(h.Command) > 0 {
		words := make([]string, len(h.Command))
		for i, w := range h.Command {
			words[i] = gateway.QuotedWord(w)
		}
		out = append(out, "runs "+strings.Join(words, " "))
	}
	if h.Dir != "" {
		out = append(out, "in "+h.Dir)
	}
	if h.URL != "" {
		out = append(out, "connects to "+h.URL)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Env)) {
		out = append(out, "with "+name+"="+h.Env[name])
	}
	for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
		out = append(out, "with "+name+": "+h.Headers[name])
	}
	if len(h.Allow) > 0 {
		out = append(out, "may ask the chat client for "+strings.Join(h.Allow, ", "))
	}
	return out
}

func (a *app) serversAllow() *cobra.Command {
	var all bool
	var format string
	cmd := &cobra.Command{
		Use:   "allow [NAME…]",
		Short: "Let the servers of a directory's own configuration start",
		Long: `A configuration that is found as .compactor in the working directory may have come
with a repository. Its servers are neither started nor connected to before you
allow them: each as it is declared now, so that one that is changed waits again.
Without a name the command shows what waits. Servers that compactor import writes
are allowed, and so are those of a configuration that --config or $COMPACTOR_CONFIG
names and those of your own configuration directory.`,
		Example: `  compactor servers allow
  compactor servers allow github files
  compactor servers allow --all`,
		ValidArgsFunction: a.completeHeld,
		RunE: func(cmd *cobra.Command, names []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			held := svc.Snapshot().Held()
			if len(names) == 0 && !all {
				return a.printHeld(held, format)
			}
			if names, err = declared(names, svc); err != nil {
				return err
			}
			if all {
				names = slices.Concat(names, heldNames(held))
			}
			if err := svc.Snapshot().Allow(names...); err != nil {
				return exit{exitBroken, err.Error()}
			}
			return a.printAllowed(names, format)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all that wait")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

// completeHeld completes a server that waits.
func (a *app) completeHeld(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	svc := a.completed(cmd.Context())
	if svc == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	left := func(name string) bool { return contains(args, name) }
	return slices.DeleteFunc(heldNames(svc.Snapshot().Held()), left), cobra.ShellCompDirectiveNoFileComp
}

func heldNames(held []config.Server) []string {
	var out []string
	for _, s := range held {
		out = append(out, s.Name)
	}
	return out
}

func (a *app) printHeld(held []config.Server, format string) error {
	list := []heldServer{}
	for _, s := range held {
		list = append(list, heldAs(s))
	}
	if format == "json" {
		return printJSON(a.out, list)
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "no server waits to be allowed")
		return nil
	}
	for _, s := range list {
		fmt.Fprintln(a.out, s.Name)
		for _, line := range s.lines() {
			fmt.Fprintf(a.out, "    %s\n", visible(line))
		}
	}
	fmt.Fprintln(a.out, "\nWhen you trust them: compactor servers allow --all, or by name")
	return nil
}

func (a *app) printAllowed(names []string, format string) error {
	if format == "json" {
		return printJSON(a.out, map[string]any{"allowed": names})
	}
	if len(names) == 0 {
		fmt.Fprintln(a.out, "no server waits to be allowed")
	}
	for _, n := range names {
		fmt.Fprintf(a.out, "allowed %s\n", n)
	}
	return nil
}
