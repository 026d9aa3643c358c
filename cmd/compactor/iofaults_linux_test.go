package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// fault is an answer of the system to some of the calls of a process that indexes.
type fault struct {
	calls, answer string
	ours          bool // only calls about the collection's files and its documents
	long          bool // left out of the short form
	at            int  // which call the short form lets fail; 0 for one of the first
}

var faults = []fault{
	{calls: "pwrite64", answer: "error=EIO", at: 30},
	{calls: "pwrite64", answer: "error=ENOSPC", at: 101}, // the file gets its pages
	{calls: "pwrite64", answer: "retval=0", long: true},  // a short write
	{calls: "fsync,fdatasync", answer: "error=EIO"},
	{calls: "open,openat,openat2", answer: "error=EMFILE"},
	{calls: "open,openat,openat2", answer: "error=EIO", long: true},
	{calls: "ftruncate,fallocate", answer: "error=EIO"},
	{calls: "ftruncate,fallocate", answer: "error=ENOSPC", long: true},
	{calls: "link,linkat,rename,renameat,renameat2", answer: "error=EIO"},
	{calls: "unlink,unlinkat", answer: "error=EIO"},
	{calls: "pread64,read", answer: "error=EIO", ours: true},
	{calls: "getdents64", answer: "error=EIO", ours: true},
	{calls: "stat,lstat,fstat,newfstatat,statx", answer: "error=EIO", ours: true},
	{calls: "fcntl", answer: "error=EIO", ours: true, long: true},
	{calls: "mmap", answer: "error=ENOMEM", ours: true, long: true},
}

// faulty is a directory of documents with its collection at two moments.
type faulty struct {
	t             *testing.T
	dir, docs     string
	binary        string
	file          string            // of the collection
	state         string            // a copy of the collection before, or nothing
	before, after map[string]string // contents by address
	want          string            // digest of the collection after
	was           string
}

// A fault of the disk or the system at any call of a run of index loses nothing: what is
// published is, document by document, what was there before or what comes after, a run
// that did not do all says so with the way out, and the next run makes what a clean one
// makes. COMPACTOR_LONG=1 lets each call fail in turn, once and from there on, or each
// COMPACTOR_EVERY-th; the short form one of each kind. strace counts the calls of each thread, so that one run may have
// several faults.
func TestIndexWithIOFaults(t *testing.T) {
	if raced {
		t.Skip("the process is the same without the race detector, and ten times as fast")
	}
	long := os.Getenv("COMPACTOR_LONG") != ""
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not there")
	}
	if out, err := exec.Command(strace, "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %s", out)
	}
	runs, hit := 0, 0
	every := 5
	if long {
		every = 1
	}
	if n, err := strconv.Atoi(os.Getenv("COMPACTOR_EVERY")); err == nil {
		every = n
	}
	said := map[string]int{}
	for _, fresh := range []bool{true, false} {
		w := newFaulty(t, fresh)
		for i, f := range faults {
			if only := os.Getenv("COMPACTOR_FAULT"); only != "" && !strings.HasPrefix(f.calls+":"+f.answer, only) || !long && (f.long || (i%2 == 0) == fresh) {
				continue
			}
			first := 1 + i%every
			if !long {
				first = max(first, f.at)
			}
			for _, on := range []string{"", "+"} {
				missed := 0
				for n := first; missed < 2 && n < 300; n += every {
					if !long && n != first {
						break
					}
					faults, out := w.once(strace, f, fmt.Sprint(n, on))
					runs++
					hit += faults
					if missed++; faults > 0 {
						missed = 0
						said[plainFault(out)]++
					}
				}
			}
		}
	}
	t.Logf("%d runs, %d faults", runs, hit)
	if hit == 0 && os.Getenv("COMPACTOR_FAULT") == "" {
		t.Error("no fault was made")
	}
	for what, n := range said {
		t.Logf("%4d %s", n, what)
	}
}

var passing = regexp.MustCompile(`/[^ :;,"]*/|[0-9]{3,}`)

// plainFault is what a run said, without what differs from run to run.
func plainFault(out string) string { return passing.ReplaceAllString(strings.TrimSpace(out), "…") }

func newFaulty(t *testing.T, fresh bool) *faulty {
	dir, binary := frontDir(t, "collections: guide: roots: [\"docs\"]\n")
	w := &faulty{t: t, dir: dir, docs: filepath.Join(dir, "docs"), binary: binary, state: filepath.Join(t.TempDir(), "state")}
	put := func(n int, text string) {
		path := filepath.Join(w.docs, fmt.Sprintf("part%d/%d.md", n%3, n))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 20 {
		put(n, fmt.Sprintf("# Document %d\n\nA pool keeps %d connections open, and waits.\n\n## Retries\n\nA retry waits %d seconds.\n", n, n, n*7))
	}
	if !fresh {
		w.run()
		w.file = w.find()
		w.was, w.before = w.mustLook()
		if err := os.CopyFS(w.state, os.DirFS(filepath.Dir(w.file))); err != nil {
			t.Fatal(err)
		}
		put(3, "# Document 3\n\nIt was written anew: a queue is empty.\n")
		put(7, "# Document 7\n\nThe seventh is another one, about a ledger.\n")
		put(30, "# Document 30\n\nA new one, about snapshots.\n")
		if err := os.Remove(filepath.Join(w.docs, "part2/5.md")); err != nil {
			t.Fatal(err)
		}
		w.reset()
	}
	if out, err := w.run(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	w.file = w.find()
	w.want, w.after = w.mustLook()
	if len(w.after) != 20 || w.want == w.was {
		t.Fatalf("%d documents, %s after %s", len(w.after), w.want, w.was)
	}
	return w
}

// command is a run of index.
func (w *faulty) command(name string, args ...string) (string, error) {
	cmd := exec.CommandContext(w.t.Context(), name, args...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), frontEnv(w.dir)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (w *faulty) run() (string, error) { return w.command(w.binary, "index") }

func (w *faulty) find() string {
	list, _ := filepath.Glob(filepath.Join(w.dir, "compactor", "*-docs-guide-*.db"))
	if len(list) != 1 {
		w.t.Fatalf("collections: %v", list)
	}
	return list[0]
}

// reset puts the collection back to what it was before.
func (w *faulty) reset() {
	at := filepath.Dir(w.file)
	err := os.RemoveAll(at)
	if _, none := os.Stat(w.state); none == nil {
		err = errors.Join(err, os.CopyFS(at, os.DirFS(w.state)))
		err = errors.Join(err, os.Chmod(at, 0o700), filepath.WalkDir(at, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				err = os.Chmod(path, 0o600)
			}
			return err
		}))
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// mustLook is look where nothing may be wrong.
func (w *faulty) mustLook() (digest string, docs map[string]string) {
	w.t.Helper()
	digest, docs, err := w.look()
	if err != nil {
		w.t.Fatal(err)
	}
	return digest, docs
}

// look reads what is published: its digest, and contents by address.
func (w *faulty) look() (digest string, docs map[string]string, err error) {
	docs = map[string]string{}
	if _, err := os.Stat(w.file); err != nil {
		return "", docs, nil
	}
	ctx := context.Background()
	s, err := store.OpenLibrary(ctx, w.file)
	if err != nil {
		return "", nil, err
	}
	defer s.Close()
	err = s.View(ctx, func(v library.View) error {
		list, err := v.Documents(ctx)
		for _, d := range list {
			docs[d.URI] = d.Content
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	if digest, err = library.Open(s).Digest(ctx); errors.Is(err, library.ErrEmpty) {
		err = nil
	}
	return digest, docs, err
}

// once runs index with a fault, and looks at what became of the collection.
func (w *faulty) once(strace string, f fault, when string) (faults int, out string) {
	w.t.Helper()
	w.reset()
	log := filepath.Join(w.t.TempDir(), "log")
	args := []string{"-f", "-qq", "-o", log, "-e", "signal=none", "-e", "trace=" + f.calls, "-e", "inject=" + f.calls + ":" + f.answer + ":when=" + when}
	if f.ours {
		for _, end := range []string{"", "-wal", "-shm", "-journal", "-owner", "-owner-process"} {
			args = append(args, "-P", w.file+end)
		}
		_ = filepath.WalkDir(w.docs, func(path string, _ os.DirEntry, _ error) error { args = append(args, "-P", path); return nil })
	}
	out, err := w.command(strace, append(args, w.binary, "index")...)
	calls, lost := os.ReadFile(log)
	if lost != nil {
		w.t.Fatal(lost, out)
	}
	faults = strings.Count(string(calls), "(INJECTED)")
	name := f.calls + ":" + f.answer + " at " + when
	report := func(format string, args ...any) {
		w.t.Helper()
		w.t.Errorf("%s: %s\n%s%v\n%s", name, fmt.Sprintf(format, args...), out, err, tail(string(calls), 600))
	}
	got, docs, bad := w.look()
	if bad != nil {
		report("opened again: %v", bad)
	}
	for uri := range maps.Keys(merged(w.before, w.after)) {
		if has := docs[uri]; has != w.before[uri] && has != w.after[uri] {
			report("%s is %q, not %q or %q", uri, has, w.before[uri], w.after[uri])
			break
		}
	}
	if err == nil && got != w.want {
		report("it did not do all, and says that it did")
	}
	if strings.Contains(out, "goroutine ") || strings.Contains(out, "panic") {
		report("it crashed")
	}
	if err != nil && strings.Contains(out, w.file) && !strings.Contains(out, ";") {
		report("the way out is not said")
	}
	if again, err := w.run(); err != nil {
		report("the next run: %v %s", err, again)
	}
	if got, _, err := w.look(); err != nil || got != w.want {
		report("after the next run the collection is %s, not %s: %v", got, w.want, err)
	}
	return faults, out
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, b)
	return out
}

func tail(text string, n int) string { return text[max(0, len(text)-n):] }
