package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// selectCollections returns the collections that a command selects: the one of a directory, one of the
// configuration or one that is kept; without a name, all of the configuration.
func selectCollections(snap *service.Snapshot, name string, args []string) ([]service.Collection, error) {
	all := snap.Collections()
	if len(args) > 0 {
		c, err := directoryOf(snap, all, name, args[0])
		return []service.Collection{c}, err
	}
	if len(all) == 0 && name == "" {
		return nil, exit{exitBroken, "no collection is configured; name a directory, such as: compactor index docs; or write collections: docs: roots: [\"docs\"] into the configuration"}
	}
	if name == "" {
		return all, nil
	}
	var names []string
	for _, c := range all {
		if c.Name == name {
			return []service.Collection{c}, nil
		}
		names = append(names, c.Name)
	}
	kept, err := keptCollections(snap)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(kept, func(c service.Collection) bool { return c.Name == name }); i >= 0 {
		return kept[i : i+1], nil
	}
	return nil, exit{exitBroken, noCollection(name, names)}
}

func noCollection(name string, have []string) string {
	msg := fmt.Sprintf("there is no collection %s", oneLine(name))
	if near := diag.Nearest(name, have); near != "" {
		return msg + "; did you mean " + near + "?"
	}
	if len(have) > 0 {
		return msg + "; there are: " + strings.Join(have, ", ")
	}
	return msg + "; make one with: compactor index PATH --collection NAME"
}

// directoryOf returns the collection of a directory: the configured one that consists of just
// this directory, otherwise one outside of the configuration.
func directoryOf(snap *service.Snapshot, all []service.Collection, name, dir string) (service.Collection, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return service.Collection{}, exit{exitBroken, err.Error()}
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return service.Collection{}, exit{exitBroken, fmt.Sprintf("there is not a directory %s; name the one that the documents lie in", oneLine(dir))}
	case err != nil:
		return service.Collection{}, exit{exitBroken, err.Error()}
	case !info.IsDir():
		return service.Collection{}, exit{exitBroken, fmt.Sprintf("%s is a file; name the directory that it lies in", oneLine(dir))}
	}
	for _, c := range all {
		if (name == "" || name == c.Name) && slices.Equal(c.Directories, []string{path}) {
			return c, nil
		}
		if name == c.Name {
			return c, exit{exitBroken, fmt.Sprintf("collection %s is that of %s; leave %s out, or give it another name", name, oneLine(strings.Join(c.Directories, ", ")), oneLine(dir))}
		}
	}
	if name == "" {
		name = nameOf(path)
	}
	if !collectionName.MatchString(name) {
		return service.Collection{}, exit{exitBroken, fmt.Sprintf("%s is not a valid collection name: want letters, digits and _, the first a letter", oneLine(name))}
	}
	return snap.CollectionOf(name, config.Collection{Roots: []string{path}, Allow: []string{"*"}}), nil
}

var collectionName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// nameOf derives the name of a collection from the name of its directory.
func nameOf(path string) string {
	name := strings.Map(func(r rune) rune {
		if r < 128 && collectionName.MatchString("a"+string(r)) {
			return r
		}
		return '_'
	}, filepath.Base(path))
	if !collectionName.MatchString(name) {
		name = "docs_" + strings.Trim(name, "_")
	}
	return name[:min(len(name), 64)]
}

// knownCollections returns the collections that a command selects; without a name, all that
// are configured or kept.
func knownCollections(snap *service.Snapshot, name string, args []string) ([]service.Collection, error) {
	if name == "" && len(args) == 0 {
		kept, err := keptCollections(snap)
		return append(snap.Collections(), kept...), err
	}
	return selectCollections(snap, name, args)
}

// keptCollections returns the collections that were made without a configuration or by another one.
func keptCollections(snap *service.Snapshot) (out []service.Collection, err error) {
	var known []string
	for _, c := range snap.Collections() {
		known = append(known, c.File)
	}
	places, err := store.LibraryPaths(context.Background(), snap.LibraryURL())
	if err != nil {
		return nil, exit{exitBroken, snap.Egress.Line(err.Error())}
	}
	for _, file := range places {
		if slices.Contains(known, strings.TrimPrefix(file, "sqlite:")) {
			continue
		}
		o, err := originOf(file)
		if err != nil || len(o.Directories) == 0 {
			continue
		}
		c := snap.CollectionOf(o.Collection, config.Collection{Roots: o.Directories, Include: o.Include, Exclude: o.Exclude, Allow: []string{"*"},
			Chunk: config.Chunk{Least: o.Policy[0], Most: o.Policy[1], Overlap: o.Policy[2]}, Description: o.Description})
		c.File = file
		out = append(out, c)
	}
	return out, nil
}

// findUnopened returns why an existing collection cannot be opened, or nil if all of them can.
func findUnopened(snap *service.Snapshot) error {
	places, err := store.LibraryPaths(context.Background(), snap.LibraryURL())
	if err != nil {
		return err
	}
	for _, file := range places {
		if _, err := originOf(file); err != nil && !errors.Is(err, library.ErrEmpty) {
			return err
		}
	}
	return nil
}

func originOf(file string) (library.Origin, error) {
	shelf, err := store.OpenLibrary(context.Background(), file)
	if err != nil {
		return library.Origin{}, err
	}
	defer shelf.Close()
	return shelf.Origin(context.Background())
}
