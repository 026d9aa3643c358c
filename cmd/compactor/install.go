package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/install"
	"github.com/compactor-mcp/compactor/runtime/quote"
	"github.com/compactor-mcp/compactor/runtime/service"
)

func (a *app) install() *cobra.Command {
	var print bool
	var name, file string
	cmd := &cobra.Command{
		Use:     "install CLIENT",
		GroupID: "use",
		Short:   "Add compactor to LM Studio or another chat client",
		Long: `Add an entry for compactor to a client's mcp.json, keeping all else that is in the
file (the old one stays beside it as .bak). For LM Studio the deeplink is printed
too. Clients: lmstudio, claude, cursor, vscode.`,
		Example: `  compactor install lmstudio --root ~/src/project
  compactor install lmstudio --print`,
		Args:              needs(1, 1, "the clients are "+strings.Join(clientNames(), ", ")),
		ValidArgsFunction: firstOnly(clientNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := install.Find(args[0])
			if err != nil {
				return exit{exitInvalid, err.Error()}
			}
			entry, err := a.entry(client)
			if err != nil {
				return err
			}
			if file == "" {
				home, err := os.UserHomeDir()
				if err != nil {
					return exit{exitBroken, "the home directory is not known: name the file with --file"}
				}
				file = client.Path(home)
			}
			if err := a.show(client, name, entry); err != nil {
				return err
			}
			if print {
				fmt.Fprintf(a.out, "\nNot written; the file is %s\n", file)
				return nil
			}
			if err := client.Write(file, name, entry); err != nil {
				return exit{exitBroken, err.Error()}
			}
			fmt.Fprintf(a.out, "\nWritten to %s\nRestart %s, or switch the server on in its settings.\n", file, client.Title)
			return a.installHeld(cmd.Context())
		},
	}
	cmd.Flags().StringArrayVar(&a.roots, "root", nil, "directory the client may search; may be repeated (default: the current one)")
	cmd.Flags().BoolVar(&print, "print", false, "print the entry and write nothing")
	cmd.Flags().StringVar(&name, "name", "compactor", "name of the server in the client")
	cmd.Flags().StringVar(&file, "file", "", "the client's configuration file (default: where the client keeps it)")
	return cmd
}

// installHeld says what of a project's configuration the client will not see
// before its user allows it: that it was installed is no word on that.
func (a *app) installHeld(ctx context.Context) error {
	opt, err := a.options()
	if err != nil {
		return err
	}
	if _, held, err := service.Judge(ctx, opt); err == nil && held != nil {
		fmt.Fprintf(a.out, "%s came with the project, and these of it wait for your word: %s\nLook at them, and allow them, with: %s\n",
			opt.Display, quote.Name(strings.Join(held.Paths(), ", ")), opt.Command())
	}
	return nil
}

// entry makes every path absolute, since the client starts us elsewhere.
func (a *app) entry(client install.Client) (install.Entry, error) {
	binary, err := os.Executable()
	if err != nil {
		return install.Entry{}, exit{exitBroken, err.Error()}
	}
	if strings.Contains(binary, "go-build") {
		return install.Entry{}, exit{exitBroken, "`go run` leaves no program to install; build one first: go build -o compactor ./cmd/compactor"}
	}
	roots := a.roots
	if len(roots) == 0 {
		roots = []string{"."}
	}
	for i, r := range roots {
		if roots[i], err = filepath.Abs(r); err != nil {
			return install.Entry{}, exit{exitBroken, err.Error()}
		}
		if info, err := os.Stat(roots[i]); err != nil || !info.IsDir() {
			return install.Entry{}, exit{exitInvalid, "root " + r + ": there is no such directory, and the client could not start compactor on it; name one with --root"}
		}
	}
	opt, err := a.options()
	if err != nil {
		return install.Entry{}, err
	}
	dir := opt.Dir
	if dir != "" {
		if dir, err = filepath.Abs(dir); err != nil {
			return install.Entry{}, exit{exitBroken, err.Error()}
		}
	}
	return client.EntryFor(binary, dir, roots), nil
}

func (a *app) show(client install.Client, name string, e install.Entry) error {
	text, err := client.Snippet(name, e)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.out, text)
	if client.Name != "lmstudio" {
		return nil
	}
	link, err := install.Deeplink(name, e)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "\nOr open this link:\n%s\n", link)
	return nil
}

func clientNames() []string {
	var out []string
	for _, c := range install.Clients() {
		out = append(out, c.Name)
	}
	return out
}
