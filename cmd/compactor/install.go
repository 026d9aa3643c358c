package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/install"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

// installing is one run of install.
type installing struct {
	a                         *app
	client                    clients.Client
	print, uninstall, project bool
	name, file, command       string
}

func (a *app) install() *cobra.Command {
	i := &installing{a: a}
	cmd := &cobra.Command{
		Use:     "install CLIENT",
		GroupID: "use",
		Short:   "Add compactor to LM Studio or another chat client",
		Long: `Add an entry for compactor to a client's configuration, keeping all else that is
in the file as it is, comments too (the old one stays beside it as .bak). For
LM Studio a link that does the same from the app is printed too.
Clients: ` + strings.Join(clients.Names(), ", ") + `.`,
		Example: `  compactor install lmstudio --root ~/src/project
  compactor install codex --print
  compactor install claude-code --project
  compactor install cursor --uninstall`,
		Args:              requireArgs(1, 1, "the clients are "+strings.Join(clients.Names(), ", ")),
		ValidArgsFunction: firstOnly(clients.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if i.client, err = clients.Find(args[0]); err != nil {
				return exit{exitInvalid, err.Error()}
			}
			if i.file, err = i.targetFile(); err != nil {
				return err
			}
			if i.uninstall {
				return i.removeEntry()
			}
			return i.writeEntry(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&a.roots, "root", nil, "directory the client may search; may be repeated (default: the current one)")
	f.BoolVar(&i.print, "print", false, "print the entry and write nothing")
	f.BoolVar(&i.uninstall, "uninstall", false, "take the entry out of the client's file, and nothing else")
	f.BoolVar(&i.project, "project", false, "write to the client's file of the project in the current directory")
	f.StringVar(&i.name, "name", "compactor", "name of the server in the client")
	f.StringVar(&i.file, "file", "", "the client's configuration file (default: where the client keeps it)")
	f.StringVar(&i.command, "command", "", "program that the client starts (default: this one)")
	cmd.MarkFlagsMutuallyExclusive("project", "file")
	cmd.MarkFlagsMutuallyExclusive("print", "uninstall")
	return cmd
}

// targetFile returns the path of the file to write.
func (i *installing) targetFile() (string, error) {
	if i.file != "" {
		return i.file, nil
	}
	if i.project {
		if i.client.Project == "" {
			return "", exit{exitInvalid, i.client.Title + " has no file for a project; leave --project out"}
		}
		here, err := os.Getwd()
		if err != nil {
			return "", exit{exitBroken, err.Error()}
		}
		path := filepath.Join(here, filepath.FromSlash(i.client.Project))
		if !consent.Within(consent.Real(path), consent.Real(here)) {
			return "", exit{exitInvalid, path + " leads out of the project: it may have come so, and is not followed; remove it"}
		}
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", exit{exitBroken, "the home directory is not known: name the file with --file"}
	}
	return clients.Place{Home: home, GOOS: runtime.GOOS, Getenv: os.Getenv}.File(i.client), nil
}

func (i *installing) removeEntry() error {
	changed, err := install.Remove(i.client, i.file, i.name)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if !changed {
		fmt.Fprintf(i.a.out, "There is no %s in %s; nothing was changed.\n", i.name, i.file)
		return nil
	}
	fmt.Fprintf(i.a.out, "Taken out of %s (the old file is beside it as .bak)\nRestart %s.\n", i.file, i.client.Title)
	return nil
}

func (i *installing) writeEntry(ctx context.Context) error {
	entry, err := i.buildEntry()
	if err != nil {
		return err
	}
	if err := i.printEntry(entry); err != nil {
		return err
	}
	if i.print {
		fmt.Fprintf(i.a.out, "\nNot written; the file is %s\n", i.file)
		return nil
	}
	changed, err := install.Write(i.client, i.file, i.name, entry)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	done := "Written to " + i.file
	if !changed {
		done = "It is in " + i.file + " already"
	}
	fmt.Fprintf(i.a.out, "\n%s\nRestart %s, or switch the server on in its settings. Check it with: compactor doctor\n", done, i.client.Title)
	if home, err := os.UserHomeDir(); err == nil && slices.Contains(entry.Args, home) {
		fmt.Fprintln(i.a.out, "All of your home directory can be searched. To name one project instead: compactor install "+i.client.Name+" --root DIR")
	}
	if i.project {
		fmt.Fprintln(i.a.out, "The paths in it are those of this machine: others who share the file would have to change them.")
	}
	return i.printHeld(ctx)
}

// printHeld prints which parts of a project's configuration the client will not see until the user
// allows them: installing compactor does not allow them.
func (i *installing) printHeld(ctx context.Context) error {
	opt, err := i.a.options()
	if err != nil {
		return err
	}
	if _, held, err := service.Judge(ctx, opt); err == nil && held != nil {
		fmt.Fprintf(i.a.out, "%s came with the project and is not trusted yet: %s\nReview and allow it with: %s\n",
			opt.Display, sanitize.Name(strings.Join(held.Paths(), ", ")), opt.Command())
	}
	return nil
}

// buildEntry makes every path absolute, since the client starts compactor in another directory.
func (i *installing) buildEntry() (install.Entry, error) {
	program, err := i.findProgram()
	if err != nil {
		return install.Entry{}, err
	}
	roots, err := i.absoluteRoots()
	if err != nil {
		return install.Entry{}, err
	}
	opt, err := i.a.options()
	if err != nil {
		return install.Entry{}, err
	}
	dir := ""
	if opt.Dir != "" && !i.foundAnyway(opt.Place) {
		if dir, err = filepath.Abs(opt.Dir); err != nil {
			return install.Entry{}, exit{exitBroken, err.Error()}
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return install.Entry{}, exit{exitInvalid, "configuration " + opt.Display + ": there is no such directory, and the client could not start compactor with it"}
		}
	}
	return install.EntryFor(i.client, program, dir, roots), nil
}

// findProgram returns the path of the program that the client starts, one that will still exist tomorrow.
func (i *installing) findProgram() (string, error) {
	if i.command != "" {
		path, err := install.Program(i.command)
		if err != nil {
			return "", exit{exitInvalid, "--command " + err.Error()}
		}
		return path, nil
	}
	path, err := install.Command(os.Args[0])
	switch {
	case errors.Is(err, install.ErrPassing):
		return "", exit{exitInvalid, err.Error() + `; put it in a place of its own and run install from there:
  go install github.com/compactor-mcp/compactor/cmd/compactor@latest
  make install                                in a clone
or name a program that stays with --command PATH`}
	case err != nil:
		return "", exit{exitBroken, "where this program lies is not known: " + err.Error() + "; name it with --command PATH"}
	}
	return path, nil
}

func (i *installing) absoluteRoots() ([]string, error) {
	roots := i.a.roots
	if len(roots) == 0 {
		roots = []string{"."}
	}
	var out []string
	for _, r := range roots {
		path, err := filepath.Abs(r)
		if err != nil {
			return nil, exit{exitBroken, err.Error()}
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, exit{exitInvalid, "root " + r + ": there is no such directory, and the client could not start compactor on it; name one with --root"}
		case !info.IsDir():
			return nil, exit{exitInvalid, "root " + r + ": is a file; name the directory that it is in"}
		case filepath.Dir(path) == path:
			return nil, exit{exitInvalid, "root " + r + ": the whole file system cannot be a root; name the directory of a project with --root"}
		}
		out = append(out, path)
	}
	return out, nil
}

// foundAnyway reports whether the compactor that a client starts finds this configuration
// without --config: it is the user's own, in a place that does not depend on a variable of
// this shell.
func (i *installing) foundAnyway(place consent.Place) bool {
	if i.a.configDir != "" || os.Getenv("COMPACTOR_CONFIG") != "" || place.Project != "" {
		return false
	}
	home, err := os.UserHomeDir()
	usual := filepath.Join(home, ".config", "compactor")
	return err == nil && (os.Getenv("XDG_CONFIG_HOME") == "" || filepath.Clean(place.Dir) == usual)
}

func (i *installing) printEntry(e install.Entry) error {
	text, err := install.Snippet(i.client, i.name, e)
	if err != nil {
		return err
	}
	fmt.Fprintln(i.a.out, strings.TrimRight(text, "\n"))
	link, err := install.Deeplink(i.client, i.name, e)
	if link != "" {
		fmt.Fprintf(i.a.out, "\nOr open this link:\n%s\n", link)
	}
	return err
}
