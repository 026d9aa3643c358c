package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// Collection is a set of documents with their directories and the file that keeps their
// index.
type Collection struct {
	Name        string
	Directories []string // absolute
	File        string   // or the URL of a database server, which may contain a password; "" if nothing is kept
	config.Collection
}

// Collections returns the configured collections, sorted by name.
func (s *Snapshot) Collections() []Collection {
	var out []Collection
	for _, name := range slices.Sorted(maps.Keys(s.Plan.Config.Collections)) {
		out = append(out, s.resolveCollection(name, s.Plan.Config.Collections[name]))
	}
	return out
}

// CollectionOf returns a collection that no configuration names.
func (s *Snapshot) CollectionOf(name string, c config.Collection) Collection {
	return s.resolveCollection(name, c)
}

// collectionDirectories returns the absolute directories of a collection, each once.
func (o Options) collectionDirectories(cfg *config.Config, c config.Collection) (out []string) {
	for _, at := range c.Roots {
		dirs, kind := o.Roots[at]
		if !kind {
			dirs, kind = cfg.Roots[at]
		}
		if !kind {
			dirs = []string{at}
		}
		for _, dir := range dirs {
			if dir = absolute(o.Work, dir); !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	return out
}

// documentDirectories returns the directories of all collections.
func (o Options) documentDirectories(cfg *config.Config) (out []string) {
	for _, c := range cfg.Collections {
		out = append(out, o.collectionDirectories(cfg, c)...)
	}
	return out
}

func (s *Snapshot) resolveCollection(name string, c config.Collection) Collection {
	out := Collection{Name: name, Collection: c, Directories: s.opt.collectionDirectories(s.Plan.Config, c)}
	if at := s.LibraryURL(); at != "" {
		out.File = store.LibraryPath(at, name, out.homeDigest())
	}
	return out
}

// homeDigest distinguishes collections with the same name by a digest of their directories.
func (c Collection) homeDigest() string {
	sum := sha256.Sum256([]byte(strings.Join(c.Directories, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// Indexer opens the directories of a collection for indexing. The returned function
// closes them.
func (s *Snapshot) Indexer(c Collection, shelf library.Shelf) (*library.Indexer, func(), error) {
	filter, err := library.NewFilter(c.Include, c.Exclude)
	if err != nil {
		return nil, nil, err
	}
	x := &library.Indexer{Shelf: shelf, Collection: c.Name, Filter: filter, Policy: policy(c.Chunk), Now: time.Now, Tiers: s.Tiers(c),
		Origin: library.Origin{Collection: c.Name, Directories: c.Directories, Include: c.Include, Exclude: c.Exclude,
			Policy: [3]int{c.Chunk.Least, c.Chunk.Most, c.Chunk.Overlap}, Description: c.Description}}
	var roots []*sandbox.Root
	taken := map[string]bool{}
	for _, dir := range c.Directories {
		r, err := sandbox.OpenRoot(rootName("docs", dir, taken), dir, s.options)
		if err != nil {
			closeAll(roots)
			return nil, nil, fmt.Errorf("collection %s: %w", c.Name, refusedRoot(dir, "", true, err))
		}
		roots = append(roots, r)
	}
	for _, r := range roots {
		prefix := c.Name
		if len(roots) > 1 {
			prefix += "/" + r.Name()
		}
		x.Roots = append(x.Roots, library.Root{Root: r, Prefix: prefix})
	}
	return x, func() { closeAll(roots) }, nil
}

// policy returns how documents are split into chunks. An empty c, which the schema never yields, means the default.
func policy(c config.Chunk) chunk.Policy {
	if c == (config.Chunk{}) {
		return chunk.Default()
	}
	return chunk.Policy{Least: c.Least, Most: c.Most, Overlap: c.Overlap}
}

// weights returns the weights of the legs of a search, or nil if the configuration sets none.
func weights(w config.Weights) index.Weights {
	if w == (config.Weights{}) {
		return nil
	}
	return index.Weights{index.LegBM25: w.BM25, index.LegLSI: w.LSI, index.LegNGram: w.NGram}
}

// allowsClient reports whether a client may search a collection.
func (c Collection) allowsClient(client string) bool {
	return slices.ContainsFunc(c.Allow, func(pattern string) bool {
		return pattern == "*" || glob.Runes.Match(strings.ToLower(pattern), strings.ToLower(client))
	})
}

// searchableLibrary returns the collections that a caller may search. A call without a session
// comes from the command line, which may search all.
func (s *Service) searchableLibrary(snap *Snapshot, c Call) catalog.Library {
	var set catalog.Library
	sess := c.Caller.Session
	for _, x := range snap.Collections() {
		if sess == nil || x.allowsClient(sess.Identity().Client.Name) {
			m := s.Member(snap, x)
			if c.NoCache {
				m.Results = nil
			}
			set = append(set, m)
		}
	}
	return set
}

// Member returns a collection as part of a searchable library.
func (s *Service) Member(snap *Snapshot, c Collection) library.Member {
	return library.Member{Name: c.Name, Home: c.homeDigest(), Description: c.Description, Weights: weights(c.Weights), Tiers: snap.Tiers(c), Expand: expansion(c.Expand),
		Rewordings: c.Expand.Rewordings, Judge: snap.judgeFor(c), Results: snap.Results,
		Open: func(ctx context.Context) (*library.Library, error) {
			l, _, err := s.libraries.open(ctx, c)
			return l, err
		}}
}

// Warm reports whether the index of a collection is in memory; if not, the first search
// reads it. The error says why it cannot be searched.
func (s *Service) Warm(ctx context.Context, c Collection) (warm bool, err error) {
	l, _, err := s.libraries.open(ctx, c)
	if err != nil {
		return false, err
	}
	return l.Warm(ctx)
}

// collectionsReady checks whether the index of each collection can be searched.
func (c Controller) collectionsReady(ctx context.Context) (out []api.Check) {
	snap := c.Snapshot()
	for _, x := range snap.Collections() {
		check := api.Check{Name: "collection " + x.Name, Ready: true}
		switch warm, err := c.Warm(ctx, x); {
		case errors.Is(err, library.ErrEmpty):
			check.Ready, check.Cause, check.Do = false, library.ErrEmpty.Error(), "compactor index --collection "+x.Name
		case err != nil:
			check.Ready, check.Cause, check.Do = false, snap.Egress.Line(err.Error()), "see: compactor index status --collection "+x.Name
		case warm:
			check.Index = "warm"
		default:
			check.Index, check.Cause = "cold", "its index is not in memory yet: the first search reads it"
		}
		out = append(out, check)
	}
	return out
}

// libraries holds the collections that were searched, open until the service closes.
type libraries struct {
	mu   sync.Mutex
	held map[string]openLibrary
}

type openLibrary struct {
	shelf   library.Shelf
	library *library.Library
	file    os.FileInfo // as opened; nil on a database server
}

// open opens the file of a collection, which must exist: searching creates none. If the
// file was deleted or replaced since it was opened, the old one is closed. On a
// database server each search reads the current state.
func (l *libraries) open(ctx context.Context, c Collection) (*library.Library, library.Shelf, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var file os.FileInfo
	var err error
	server := store.OnServer(c.File)
	if !server {
		file, err = os.Stat(strings.TrimPrefix(c.File, "sqlite:"))
	}
	if o, ok := l.held[c.File]; ok {
		if server || err == nil && os.SameFile(file, o.file) {
			return o.library, o.shelf, nil
		}
		delete(l.held, c.File)
		_ = o.shelf.Close()
	}
	if err != nil || !store.Exists(c.File) {
		return nil, nil, library.ErrEmpty
	}
	shelf, err := store.OpenLibrary(ctx, c.File)
	if err != nil {
		return nil, nil, err
	}
	if l.held == nil {
		l.held = map[string]openLibrary{}
	}
	o := openLibrary{shelf, library.Open(shelf), file}
	l.held[c.File] = o
	return o.library, shelf, nil
}

func (l *libraries) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, o := range l.held {
		errs = append(errs, o.shelf.Close())
	}
	l.held = nil
	return errors.Join(errs...)
}

// warnMissing warns of a missing directory: no error, since the directory may exist on the machine that indexes.
func (c *checker) warnMissing(path, dir string, at []string) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return
	}
	what, help := "there is not a directory "+strconv.Quote(dir), "make it, or mend its name; it is relative to where compactor is started"
	if err == nil {
		what, help = strconv.Quote(dir)+" is not a directory", "name the one that the documents lie in"
	}
	if near := nearestSibling(path); near != "" {
		help = "did you mean " + strconv.Quote(filepath.Join(filepath.Dir(dir), near)) + "?"
	}
	c.warn("C190", what, help, at...)
}

// nearestSibling returns the sibling directory of path with the most similar name, or "".
func nearestSibling(path string) string {
	const most = 1000
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return ""
	}
	defer dir.Close()
	list, _ := dir.ReadDir(most)
	var names []string
	for _, e := range list {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return diag.Nearest(filepath.Base(path), names)
}

// Limits of the settings for reading a document.
const (
	maxReading = 10 * time.Minute
	minMemory  = 128 << 20
	maxMemory  = 4 << 30
)

// reading reports limits that are invalid, or that would let one document exhaust the machine.
func (c *checker) reading(r config.Reading, at func(...string) []string) {
	if r == (config.Reading{}) { // not read through a schema
		return
	}
	if r.MaxFile < 1 || r.MaxFile > sandbox.LargestFileSize {
		c.report("C153", fmt.Sprintf("no document is larger than %d MiB when it is read, or smaller than a byte", sandbox.LargestFileSize>>20), "write an amount such as 64MiB", at("reading", "max_file")...)
	}
	if r.Time <= 0 || r.Time > maxReading {
		c.report("C153", fmt.Sprintf("a document is read for some time, and for %v at most", maxReading), "write a time such as 30s", at("reading", "time")...)
	}
	if r.Memory < minMemory || r.Memory > maxMemory {
		c.report("C153", fmt.Sprintf("reading a document takes %d MiB at least, and may take %d MiB", minMemory>>20, maxMemory>>20), "write an amount such as 512MiB", at("reading", "memory")...)
	}
}

// collectionDiagnostics reports mistakes in collections that the types do not catch.
// Their relative directories are relative to work.
func collectionDiagnostics(cfg *config.Config, work string) diag.List {
	c := &checker{cfg: cfg}
	for _, name := range slices.Sorted(maps.Keys(cfg.Collections)) {
		x := cfg.Collections[name]
		at := func(path ...string) []string { return append([]string{"collections", name}, path...) }
		if x.Roots != nil && len(x.Roots) == 0 {
			c.report("C153", "it has no directory", "name one, such as roots: [\"docs\"]", at("roots")...)
		}
		for _, list := range []struct {
			field    string
			patterns []string
		}{{"include", x.Include}, {"exclude", x.Exclude}} {
			for i, p := range list.patterns {
				if _, err := library.NewFilter([]string{p}, nil); err != nil {
					c.report("C153", err.Error(), "write it like \"guide/**\" or \"*.md\"", at(list.field, strconv.Itoa(i))...)
				}
			}
		}
		for i, p := range x.Allow {
			if err := glob.Check(p); err != nil {
				c.report("C153", "client "+strconv.Quote(p)+": "+err.Error(), "name a client as it calls itself, such as \"lm-studio\", or a glob", at("allow", strconv.Itoa(i))...)
			}
		}
		if k := x.Chunk; k.Most == 0 {
			// out of range: reported already
		} else if k.Least > k.Most {
			c.report("C153", fmt.Sprintf("passages have at least %d tokens, and at most %d", k.Least, k.Most), "make least smaller than most", at("chunk", "least")...)
		} else if k.Overlap > k.Most/2 {
			c.report("C153", fmt.Sprintf("an overlap of %d tokens is more than half of %d", k.Overlap, k.Most), "make it smaller", at("chunk", "overlap")...)
		}
		c.reading(x.Reading, at)
		if x.Weights == (config.Weights{}) {
			c.report("C153", "no leg counts anything, and nothing could be found", "give one a weight above 0", at("weights")...)
		}
		c.signals(name, x, work)
		if name == notes.Source {
			d := c.report("C190", "pins are searched as collection "+strconv.Quote(name)+", which means this one then", "give it another name, such as my_"+name, at()...)
			d.Severity = diag.Warning
		}
		for i, dir := range x.Roots {
			if _, kind := cfg.Roots[dir]; kind {
				continue
			}
			if near := diag.Nearest(dir, slices.Sorted(maps.Keys(cfg.Roots))); near == "" || strings.ContainsAny(dir, "/.~") {
				c.warnMissing(absolute(work, dir), dir, at("roots", strconv.Itoa(i)))
			}
			if strings.ContainsAny(dir, "/.~") || filepath.IsAbs(dir) {
				continue
			}
			if near := diag.Nearest(dir, slices.Sorted(maps.Keys(cfg.Roots))); near != "" {
				d := c.report("C153", strconv.Quote(dir)+" is taken for a directory; there is a kind of roots "+strconv.Quote(near), "write ./"+dir+" where a directory is meant", at("roots", strconv.Itoa(i))...)
				d.Severity = diag.Warning
			}
		}
	}
	return c.diags
}
