package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/config"
)

func (a *app) initConfig() *cobra.Command {
	var schemas bool
	cmd := &cobra.Command{
		Use:     "init [DIR]",
		GroupID: "config",
		Short:   "Write a commented configuration to edit",
		Long: `Write a starter configuration to DIR (default: ./.compactor). Everything in it is
commented out; uncomment what you want to differ. Files that exist are kept.

Beside it lie the definitions of all that a configuration may say, for editors:
with CUE's language server (cue lsp, as the extension of VS Code has it) fields
are completed and explained, and "cue vet" in DIR finds misspelt ones. compactor
itself reads nothing of them. After an update compactor doctor says when they are
those of another version; --schemas writes them anew, and nothing else.`,
		Example: `  compactor init
  compactor init ~/.config/compactor
  compactor init --schemas`,
		Args: requireArgs(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := ".compactor"
			if len(args) == 1 {
				dir = args[0]
			} else if a.configDir != "" {
				dir = a.configDir
			}
			return a.writeStarter(dir, schemas)
		},
	}
	cmd.Flags().BoolVar(&schemas, "schemas", false, "rewrite the definitions for editors, and nothing else")
	return cmd
}

func (a *app) writeStarter(dir string, schemas bool) error {
	if err := noLink(dir); err != nil {
		return err
	}
	editor, err := config.Editor(compactor.Defaults)
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exit{exitBroken, err.Error()}
	}
	root, err := os.OpenRoot(dir) // writes stay in it, whatever links a repository contains
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	defer root.Close()
	w := starter{app: a, root: root, dir: dir}
	if schemas {
		w.replaceEditor(editor)
	} else {
		w.writeMissing(config.Starter(), editor)
	}
	if w.err != nil {
		return exit{exitBroken, w.err.Error()}
	}
	if !schemas {
		fmt.Fprintf(a.out, "\nEdit it, then check it with: compactor validate --config %s\n", dir)
	}
	return nil
}

// starter writes files of a configuration and prints what it did with each.
type starter struct {
	*app
	root *os.Root
	dir  string
	err  error
}

// writeMissing writes the files that are missing and keeps those that exist.
func (w *starter) writeMissing(files, editor map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w.reportFile(name, w.createFile(name, files[name]))
	}
	stale, err := config.Stale(compactor.Defaults, w.root.ReadFile)
	if err == nil && len(stale) > 0 {
		fmt.Fprintf(w.out, "kept     the definitions for editors, of another version; rewrite them with: compactor init --schemas %s\n", w.dir)
		return
	}
	fresh := false
	for _, name := range slices.Sorted(maps.Keys(editor)) {
		err := w.createFile(name, editor[name])
		fresh = fresh || err == nil
		if err != nil && !errors.Is(err, fs.ErrExist) {
			w.err = errors.Join(w.err, err)
		}
	}
	if fresh {
		fmt.Fprintf(w.out, "written  the definitions for editors (%s, cue.mod)\n", config.EditorFile)
	}
}

// replaceEditor writes the definitions for editors again, and removes those that no longer exist.
// It keeps files that the user may have edited.
func (w *starter) replaceEditor(editor map[string][]byte) {
	old, _ := fs.Glob(w.root.FS(), config.EditorSchemas+"/*.cue")
	for _, name := range old {
		if editor[name] == nil {
			w.err = errors.Join(w.err, w.root.Remove(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(editor)) {
		if name != "cue.mod/module.cue" && name != ".ignore" { // these may be the user's
			if err := w.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				w.err = errors.Join(w.err, err)
			}
		}
		w.reportFile(name, w.createFile(name, editor[name]))
	}
}

// createFile writes a new file and never touches an existing one.
func (w *starter) createFile(name string, data []byte) error {
	if err := w.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := w.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close(), w.root.Remove(name))
	}
	return f.Close()
}

func (w *starter) reportFile(name string, err error) {
	at := filepath.Join(w.dir, filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrExist):
		fmt.Fprintf(w.out, "kept     %s\n", at)
	case err != nil:
		w.err = errors.Join(w.err, err)
	default:
		fmt.Fprintf(w.out, "written  %s\n", at)
	}
}

// noLink refuses to write through a link: a repository can contain one, and its target is not
// part of the repository.
func noLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return exit{exitBroken, path + " is a link, and nothing is written through one: put a directory or a file in its place, or name what it leads to"}
	}
	return nil
}
