package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

func (a *app) allow() *cobra.Command {
	var yes, forget bool
	var digest, format string
	cmd := &cobra.Command{
		Use:     "allow [DIR]",
		GroupID: "config",
		Short:   "Show what a project's configuration would reach, and allow it",
		Long: `A configuration that lies in a project (a .compactor, or any directory in a
repository or below the working directory) came with it, and who wrote it may not
be you. Its words, budgets, patterns and stages over the project act at once. What
reaches further is held until you allow it here: programs and their arguments,
addresses, variables and keys by name, directories elsewhere, writes, what a chat
model is told of tools, pipelines that run tools of servers or ask a model
elsewhere. Until then what is shipped and what is yours acts in its place.

The command shows all that waits and asks. What you allow is exactly what was
shown, by its digest, and the files of the project that a server runs or is given
by name: a change of any of it waits again, also in a server that runs, which goes
on with what you have allowed.

Your own configuration directory is yours and never waits, and what import writes
is allowed. In CI, where the configuration was reviewed, use --trust-config.

Exit code 0: nothing waits, or it is allowed now. 1: it waits still.`,
		Example: `  compactor allow
  compactor allow --yes
  compactor allow ~/src/project/.compactor --format json`,
		Args: requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				a.configDir = projectConfig(args[0])
			}
			opt, err := a.options()
			if err != nil {
				return err
			}
			if forget {
				return a.forgetAllowed(opt, format)
			}
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			held := svc.Snapshot().Held()
			if err := a.printHeld(held, opt, format); err != nil || held == nil {
				return err
			}
			switch {
			case digest != "":
				if err := checkDigest(held, digest); err != nil {
					return err
				}
			case !yes && !a.confirm(cmd.Context(), format):
				if format == "text" {
					fmt.Fprintf(a.out, "\nTo allow just this: %s --digest %s\n", sanitize.Line(opt.Command()), shortDigest(held.Digest))
				}
				return exit{exitInvalid, ""}
			}
			if err := consent.Allowed(opt.State).Add(opt.Dir, held); err != nil {
				return exit{exitBroken, err.Error()}
			}
			if format == "text" {
				fmt.Fprintf(a.out, "\nallowed %s\n", sanitize.Line(opt.Display))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "allow what is shown without asking")
	cmd.Flags().StringVar(&digest, "digest", "", "allow only if the pending changes still have this digest")
	cmd.Flags().BoolVar(&forget, "forget", false, "take back all that was allowed of this configuration")
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

// checkDigest returns an error unless digest is a prefix of held.Digest, and at least as long as
// the part of it that is shown.
func checkDigest(held *consent.Effects, digest string) error {
	switch {
	case !strings.HasPrefix(held.Digest, digest):
		return exit{exitInvalid, "pending changes differ from the reviewed ones: the digest is " + shortDigest(held.Digest) + ", expected " + digest + "; review them again with: compactor allow"}
	case len(digest) < len(shortDigest(held.Digest)):
		return exit{exitInvalid, "digest " + digest + " is too short: give all of it, as compactor allow shows it"}
	}
	return nil
}

// projectConfig takes a project's directory for the configuration in it.
func projectConfig(dir string) string {
	in := strings.TrimRight(dir, "/\\") + string(os.PathSeparator) + consent.Directory
	if info, err := os.Lstat(in); err == nil && info.IsDir() {
		return in
	}
	return dir
}

func (a *app) forgetAllowed(opt service.Options, format string) error {
	had, err := consent.Allowed(opt.State).Forget(opt.Dir)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if format == "json" {
		return printJSON(a.out, map[string]any{"config": opt.Display, "forgotten": had})
	}
	if !had {
		fmt.Fprintln(a.out, "nothing of it was allowed")
		return nil
	}
	fmt.Fprintf(a.out, "%s is not trusted any more\n", sanitize.Line(opt.Display))
	return nil
}

// confirm asks the user on a terminal and waits for an answer or an interrupt. Without a
// terminal it returns false.
func (a *app) confirm(ctx context.Context, format string) bool {
	in, readable := a.in.(*os.File)
	_, seen := a.out.(*terminal)
	if format != "text" || !seen || !readable || !term.IsTerminal(int(in.Fd())) {
		return false
	}
	fmt.Fprint(a.out, "\nAllow all of this? [y/N] ")
	yes := saysYes(ctx, in)
	if ctx.Err() != nil {
		fmt.Fprintln(a.out)
	}
	return yes
}

// saysYes reads one line and reports whether it says yes; an interrupt counts as no.
func saysYes(ctx context.Context, in io.Reader) bool {
	said := make(chan bool, 1)
	go func() { // a read from a terminal cannot be cancelled; it ends with the process
		line, err := bufio.NewReader(io.LimitReader(in, 100)).ReadString('\n')
		answer := strings.ToLower(strings.TrimSpace(line))
		said <- err == nil && (answer == "y" || answer == "yes")
	}()
	select {
	case yes := <-said:
		return yes && ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

func (a *app) printHeld(held *consent.Effects, opt service.Options, format string) error {
	if format == "json" {
		if held == nil {
			held = &consent.Effects{Items: []consent.Item{}}
		}
		return printJSON(a.out, held)
	}
	switch {
	case held == nil && opt.Project == "":
		fmt.Fprintln(a.out, "nothing is pending: no project's configuration is in force")
		return nil
	case held == nil:
		fmt.Fprintf(a.out, "nothing of %s is pending\n", sanitize.Line(opt.Display))
		return nil
	}
	fmt.Fprintf(a.out, "%s came with %s and would:\n", sanitize.Line(opt.Display), sanitize.Line(opt.Project))
	for _, item := range held.Items {
		fmt.Fprintf(a.out, "\n%s\n", sanitize.Line(item.Path))
		for _, line := range item.Does {
			fmt.Fprintf(a.out, "    %s\n", countSpaces(sanitize.Line(maskSecrets(line))))
		}
		for _, f := range item.Files {
			fmt.Fprintf(a.out, "    with the file %s as it is now\n", sanitize.Line(f.Path))
		}
		if item.Also != "" {
			fmt.Fprintf(a.out, "    %s\n", item.Also)
		}
	}
	return nil
}

var gap = lazyregexp.New(` {4,}`)

// countSpaces replaces long runs of spaces with their number: they could push what follows out
// of sight.
func countSpaces(line string) string {
	return gap.ReplaceAllStringFunc(line, func(run string) string { return fmt.Sprintf(" [%d spaces] ", len(run)) })
}

func shortDigest(digest string) string { return digest[:16] }

// maskSecrets redacts the secrets in a line: a key written into a configuration must not end up in
// the terminal's history as well.
func maskSecrets(line string) string {
	out, _ := redact.Default().Redact(line)
	return out
}

// warnPending tells the user, once, that part of the configuration is held until it is allowed.
func (a *app) warnPending(snap *service.Snapshot) {
	if held := snap.Held(); held != nil {
		fmt.Fprintf(a.err, "compactor: project configuration not trusted yet: %s (review with: %s)\n", sanitize.Line(strings.Join(held.Paths(), ", ")), sanitize.Line(snap.AllowWith()))
	}
}
