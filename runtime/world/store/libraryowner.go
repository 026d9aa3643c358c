package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// Suffixes of the files next to a collection: the lock of its writer, the writer's PID and progress, the lock of a
// process that watches it, and a requested run that is not done.
const (
	ownedBy      = "-owner"
	ownerProcess = "-owner-process"
	watchedBy    = "-watcher"
	requested    = "-requested"
)

// lockOwner locks a separate database next to the collection. The system releases the lock
// when the process ends, and readers of the collection never wait for it.
func (f *inFile) lockOwner(ctx context.Context, b *books) (release func(), err error) {
	free, err := lockWriter(ctx, b.s.path)
	if err != nil {
		return nil, err
	}
	// The PID is informational: if it cannot be written, messages do without.
	file, err := os.OpenFile(b.s.path+ownerProcess, os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		f.owned.Store(file)
		f.tellProgress(b, library.Step{})
	}
	return func() {
		if file := f.owned.Swap(nil); file != nil {
			_ = file.Close()
		}
		_ = os.Remove(b.s.path + ownerProcess)
		free()
	}, nil
}

func (*inFile) findOwner(ctx context.Context, b *books) (by writing, is bool, err error) {
	if is, err = isLocked(ctx, b.s.path+ownedBy); is {
		by, _ = readOwner(b.s.path)
	}
	return by, is, err
}

// lockWriter takes the writer's lock of a collection.
func lockWriter(ctx context.Context, file string) (release func(), err error) {
	release, err = lockExclusive(ctx, file+ownedBy)
	if kindOf(err) == ErrBusy {
		if at, ok := readOwner(file); ok {
			return nil, &library.OwnedError{Process: at.process}
		}
		return nil, library.ErrOwned
	}
	return release, err
}

// lockExclusive takes an exclusive lock on a database, and creates it if needed.
func lockExclusive(ctx context.Context, path string) (release func(), err error) {
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	} else if err := f.Close(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", fileDSN(path))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err == nil {
		_, err = conn.ExecContext(ctx, "BEGIN EXCLUSIVE")
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		conn.Close()
		db.Close()
	}, nil
}

// isLocked reports whether another process has the lock. It does not wait, and never blocks a process that wants it.
func isLocked(ctx context.Context, path string) (bool, error) {
	if _, err := os.Stat(path); err != nil {
		return false, nil
	}
	db, err := sql.Open("sqlite", fileDSN(path))
	if err != nil {
		return false, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var n int
	if _, err = db.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err == nil {
		err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&n)
	}
	if kindOf(err) == ErrBusy {
		return true, nil
	}
	return false, err
}

// telling is the length of the owner's progress line. It is fixed, so that a single
// write replaces the previous line.
const telling = 80

// Tell records the owner's progress.
func (b *books) Tell(s library.Step) { b.in.tellProgress(b, s) }

func (f *inFile) tellProgress(_ *books, s library.Step) {
	file := f.owned.Load()
	if file == nil {
		return
	}
	line := fmt.Appendf(nil, "%d", os.Getpid())
	if s.Stage != "" {
		line = fmt.Appendf(line, " %s %d %d", s.Stage, s.Done, s.Total)
	}
	if len(line) < telling {
		_, _ = file.WriteAt(append(append(line, bytes.Repeat([]byte(" "), telling-1-len(line))...), '\n'), 0)
	}
}

// writing describes the process that holds the lock of a collection.
type writing struct {
	process int
	host    string        // "" for this machine
	step    *library.Step // nil if unknown
}

// readOwner reads the owner's PID and progress. Leftovers of a killed process are overwritten by the next owner.
func readOwner(file string) (w writing, ok bool) {
	data, err := os.ReadFile(file + ownerProcess)
	if err != nil || len(data) > 2*telling {
		return w, false
	}
	fields := strings.Fields(string(data))
	if len(fields) == 0 {
		return w, false
	}
	if _, err := fmt.Sscan(fields[0], &w.process); err != nil || w.process <= 0 {
		return w, false
	}
	if len(fields) == 4 {
		s := library.Step{Stage: fields[1]}
		if _, err := fmt.Sscan(fields[2]+" "+fields[3], &s.Done, &s.Total); err == nil {
			w.step = &s
		}
	}
	return w, true
}

// jobCounts returns the number of jobs by stage and state.
func (b *books) jobCounts(ctx context.Context) ([]library.Count, error) {
	out := []library.Count{}
	err := b.each(ctx, nil, "SELECT stage, state, count(*) FROM library_jobs WHERE @here GROUP BY stage, state ORDER BY stage, state", nil, func(row *sql.Rows) error {
		var c library.Count
		err := row.Scan(&c.Stage, &c.State, &c.Jobs)
		out = append(out, c)
		return err
	})
	return out, err
}

// WatchLibrary makes the caller the only process that follows the documents of a collection, or returns
// library.ErrOwned. Indexing it once remains possible for other processes.
func WatchLibrary(ctx context.Context, place string) (release func(), err error) {
	if OnServer(place) {
		return watchShelf(ctx, place)
	}
	path := place
	if path, err = libraryFile(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, explain(path, err)
	}
	release, err = lockExclusive(ctx, path+watchedBy)
	if kindOf(err) == ErrBusy {
		return nil, library.ErrOwned
	}
	if err != nil {
		return nil, explain(path, err)
	}
	return release, nil
}

func libraryFile(path string) (string, error) {
	return filepath.Abs(strings.TrimPrefix(path, "sqlite:"))
}

// KeepRequest records a requested run next to the file of a collection, so that the
// next process can continue it. On a database server it does nothing.
func KeepRequest(path string, what []byte) error {
	if OnServer(path) {
		return nil
	}
	path, err := libraryFile(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return explain(path, err)
	}
	return os.WriteFile(path+requested, what, 0o600)
}

// Request returns the recorded request of a run that is not done, if any.
func Request(path string) ([]byte, bool) {
	if OnServer(path) {
		return nil, false
	}
	path, err := libraryFile(path)
	if err != nil {
		return nil, false
	}
	data, err := os.ReadFile(path + requested)
	return data, err == nil
}

// DropRequest removes the recorded request.
func DropRequest(path string) {
	if OnServer(path) {
		return
	}
	if path, err := libraryFile(path); err == nil {
		_ = os.Remove(path + requested)
	}
}
