package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Names on the command line are completed from what is declared and what earlier runs have
// recorded: no key press starts a server. There are no completions without a configuration
// that loads.

// loadSilently loads the configuration and discards all messages: a shell would show them in the
// middle of the line that is being completed.
func (a *app) loadSilently(ctx context.Context) *service.Service {
	a.err = io.Discard
	svc, err := a.load(ctx)
	if err != nil {
		return nil
	}
	return svc
}

// completeServers completes the names of servers, each once, up to most arguments.
func (a *app) completeServers(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		svc := a.loadSilently(cmd.Context())
		if svc == nil || len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		for _, s := range svc.Gateway().Servers() {
			if !contains(args, s.Name) {
				out = append(out, cobra.CompletionWithDesc(s.Name, sanitize.Brief(s.Description, 60)))
			}
		}
		return dropUnprintable(out), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeTool completes the name of a known tool.
func (a *app) completeTool(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	svc := a.loadSilently(cmd.Context())
	if svc == nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return dropUnprintable(toolNames(svc.Gateway().LoadCached(cmd.Context()).List, func(*catalog.UpstreamTool) bool { return true })), cobra.ShellCompDirectiveNoFileComp
}

// completeTools completes the names of known tools, any number of them.
func (a *app) completeTools(cmd *cobra.Command, _ []string, part string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.completeTool(cmd, nil, part)
}

// completeCall completes a tool that can be run, and then its arguments.
func (a *app) completeCall(cmd *cobra.Command, args []string, part string) ([]cobra.Completion, cobra.ShellCompDirective) {
	svc := a.loadSilently(cmd.Context())
	if svc == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	known := svc.Gateway().LoadCached(cmd.Context()).List
	if len(args) == 0 {
		return dropUnprintable(toolNames(known, func(t *catalog.UpstreamTool) bool { return t.Enabled })), cobra.ShellCompDirectiveNoFileComp
	}
	for _, t := range known {
		if t.Listed == args[0] {
			return toolArguments(t, args[1:], part)
		}
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// toolArguments completes key=, then one of the allowed values or, if any value is allowed, a
// file.
func toolArguments(t *catalog.UpstreamTool, set []string, part string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	for _, p := range t.Params {
		key := p.Name + "="
		switch {
		case strings.HasPrefix(part, key) && len(p.Enum) == 0:
			return nil, cobra.ShellCompDirectiveDefault
		case strings.HasPrefix(part, key):
			for _, v := range p.Enum {
				out = append(out, key+v)
			}
			return dropUnprintable(out), cobra.ShellCompDirectiveNoFileComp
		case !anyHasPrefix(set, key):
			out = append(out, cobra.CompletionWithDesc(key, sanitize.Brief(p.Type+" "+p.Description, 60)))
		}
	}
	return dropUnprintable(out), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeWaiting completes the tools that await a decision, and their servers.
func (a *app) completeWaiting(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	svc := a.loadSilently(cmd.Context())
	if svc == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	g := svc.Gateway()
	var out []cobra.Completion
	list := g.LoadCached(cmd.Context()).List
	waiting := g.Undecided()
	for _, t := range list {
		if waiting[t.Server] > 0 && !contains(args, t.Server) {
			out = append(out, cobra.CompletionWithDesc(t.Server, "all pending tools of this server"))
		}
		waiting[t.Server] = 0
	}
	undecided := func(t *catalog.UpstreamTool) bool { return t.Trust != "trusted" && !contains(args, t.Listed) }
	return dropUnprintable(append(out, toolNames(list, undecided)...)), cobra.ShellCompDirectiveNoFileComp
}

// completeOwn completes a tool of the configuration, and then its inputs.
func (a *app) completeOwn(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	svc := a.loadSilently(cmd.Context())
	if svc == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, t := range svc.Snapshot().Plan.Tools {
		switch {
		case len(args) == 0:
			out = append(out, cobra.CompletionWithDesc(t.Name, sanitize.Brief(t.Description, 60)))
		case t.Name == args[0]:
			for _, n := range t.Input.Names() {
				if !anyHasPrefix(args[1:], n+"=") {
					out = append(out, n+"=")
				}
			}
		}
	}
	if len(args) == 0 {
		return dropUnprintable(out), cobra.ShellCompDirectiveNoFileComp
	}
	return dropUnprintable(out), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// firstOnly completes the first argument with one of a list.
func firstOnly(list []string, further cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return list, further
	}
}

func toolNames(list []*catalog.UpstreamTool, wanted func(*catalog.UpstreamTool) bool) []cobra.Completion {
	var out []cobra.Completion
	for _, t := range list {
		if wanted(t) {
			out = append(out, cobra.CompletionWithDesc(t.Listed, sanitize.Brief(t.Description, 60)))
		}
	}
	return out
}

// dropUnprintable drops completions that do not print as they are: a shell puts a completion into the
// command line, and takes a line break in it for the start of the next one.
func dropUnprintable(list []cobra.Completion) []cobra.Completion {
	var out []cobra.Completion
	for _, c := range list {
		choice, about, described := strings.Cut(c, "\t")
		if sanitize.Name(choice) != choice {
			continue
		}
		if described {
			choice = cobra.CompletionWithDesc(choice, oneLine(about))
		}
		out = append(out, choice)
	}
	return out
}

func anyHasPrefix(list []string, with string) bool {
	for _, s := range list {
		if strings.HasPrefix(s, with) {
			return true
		}
	}
	return false
}
