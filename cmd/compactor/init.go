package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/config"
)

func (a *app) initConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "init [DIR]",
		GroupID: "config",
		Short:   "Write a commented configuration to edit",
		Long: `Write a starter configuration to DIR (default: ./.compactor). Everything in it is
commented out; uncomment what you want to differ. Files that exist are kept.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := ".compactor"
			if len(args) == 1 {
				dir = args[0]
			} else if a.configDir != "" {
				dir = a.configDir
			}
			return a.writeStarter(dir)
		},
	}
	return cmd
}

func (a *app) writeStarter(dir string) error {
	if err := noLink(dir); err != nil {
		return err
	}
	files := config.Starter()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return exit{exitBroken, err.Error()}
		}
		err := writeNew(path, files[name])
		switch {
		case errors.Is(err, fs.ErrExist):
			fmt.Fprintf(a.out, "kept     %s\n", path)
		case err != nil:
			return exit{exitBroken, err.Error()}
		default:
			fmt.Fprintf(a.out, "written  %s\n", path)
		}
	}
	fmt.Fprintf(a.out, "\nEdit it, then check it with: compactor validate --config %s\n", dir)
	return nil
}

// noLink refuses to write through a link: a repository can bring one along, and
// what it leads to is not in it.
func noLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return exit{exitBroken, path + " is a link, and nothing is written through one: put a directory or a file in its place, or name what it leads to"}
	}
	return nil
}

// writeNew never touches a file that is there.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close(), os.Remove(path))
	}
	return f.Close()
}
