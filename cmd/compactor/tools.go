package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/gateway"
)

// seeList tells the user how to find the name of a tool.
const seeList = "compactor tools list says what there is"

func (a *app) tools() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "tools",
		GroupID: "use",
		Short:   "Find, look at and run the tools of upstream MCP servers",
		Long: `Find, look at and run the tools of upstream MCP servers, and see why each can be
used or not. What models do with the tools that find and run them, people do here.`,
		Args: oneCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.toolsSearch(), a.toolsList(), a.toolsShow(), a.toolsCall(), a.toolsWhy(), a.toolsApprove())
	return cmd
}

// runUpstream runs a tool of an upstream server and returns its reply.
func (a *app) runUpstream(ctx context.Context, tool string, args json.RawMessage) (*service.Reply, error) {
	svc, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	call, err := svc.RunUpstream(tool, args)
	if err != nil {
		return nil, toExit(err)
	}
	line := newProgress(a.err)
	call.Progress, call.Watched = line.show, true
	reply, err := svc.Invoke(ctx, call)
	line.clear()
	if err != nil {
		return nil, adaptHint(toExit(err), tool)
	}
	return reply, nil
}

// adaptHint rewrites the hint of an error for people: it names a command instead of a tool, and
// the command that shows a schema instead of the schema that a model needs.
func adaptHint(err error, tool string) error {
	var e exit
	if !errors.As(err, &e) {
		return err
	}
	e.msg = strings.ReplaceAll(e.msg, gateway.SearchForIt, "find it with: compactor tools search")
	if wrong, _, ok := strings.Cut(e.msg, "call it again with arguments of this schema: "); ok {
		e.msg = fmt.Sprintf("%sits schema: compactor tools show %s [%s]", wrong, tool, gateway.CodeArguments)
	}
	return e
}

func (a *app) toolsSearch() *cobra.Command {
	var format, server string
	var limit int
	var all, refresh bool
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find tools by what they do, with the words that matched",
		Long: `Find tools by what they do, with the words that matched. The first line says so
when they are only the nearest, and which words none of them has. The exit code
is 1 when nothing fits.`,
		Example: `  compactor tools search "open an issue"
  compactor tools search --server github --limit 10 pull request`,
		Args:              requireArgs(1, -1, "say what the tool is to do"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			in := map[string]any{"query": strings.Join(args, " "), "limit": limit, "include_disabled": all, "detail": true}
			if server != "" {
				in["server"] = server
			}
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			if err := a.refreshTools(cmd.Context(), svc, server, refresh); err != nil {
				return err
			}
			found, err := svc.Look(cmd.Context(), "tools.search", in)
			if err != nil {
				return toExit(err)
			}
			return a.printReply(found, format, func(raw json.RawMessage) (int, error) { return a.printFound(raw) })
		},
	}
	f := cmd.Flags()
	formatFlag(cmd, &format, "text", "json")
	f.StringVar(&server, "server", "", "only tools of this server")
	_ = cmd.RegisterFlagCompletionFunc("server", a.completeServers(1<<10))
	numberFlag(cmd, &limit, "limit", 5, 1, 50, "tools at most")
	f.BoolVar(&all, "all", false, "also tools that cannot be run, with the reason")
	refreshFlag(cmd, &refresh)
	return cmd
}

// printReply prints a reply as JSON or as a table; an empty table gives exit code 1.
func (a *app) printReply(raw json.RawMessage, format string, table func(json.RawMessage) (int, error)) error {
	if format == "json" {
		var b bytes.Buffer
		_ = json.Indent(&b, raw, "", "  ")
		fmt.Fprintln(a.out, b.String())
		return nil
	}
	n, err := table(raw)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if n == 0 {
		return exit{exitInvalid, ""}
	}
	return nil
}

func (a *app) printFound(raw json.RawMessage) (int, error) {
	var r struct {
		Unsure string
		Tools  []struct {
			Tool, Does, Args, Hints, Why, Disabled string
			Tags                                   []string
			Relevance                              float64
		}
		Note string
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return 0, err
	}
	if r.Unsure != "" {
		fmt.Fprintln(a.out, oneLine(r.Unsure))
	}
	for _, t := range r.Tools {
		fmt.Fprintf(a.out, "%s(%s)\n", oneLine(t.Tool), oneLine(t.Args))
		if t.Does != "" {
			fmt.Fprintf(a.out, "    %s\n", oneLine(t.Does))
		}
		fmt.Fprintf(a.out, "    relevance %.2f, matched: %s\n", t.Relevance, oneLine(t.Why))
		if len(t.Tags) > 0 {
			fmt.Fprintf(a.out, "    tags: %s\n", oneLine(strings.Join(t.Tags, " ")))
		}
		if t.Hints != "" {
			fmt.Fprintf(a.out, "    %s\n", oneLine(t.Hints))
		}
		if t.Disabled != "" {
			fmt.Fprintf(a.out, "    cannot be run: %s\n", oneLine(t.Disabled))
		}
	}
	if r.Note != "" {
		fmt.Fprintln(a.out, oneLine(r.Note))
	}
	return len(r.Tools), nil
}

func (a *app) toolsCall() *cobra.Command {
	var format, input string
	cmd := &cobra.Command{
		Use:         "call NAME [key=value…]",
		Annotations: map[string]string{copied: "result"},
		Short:       "Run a tool",
		Long: `Run a tool with arguments as key=value or as JSON. A value that reads as JSON
(true, 8, ["a"]) is taken as such. The text of the result goes to standard output;
--format json gives the whole result. Exit code 1: the tool says that it failed.`,
		Example: `  compactor tools call filesystem__read_text_file path=README.md
  compactor tools call github__create_issue --input '{"owner":"o","repo":"r","title":"t"}'`,
		Args:              requireArgs(1, -1, seeList),
		ValidArgsFunction: a.completeCall,
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := a.mergeArguments(input, args[1:])
			if err != nil {
				return exit{exitInvalid, err.Error()}
			}
			reply, err := a.runUpstream(cmd.Context(), args[0], raw)
			if err != nil {
				return err
			}
			return a.printResult(reply.JSON, format)
		},
	}
	formatFlag(cmd, &format, "text", "json")
	cmd.Flags().StringVar(&input, "input", "", "all arguments as one JSON object, or - for standard input")
	return cmd
}

// printResult prints the texts of a result; other content is only named.
func (a *app) printResult(raw json.RawMessage, format string) error {
	var r struct {
		Content []struct {
			Type, Text, MimeType, URI string
			Data                      string
			Resource                  struct{ URI, Text string }
		}
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return exit{exitBroken, "the result is not one of a tool: " + err.Error()}
	}
	if format == "json" {
		_ = a.printReply(raw, "json", nil)
	} else {
		for _, c := range r.Content {
			text := ""
			switch {
			case c.Type == "text":
				text = c.Text
			case c.Type == "resource" && c.Resource.Text != "":
				text = c.Resource.Text
			case c.Type == "resource", c.Type == "resource_link":
				text = fmt.Sprintf("[%s %s%s]", c.Type, c.URI, c.Resource.URI)
			default:
				text = fmt.Sprintf("[%s %s, %d bytes]", c.Type, c.MimeType, len(c.Data)*3/4)
			}
			fmt.Fprintln(a.out, text)
		}
		if len(r.Content) == 0 && len(r.StructuredContent) > 0 {
			_ = a.printReply(r.StructuredContent, "json", nil)
		}
	}
	if r.IsError {
		return exit{exitInvalid, ""}
	}
	return nil
}

func (a *app) toolsWhy() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:               "why NAME",
		Short:             "Explain why a tool can be used or not: rules, trust, surface",
		Example:           `  compactor tools why github__delete_repo`,
		Args:              requireArgs(1, 1, seeList),
		ValidArgsFunction: a.completeTool,
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			w, err := svc.Gateway().Why(cmd.Context(), args[0])
			if err != nil {
				return adaptHint(toExit(err), args[0])
			}
			if format == "json" {
				return printJSON(a.out, w)
			}
			a.printWhy(w)
			return nil
		},
	}
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

func (a *app) printWhy(w *gateway.Why) {
	verdict := "can be run"
	if !w.Enabled {
		verdict = "cannot be run"
	}
	fmt.Fprintf(a.out, "%s %s: %s\n", oneLine(w.Listed), verdict, oneLine(w.Why))
	fmt.Fprintf(a.out, "  server    %s, its own name is %s\n", oneLine(w.Server), oneLine(w.Tool))
	fmt.Fprintf(a.out, "  surface   %s\n", w.Surface)
	fmt.Fprintf(a.out, "  trust     %s, sha256 %s\n", w.Trust, w.Hash)
	if len(w.Tags) > 0 {
		fmt.Fprintf(a.out, "  tags      %s\n", oneLine(strings.Join(w.Tags, " ")))
	}
	fmt.Fprintf(a.out, "  calls     %d\n", w.Uses)
	for _, r := range w.Rules {
		fmt.Fprintf(a.out, "  rule      %s\n", oneLine(r))
	}
	for _, f := range w.Flags {
		fmt.Fprintf(a.out, "  taken out %s\n", oneLine(f))
	}
	for _, c := range w.Changes {
		fmt.Fprintf(a.out, "  changed   %s\n", oneLine(c))
	}
}
