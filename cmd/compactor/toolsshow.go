package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

func (a *app) toolsShow() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a tool's schema and full description",
		Example: `  compactor tools show github__create_issue
  compactor tools show github__create_issue --format json | jq .input_schema`,
		Args:              requireArgs(1, 1, seeList),
		ValidArgsFunction: a.completeTool,
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			details, err := svc.Look(cmd.Context(), "tools.show", map[string]any{"tool": args[0]})
			if err != nil {
				return adaptHint(toExit(err), args[0])
			}
			return a.printReply(details, format, a.printDetails)
		},
	}
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

// printDetails prints a tool for people: the description with its line breaks, then the
// schemas.
func (a *app) printDetails(raw json.RawMessage) (int, error) {
	var t struct {
		Tool, Server, Description, Hints, Disabled string
		Tags, Flags                                []string
		Examples                                   []json.RawMessage
		Input                                      json.RawMessage `json:"input_schema"`
		Output                                     json.RawMessage `json:"output_schema"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return 0, err
	}
	about := []string{"server " + t.Server}
	if t.Hints != "" {
		about = append(about, t.Hints)
	}
	if len(t.Tags) > 0 {
		about = append(about, "tags "+strings.Join(t.Tags, " "))
	}
	fmt.Fprintf(a.out, "%s  (%s)\n", oneLine(t.Tool), oneLine(strings.Join(about, ", ")))
	if t.Disabled != "" {
		fmt.Fprintf(a.out, "cannot be run: %s\n", oneLine(t.Disabled))
	}
	for _, f := range t.Flags {
		fmt.Fprintf(a.out, "taken out: %s\n", oneLine(f))
	}
	if t.Description != "" {
		fmt.Fprintf(a.out, "\n%s\n", sanitize.Strip(strings.TrimSpace(t.Description)))
	}
	a.printSchema("arguments", t.Input)
	a.printSchema("structured result", t.Output)
	for i, e := range t.Examples {
		if i == 0 {
			fmt.Fprint(a.out, "\nexamples:\n")
		}
		fmt.Fprintf(a.out, "  compactor tools call %s %s\n", oneLine(t.Tool), shellWord(oneLine(string(e))))
	}
	return 1, nil
}

func (a *app) printSchema(of string, schema json.RawMessage) {
	var b bytes.Buffer
	if len(schema) > 0 && json.Indent(&b, schema, "", "  ") == nil {
		disableWrapping(a.out)
		fmt.Fprintf(a.out, "\n%s:\n%s\n", of, b.String())
	}
}

// shellWord quotes a text as one word of a command line.
func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
