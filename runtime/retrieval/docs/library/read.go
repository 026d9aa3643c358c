package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Limits of the results that wait to be stored: a transaction costs a wait for the disk, and
// waiting results are in memory.
const (
	keepAtOnce = 128
	keepBytes  = 8 << 20
	keepEvery  = 500 * time.Millisecond
	waiting    = 8
)

// readFiles discovers the files of all roots and makes the contents of the new ones.
func (r *run) readFiles(ctx context.Context) error {
	start := r.Now()
	var lists []listed
	total := 0
	for _, root := range r.Roots {
		some, err := r.discover(ctx, root)
		if err != nil {
			return err
		}
		for _, l := range some {
			total += len(l.files)
		}
		lists = append(lists, some...)
		r.reportStep(Discover, total, 0)
	}
	r.jobs = append(r.jobs, r.newJob(digestOf(lists), Discover, "", start, nil))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	k := &keeper{run: r, total: total, in: make(chan made, waiting), stop: cancel}
	done := make(chan struct{})
	go func() { defer close(done); k.storeAll(ctx) }()
	var failed error
	for _, l := range lists {
		if failed = r.scanFiles(ctx, l, k); failed != nil {
			break
		}
	}
	close(k.in)
	<-done
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return failed
}

// listed holds files of a root, with the extractor of each.
type listed struct {
	root    Root
	files   []sandbox.Entry
	readers []extract.Extractor
	largest int64 // size of a file, in bytes; 0 for text, which the root limits
}

func (l *listed) add(f sandbox.Entry, e extract.Extractor) {
	l.files, l.readers, l.largest = append(l.files, f), append(l.readers, e), max(l.largest, e.Largest())
}

// large is the number of files larger than text that are read at once: each is in memory whole, and
// may have a process of its own that takes memory, too.
const large = 2

// workers returns the number of workers that read the list at once; 0 means one per processor.
func (l *listed) workers(most int) int {
	if l.largest == 0 {
		return most
	}
	if most == 0 {
		most = runtime.GOMAXPROCS(0)
	}
	return min(most, large)
}

// discover lists the files that the collection selects, text first. The documents of a directory
// that cannot be read must not be removed from the index.
func (r *run) discover(ctx context.Context, root Root) ([]listed, error) {
	all, stats, err := root.Files(ctx, ".")
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; look at %s, its permissions and its disk; nothing was changed", err, root.Path())
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case stats.Cut:
		return nil, fmt.Errorf("%s: %w", root.Path(), errCut)
	}
	text, other := listed{root: root}, listed{root: root}
	if stats.Unreadable > 0 {
		all = append(all, r.hiddenFiles(root, all, stats)...)
	}
	for _, dir := range stats.Closed {
		if r.Filter.Enters(dir) {
			uri := uriOf(root, dir) + "/"
			r.report.Failed = append(r.report.Failed, Failure{uri, errClosed.Error()})
			r.problems = append(r.problems, *r.problemJob(Failed, uri, errClosed))
		}
	}
	for _, f := range all {
		if !r.Filter.Takes(f.Path) {
			continue
		}
		switch e, ok := extract.For(r.Extractors, f.Path); {
		case !ok:
			countUp(&r.report.Unread, strings.ToLower(path.Ext(f.Path)))
		case e.Largest() > 0:
			other.add(f, e)
		default:
			text.add(f, e)
		}
	}
	return []listed{text, other}, nil
}

// errClosed reports a directory that may have documents but cannot be read.
var errClosed = errors.New("the directory cannot be read; look at its permissions, or leave it out (exclude); what was indexed of it stays")

func countUp(in *map[string]int, what string) {
	if *in == nil {
		*in = map[string]int{}
	}
	(*in)[what]++
}

// hiddenFiles returns files of documents that were not listed, although the system does not report them
// as gone: their directory cannot be read, or could not be read a moment ago.
func (r *run) hiddenFiles(root Root, all []sandbox.Entry, stats sandbox.WalkStats) (out []sandbox.Entry) {
	unnamed := len(stats.Closed) < stats.Unreadable
	below := func(p string) bool {
		return unnamed || slices.ContainsFunc(stats.Closed, func(dir string) bool { return strings.HasPrefix(p, dir+"/") })
	}

	there := map[string]bool{}
	for _, f := range all {
		there[f.Path] = true
	}
	for uri := range r.was {
		p, ok := strings.CutPrefix(uri, root.Prefix+"/")
		if !ok || there[p] {
			continue
		}
		if _, err := root.Stat(p); errors.Is(err, sandbox.ErrUnreadable) || err == nil && below(p) {
			out = append(out, sandbox.Entry{Path: p})
		}
	}
	return out
}

// digestOf returns a digest of lists of files.
func digestOf(lists []listed) string {
	var parts []string
	for _, l := range lists {
		for _, f := range l.files {
			parts = append(parts, l.root.Prefix, f.Path)
		}
	}
	return digest(parts...)
}

// scanFiles reads the files of a root that are not known. It leaves it to an extractor to reject a file
// that is not text.
func (r *run) scanFiles(ctx context.Context, l listed, k *keeper) error {
	stats, err := l.root.ScanVersions(ctx, l.files, l.workers(r.Workers), sandbox.Visitor{
		Any:     true,
		Largest: l.largest,
		Known: func(_, i int, v sandbox.Version) bool {
			d, ok := r.unchangedDocument(l, i, v)
			if ok {
				k.put(ctx, made{doc: d})
			}
			return ok
		},
		Read: func(_, i int, e sandbox.Entry, data []byte, v sandbox.Version) {
			k.put(ctx, r.makeDocument(ctx, l, i, data, v))
		},
		Skipped: func(_, i int, why error) { k.put(ctx, r.skippedFile(l, i, why)) },
	})
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil || stats.Cut:
		return context.Cause(ctx)
	}
	r.report.Bytes += stats.Bytes
	if l.root.Replaced() {
		return fmt.Errorf("%s: the directory was replaced while it was read; nothing was changed, run it again", l.root.Path())
	}
	return nil
}

// unchangedDocument returns the document of a file, and whether its inode shows that it did not change.
func (r *run) unchangedDocument(l listed, i int, v sandbox.Version) (Document, bool) {
	d, known := r.was[uriOf(l.root, l.files[i].Path)]
	key := v.Key()
	if !known || key == "" || d.Stamp != stampOf(key, contentRecipe(l.readers[i], l.files[i].Path, r.Policy)) || !r.kept[d.Content] {
		return d, false
	}
	again := r.opt.All || !r.opt.Since.IsZero() && !d.Modified.Before(r.opt.Since)
	return d, !again
}

// stampOf returns a stamp that stays the same while neither a file nor the way to read it changes.
func stampOf(key, recipe string) string { return key + " " + digest(recipe)[:versionDigits] }

// makeDocument makes the document of a file, and its content if that does not exist yet.
func (r *run) makeDocument(ctx context.Context, l listed, i int, data []byte, v sandbox.Version) made {
	start, p, e := r.Now(), l.files[i].Path, l.readers[i]
	how := contentRecipe(e, p, r.Policy)
	hash := digest(how, string(data))
	uri := uriOf(l.root, p)
	m := made{doc: Document{ID: documentID(uri), URI: uri, Version: digest(string(data))[:versionDigits], Content: hash, Kind: extract.KindName(e), Size: int64(len(data))}}
	if key := v.Key(); key != "" {
		m.doc.Stamp = stampOf(key, how)
	}
	if s, err := l.root.Stat(p); err == nil {
		m.doc.Modified = s.ModTime
	}
	again := r.opt.All || !r.opt.Since.IsZero() && !m.doc.Modified.Before(r.opt.Since)
	if r.kept[hash] && !again {
		return m
	}
	if why, ok := r.failed[hash]; ok && !again {
		m.failure = errors.New(why)
		return m
	}
	c, err := contentOf(ctx, e, p, data, r.Policy)
	c.Hash = hash
	switch {
	case errors.Is(err, errEmpty):
		return made{left: "empty"}
	case errors.Is(err, extract.ErrBinary):
		return r.leftOut("binary", uri, err)
	}
	m.failure = err
	if err == nil {
		m.content = c
	}
	m.jobs = []Job{r.newJob(hash, Extract, uri, start, err)}
	if err == nil {
		m.jobs = append(m.jobs, r.newJob(hash, Chunk, uri, start, nil))
	}
	return m
}

// skippedFile returns the result for a file that was not read. The document of an unreadable file is
// kept: a disk that stutters must not empty an index.
func (r *run) skippedFile(l listed, i int, why error) made {
	p := l.files[i].Path
	uri := uriOf(l.root, p)
	switch {
	case errors.Is(why, sandbox.ErrTooLarge):
		size, most := "", cmp.Or(l.largest, l.root.MaxFileSize())
		if s, err := l.root.Stat(p); err == nil {
			size = fmt.Sprintf("it has %d bytes; ", s.Size)
		}
		return r.leftOut("too large", uri, fmt.Errorf("%sfiles of its kind are read up to %d", size, most))
	case errors.Is(why, sandbox.ErrDenied):
		return made{left: "denied"}
	case !errors.Is(why, sandbox.ErrUnreadable):
		return made{left: "gone"}
	}
	d, known := r.was[uri]
	d.URI, d.Stamp = uri, ""
	why = fmt.Errorf("it %w; look at its permissions", why)
	return made{doc: d, stays: known, failure: why, problem: r.problemJob(Failed, uri, why)}
}

// leftOut returns the result for a file that is left out, with a problem that can be looked up.
func (r *run) leftOut(class, uri string, why error) made {
	return made{left: class, problem: r.problemJob(Left, uri, why)}
}

// problemJob returns a job about a file whose bytes are unknown.
func (r *run) problemJob(state, uri string, why error) *Job {
	j := r.newJob(digest("file", uri), Extract, uri, r.Now(), why)
	j.State = state
	return &j
}

// uriOf returns the URI of a file.
func uriOf(root Root, p string) string { return path.Join(root.Prefix, p) }

// parseKey splits the key of a job.
func parseKey(key string) (collection, hash, stage string, ok bool) {
	parts := strings.Split(key, ":")
	if len(parts) != 3 {
		return "", "", "", false
	}
	return parts[0], parts[1], parts[2], true
}

// made is the result for one file.
type made struct {
	doc     Document
	stays   bool   // the document stays as it was, despite the failure
	left    string // why it is not a document, "" if it is one
	content Content
	jobs    []Job
	failure error
	problem *Job // for a file without a content that a job could name
}

// keeper collects the results of workers and stores them, some at once.
type keeper struct {
	*run
	total    int
	in       chan made
	stop     context.CancelCauseFunc
	contents []Content
	jobs     []Job
	bytes    int
	done     int
	kept     time.Time
}

// put hands a result over, or gives up when the context ends.
func (k *keeper) put(ctx context.Context, m made) {
	select {
	case k.in <- m:
	case <-ctx.Done():
	}
}

// storeAll handles results until the channel is closed.
func (k *keeper) storeAll(ctx context.Context) {
	k.kept = k.Now()
	for m := range k.in {
		if ctx.Err() != nil {
			continue
		}
		if err := k.takeMade(ctx, m); err != nil {
			k.stop(err)
		}
	}
	if ctx.Err() == nil {
		if err := k.storeBatch(ctx); err != nil {
			k.stop(err)
			return
		}
		k.fillDocuments(ctx)
	}
}

// takeMade adds a result, and stores the collected ones if there are enough.
func (k *keeper) takeMade(ctx context.Context, m made) error {
	k.done++
	k.reportStep(Extract, k.done, k.total)
	if m.problem != nil {
		k.problems = append(k.problems, *m.problem)
	}
	if m.left != "" {
		k.report.Left++
		countUp(&k.report.Why, m.left)
		return nil
	}
	k.jobs = append(k.jobs, m.jobs...)
	if m.failure != nil {
		k.report.Failed = append(k.report.Failed, Failure{m.doc.URI, m.failure.Error()})
		if m.problem == nil {
			k.failing[m.doc.Content] = m.failure.Error()
		}
	}
	if m.failure == nil || m.stays {
		k.docs = append(k.docs, m.doc)
	}
	if m.content.Text != "" {
		k.contents = append(k.contents, m.content)
		k.bytes += len(m.content.Text)
	}
	if len(k.jobs) < 2*keepAtOnce && k.bytes < keepBytes && k.Now().Sub(k.kept) < keepEvery {
		return nil
	}
	return k.storeBatch(ctx)
}

func (k *keeper) storeBatch(ctx context.Context) error {
	defer func() { k.kept = k.Now() }()
	if len(k.contents)+len(k.jobs) > 0 {
		if err := k.Shelf.Keep(ctx, k.contents, k.jobs); err != nil {
			return err
		}
	}
	k.contents, k.jobs, k.bytes = nil, nil, 0
	return nil
}

// fillDocuments copies the title, the number of chunks and so on from its content to each document that lacks them.
func (k *keeper) fillDocuments(ctx context.Context) {
	for i, d := range k.docs {
		if d.Chunks > 0 && d.Title != "" {
			continue
		}
		c, err := k.Shelf.Content(ctx, d.Content)
		if err != nil {
			k.stop(fmt.Errorf("%s: %w", d.URI, err))
			return
		}
		k.docs[i].Title, k.docs[i].Chunks, k.docs[i].Note, k.docs[i].Tags = c.Title, len(c.Chunks), c.Note, c.Tags
		if i%256 == 0 {
			k.reportStep(Chunk, i, len(k.docs))
		}
	}
}

// headingLines returns the headings above a chunk, and its title.
func headingLines(d Document, c chunk.Chunk) string {
	list := c.Section
	if c.Title != d.Title && (len(list) == 0 || list[len(list)-1] != c.Title) {
		list = append(list[:len(list):len(list)], c.Title)
	}
	return strings.Join(list, "\n")
}
