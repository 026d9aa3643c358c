package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

// help returns the command that explains a command or the code of a diagnostic.
func (a *app) help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | CODE]",
		Short: "Explain a command, or a code of a diagnostic",
		Example: `  compactor help research
  compactor help tools search
  compactor help C021`,
		ValidArgsFunction: completeTopic,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && codeLike.MatchString(args[0]) {
				if c, ok := diag.Explain(args[0]); ok {
					a.printCode(c)
					return nil
				}
				return exit{exitBroken, noCode(args[0]).Error()}
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return oneCommand(about, rest)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

var codeLike = lazyregexp.New(`^[Cc][0-9]{1,4}$`)

// completeTopic completes the subcommands of the commands named so far.
func completeTopic(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	if at, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
		for _, c := range at.Commands() {
			if c.IsAvailableCommand() {
				out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// showHelp prints the help of a command, laid out for its reader: paragraphs are filled to
// the width of a narrow terminal, and headings stand out.
func (a *app) showHelp(cmd *cobra.Command, _ []string) {
	width := screen.Columns(a.out)
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintln(a.out, screen.Fill(strings.TrimSpace(about), width))
	fmt.Fprintln(a.out)
	for l := range strings.Lines(cmd.UsageString()) {
		if text := strings.TrimRight(l, "\n"); strings.HasSuffix(text, ":") && !strings.HasPrefix(text, " ") {
			_ = screen.Paint(a.out, screen.Heading, text)
			fmt.Fprintln(a.out)
			continue
		}
		fmt.Fprint(a.out, l)
	}
}

// strictCompletion makes the completion command that cobra adds behave like all others: an
// unknown argument is an error.
func strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = oneCommand
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			for _, shell := range c.Commands() {
				shell.Annotations = map[string]string{copied: "script"}
			}
		}
	}
}

// copied annotates a command whose output is read by a program or copied, so that its lines
// must not be wrapped.
const copied = "copied"

// fitOutput turns line wrapping off for output that is meant for a program.
func (a *app) fitOutput(cmd *cobra.Command) {
	if cmd.Annotations[copied] != "" {
		disableWrapping(a.out)
	}
	if f := cmd.Flags().Lookup("format"); f != nil && f.Value.String() != "text" && f.Value.String() != "md" {
		disableWrapping(a.out)
	}
}
