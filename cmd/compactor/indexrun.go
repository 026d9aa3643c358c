package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// runIndex indexes the collections that a command names, once or, with --watch, until it is stopped.
func (a *app) runIndex(ctx context.Context, f indexFlags, args []string, opt library.Options) error {
	in, err := a.newIndexing(ctx, f, args)
	if err != nil {
		return err
	}
	for first := true; ; first = false {
		failed, err := in.indexAll(ctx, f, opt, !first)
		if errors.Is(err, errMoved) { // the user may not have allowed reading there: load the configuration again
			held := in.held
			if in, err = a.newIndexing(ctx, f, args); err != nil {
				return err
			}
			in.held = held
			failed, err = in.indexAll(ctx, f, opt, !first)
		}
		switch {
		case errors.Is(err, context.Canceled) && f.watch:
			return nil
		case errors.Is(err, context.Canceled):
			return exit{exitBroken, "stopped; what was read is kept, and the next run goes on"}
		case err != nil:
			return exit{exitBroken, err.Error()}
		case !f.watch && failed:
			return exit{exitInvalid, ""}
		case !f.watch:
			return nil
		}
		opt = library.Options{}
		if first {
			fmt.Fprintln(a.err, "watching for changes; Ctrl+C stops")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(f.every, 100*time.Millisecond)):
		}
	}
}

// indexing holds what a command indexes under one loaded configuration.
type indexing struct {
	*app
	snap  *service.Snapshot
	list  []service.Collection
	reads map[string][]string // directories with links resolved, by collection
	said  map[string]string   // why a collection could not be indexed or followed, by name
	held  map[string]func()   // release functions of the collections that this process follows, by file
}

// errMoved says that a directory resolves to another place than when the configuration was
// read, as after a pull that has put a link in its place.
var errMoved = errors.New("a directory of it leads elsewhere by now; run it again")

func (a *app) newIndexing(ctx context.Context, f indexFlags, args []string) (*indexing, error) {
	svc, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	a.warnPending(svc.Snapshot())
	list, err := selectCollections(svc.Snapshot(), f.collection, args)
	return &indexing{app: a, snap: svc.Snapshot(), list: list, reads: map[string][]string{}, said: map[string]string{}, held: map[string]func(){}}, err
}

// tryFollow makes this process the one that follows a collection. If another one does, it says
// so once and returns false. The system releases the collection when the process ends.
func (a *indexing) tryFollow(ctx context.Context, c service.Collection) bool {
	if a.held[c.File] != nil {
		return true
	}
	release, err := store.WatchLibrary(ctx, c.File)
	if errors.Is(err, library.ErrOwned) {
		why := fmt.Sprintf("collection %s: another process follows it already, such as compactor serve; this one takes over when that ends", c.Name)
		if a.said[c.Name] != why {
			fmt.Fprintln(a.err, why)
		}
		a.said[c.Name] = why
		return false
	}
	if err == nil {
		a.held[c.File] = release
	}
	return true // the run reports any other error
}

// checkUnmoved returns an error if roots are in other places than in the run before.
func (a *indexing) checkUnmoved(c service.Collection, roots []library.Root) error {
	var now []string
	for _, r := range roots {
		now = append(now, r.Path())
	}
	if was, known := a.reads[c.Name]; known && !slices.Equal(was, now) {
		return fmt.Errorf("collection %s: %w", c.Name, errMoved)
	}
	a.reads[c.Name] = now
	return nil
}

// indexAll indexes each collection and reports whether documents could not be read. A collection
// that cannot be indexed does not keep back those after it: the error names it and, if it is
// watched with others, it is reported once. A quiet run prints only what it has changed.
func (a *indexing) indexAll(ctx context.Context, f indexFlags, opt library.Options, quiet bool) (failed bool, err error) {
	var broken []string
	for _, c := range a.list {
		if f.watch && !a.tryFollow(ctx, c) {
			continue
		}
		r, err := a.indexOne(ctx, c, opt, quiet)
		switch {
		case err != nil && (len(a.list) == 1 || ctx.Err() != nil || errors.Is(err, errMoved)):
			return failed, err
		case err != nil:
			broken = append(broken, c.Name)
			if a.said[c.Name] != err.Error() {
				fmt.Fprintln(a.err, oneLine(a.snap.Egress.Line(err.Error())))
			}
			a.said[c.Name] = err.Error()
			continue
		}
		delete(a.said, c.Name)
		failed = failed || len(r.Failed) > 0
		switch {
		case quiet && !r.Published:
		case f.format == string(render.JSON):
			err = printJSON(a.out, struct {
				Collection string `json:"collection"`
				library.Report
			}{c.Name, r})
		default:
			a.printReport(a.snap, c, r)
			if !quiet {
				a.printNext(a.snap, c, r)
			}
		}
		if err != nil {
			return failed, err
		}
		flush(a.out)
	}
	if len(broken) > 0 && (!f.watch || len(broken) == len(a.list)) {
		return failed, fmt.Errorf("not indexed, as said above: %s; of %s the others are done", strings.Join(broken, ", "), words.Count(len(a.list), "collection"))
	}
	return failed, nil
}

// newExtractors returns the extractors of documents, with the limits that the configuration sets.
func newExtractors(r config.Reading) []extract.Extractor {
	return docs.Extractors(extractor.Limits{Largest: r.MaxFile, CPU: r.Time, Memory: r.Memory})
}

// indexOne indexes a collection. A damaged file is removed and created again: all of it can be
// rebuilt from the documents.
func (a *indexing) indexOne(ctx context.Context, c service.Collection, opt library.Options, quiet bool) (library.Report, error) {
	opt.Trust = quiet
	damaged := func(err error) bool { return errors.Is(err, store.ErrDamaged) || errors.Is(err, index.ErrDamaged) }
	r, err := a.indexOnce(ctx, c, opt, quiet)
	if damaged(err) { // a transient disk error looks the same: try again
		r, err = a.indexOnce(ctx, c, opt, quiet)
	}
	if damaged(err) {
		if unread := store.ReadLibrary(ctx, c.File); unread != nil { // its content may be intact: keep it
			return r, unread
		}
		fmt.Fprintf(a.err, "collection %s: the index is damaged and is rebuilt: %s\n", c.Name, oneLine(a.snap.Egress.Line(err.Error())))
		if err = store.RemoveLibrary(ctx, c.File); err == nil {
			r, err = a.indexOnce(ctx, c, opt, quiet)
		}
	}
	if errors.Is(err, library.ErrOwned) {
		return r, fmt.Errorf("collection %s: %w; wait for it, or look with: compactor index status", c.Name, err)
	}
	return r, err
}

func (a *indexing) indexOnce(ctx context.Context, c service.Collection, opt library.Options, quiet bool) (library.Report, error) {
	shelf, err := store.OpenLibrary(ctx, c.File)
	if err != nil {
		return library.Report{}, err
	}
	defer shelf.Close()
	x, done, err := a.snap.Indexer(c, shelf)
	if err != nil {
		return library.Report{}, err
	}
	defer done()
	if err := a.checkUnmoved(c, x.Roots); err != nil {
		return library.Report{}, err
	}
	bar := newProgress(a.err)
	x.Extractors = newExtractors(c.Reading)
	if !quiet {
		x.Progress = func(s library.Step) {
			bar.show(catalog.Progress{Stage: c.Name, Message: s.Stage + stepCount(s), Done: s.Done, Total: s.Total})
		}
	}
	r, err := x.Run(ctx, opt)
	bar.clear()
	return r, err
}

func stepCount(s library.Step) string {
	switch {
	case s.Total > 0:
		return fmt.Sprintf(", %d of %d", s.Done, s.Total)
	case s.Done > 0:
		return fmt.Sprintf(", %d files", s.Done)
	}
	return ""
}

// printReport prints what a run did.
func (a *app) printReport(snap *service.Snapshot, c service.Collection, r library.Report) {
	_ = screen.Paint(a.out, screen.Heading, c.Name)
	fmt.Fprintf(a.out, ": %s in %s (%d new, %d changed, %d removed, %d as before)\n",
		words.Count(r.Documents, "document"), words.Count(r.Passages, "passage"), r.Added, r.Changed, r.Removed, r.Unchanged)
	if r.Mended > 0 {
		fmt.Fprintf(a.out, "  %s of the index could not be used, and %s made again\n", words.Count(r.Mended, "part"), map[bool]string{true: "was", false: "were"}[r.Mended == 1])
	}
	if r.Left > 0 {
		fmt.Fprintf(a.out, "  left out: %s (%s)\n", words.Count(r.Left, "file"), listKinds(r.Why))
	}
	if r.Why["too large"] > 0 {
		fmt.Fprintf(a.out, "  sandbox: max_file in the configuration says how large text may be, collections: %s: reading: max_file other documents; compactor index status names them\n", c.Name)
	}
	if len(r.Unread) > 0 {
		fmt.Fprintf(a.out, "  of kinds that are not read: %s\n", listKinds(r.Unread))
	}
	const most = 5
	for _, f := range r.Failed[:min(len(r.Failed), most)] {
		fmt.Fprintf(a.out, "  not read: %s: %s\n", oneLine(f.URI), oneLine(snap.Egress.Line(f.Error)))
	}
	if n := len(r.Failed); n > 0 {
		fmt.Fprintf(a.out, "  %s could not be read; after a remedy: compactor index retry\n", words.Count(n, "document"))
	}
	for _, v := range r.Vectors {
		if v.Made > 0 {
			fmt.Fprintf(a.out, "  %s: vectors of %s\n", v.Tier, words.Count(v.Made, "passage"))
		}
		if v.Error != "" {
			fmt.Fprintf(a.out, "  %s: %s have no vector, the next run asks again: %s\n", v.Tier, words.Count(v.Missing, "passage"), oneLine(snap.Egress.Line(v.Error)))
		}
	}
	if r.Documents == 0 {
		fmt.Fprintf(a.out, "  nothing that can be indexed lies in %s; %s are read\n", oneLine(strings.Join(c.Directories, ", ")), formats)
	}
}

// formats names what can be indexed.
const formats = "Markdown, reStructuredText, AsciiDoc, text, HTML, PDF, Word documents (docx), notebooks and source code"

// listKinds lists the kinds with their counts, the most frequent first.
func listKinds(n map[string]int) string {
	const most = 6
	names := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	var out []string
	for _, name := range names[:min(len(names), most)] {
		out = append(out, fmt.Sprintf("%d %s", n[name], oneLine(cmp.Or(name, "without an ending"))))
	}
	if rest := len(names) - most; rest > 0 {
		out = append(out, fmt.Sprintf("%d more kinds", rest))
	}
	return strings.Join(out, ", ")
}

// printNext prints what to do with a collection that the configuration does not declare.
func (a *app) printNext(snap *service.Snapshot, c service.Collection, r library.Report) {
	if r.Documents == 0 {
		return
	}
	if _, configured := snap.Plan.Config.Collections[c.Name]; !configured {
		fmt.Fprintf(a.out, "  search it: compactor docs search \"…\"\n  for chat clients, write into your configuration: collections: %s: roots: [%q]\n", c.Name, c.Directories[0])
	}
}
