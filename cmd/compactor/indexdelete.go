package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func (a *app) indexDelete() *cobra.Command {
	var collection string
	cmd := &cobra.Command{
		Use:   "delete [PATH]",
		Short: "Delete the index of a collection; its documents stay",
		Long: `Delete what is kept of one collection: its index and the texts in it. The documents
themselves are not touched, and index makes the same again. A running compactor serve
lets go of it with the next search.`,
		Example: `  compactor index delete docs
  compactor index delete --collection notes`,
		Args: requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) > 0) == (collection != "") {
				return exit{exitBroken, "say what is deleted: PATH, or --collection with its name"}
			}
			return a.deleteIndex(cmd.Context(), collection, args)
		},
	}
	cmd.Flags().StringVar(&collection, "collection", "", "its name, as index status has it")
	return cmd
}

func (a *app) deleteIndex(ctx context.Context, name string, args []string) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	c, err := resolveDeleted(ctx, svc.Snapshot(), name, args)
	if err != nil {
		return err
	}
	size, err := sizeOf(ctx, c)
	if err != nil {
		return err
	}
	if err := store.RemoveLibrary(ctx, c.File); err != nil {
		if errors.Is(err, library.ErrOwned) {
			return exit{exitBroken, fmt.Sprintf("collection %s: %v; stop it first", c.Name, err)}
		}
		return exit{exitBroken, err.Error()}
	}
	fmt.Fprintf(a.out, "deleted the index of %s, %s in %s\n", c.Name, formatMB(size), oneLine(store.Shown(c.File)))
	if _, configured := svc.Snapshot().Plan.Config.Collections[c.Name]; configured {
		fmt.Fprintln(a.out, "  the configuration still names it; index makes it again")
	}
	return nil
}

// sizeOf returns the size of a collection in bytes, even of a damaged one.
func sizeOf(ctx context.Context, c service.Collection) (int64, error) {
	nothing := exit{exitInvalid, fmt.Sprintf("collection %s is not indexed; nothing was deleted", c.Name)}
	if !store.OnServer(c.File) {
		info, err := os.Stat(store.Shown(c.File))
		if err != nil {
			return 0, nothing
		}
		return info.Size(), nil
	}
	switch there, err := store.HasLibrary(ctx, c.File); {
	case err != nil:
		return 0, exit{exitBroken, err.Error()}
	case !there:
		return 0, nothing
	}
	shelf, err := store.OpenLibrary(ctx, c.File)
	if err != nil {
		return 0, exit{exitBroken, err.Error()}
	}
	defer shelf.Close()
	st, err := shelf.State(ctx)
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return 0, exit{exitBroken, err.Error()}
	}
	return st.File, nil
}

// resolveDeleted returns the one collection that a command selects. A file that is too damaged to
// name its directories is still found by its own name.
func resolveDeleted(ctx context.Context, snap *service.Snapshot, name string, args []string) (service.Collection, error) {
	if len(args) > 0 {
		return deletedOf(ctx, snap, args[0])
	}
	var found []service.Collection
	known, err := knownCollections(snap, "", nil)
	if err != nil {
		return service.Collection{}, err
	}
	for _, c := range known {
		there, err := store.HasLibrary(ctx, c.File)
		if err != nil {
			return service.Collection{}, exit{exitBroken, err.Error()}
		}
		if c.Name == name && there {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		form := regexp.MustCompile("^" + regexp.QuoteMeta(name) + `-[0-9a-f]{8}$`)
		places, err := store.LibraryPaths(ctx, snap.LibraryURL())
		if err != nil {
			return service.Collection{}, exit{exitBroken, err.Error()}
		}
		for _, file := range places {
			if form.MatchString(store.LibraryName(file)) {
				found = append(found, service.Collection{Name: name, File: file})
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		var names []string
		for _, c := range known {
			names = append(names, c.Name)
		}
		return service.Collection{}, exit{exitBroken, noCollection(name, names)}
	}
	var of []string
	for _, c := range found {
		of = append(of, strings.Join(c.Directories, ", "))
	}
	return service.Collection{}, exit{exitBroken, fmt.Sprintf("%d collections are named %s; name the directory of one: %s", len(found), oneLine(name), oneLine(strings.Join(of, "; ")))}
}

// deletedOf returns the collection of a directory, which may be gone, whatever the collection is called.
func deletedOf(ctx context.Context, snap *service.Snapshot, dir string) (service.Collection, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return service.Collection{}, exit{exitBroken, err.Error()}
	}
	var found []service.Collection
	known, err := knownCollections(snap, "", nil)
	if err != nil {
		return service.Collection{}, err
	}
	for _, c := range known {
		if len(c.Directories) != 1 || c.Directories[0] != path {
			continue
		}
		there, err := store.HasLibrary(ctx, c.File)
		if err != nil {
			return service.Collection{}, exit{exitBroken, err.Error()}
		}
		if there {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return service.Collection{}, exit{exitInvalid, fmt.Sprintf("no collection of %s is indexed; nothing was deleted; compactor index status lists them", oneLine(dir))}
	}
	var names []string
	for _, c := range found {
		names = append(names, c.Name)
	}
	return service.Collection{}, exit{exitBroken, fmt.Sprintf("%d collections are of %s; name one with --collection: %s", len(found), oneLine(dir), strings.Join(names, ", "))}
}
