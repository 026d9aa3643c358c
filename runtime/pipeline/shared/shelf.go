package shared

import (
	"context"
	"time"
)

// Record is a session on a shelf.
type Record struct {
	Key     string
	Version int64 // 0: no such session
	Body    []byte
	Life    time.Duration // from now on; when read, the remaining time
	Ended   bool          // by its client; it then has no body
}

// Result is a long result on a shelf.
type Result struct {
	Key     string
	Session string // key of the session that made it; "" for none
	Body    []byte
	Life    time.Duration // counted from the last read
}

// Totals is the amount of data on a shelf.
type Totals struct {
	Sessions int   `json:"sessions"`
	Results  int   `json:"results"`
	Bytes    int64 `json:"bytes"` // of both
}

// Bounds limits a shelf, across all of its writers.
type Bounds struct {
	Sessions int
	Bytes    int64 // of all results
}

// Shelf keeps sessions and results beyond a process. It is safe for concurrent use, and by several processes.
type Shelf interface {
	// Session returns the record under a key, even if it has expired. The body is left out if its version is the known
	// one.
	Session(ctx context.Context, key string, known int64) (Record, error)
	// PutSessions stores records whose Version is still the shelf's, as the next one. It returns the other keys.
	PutSessions(ctx context.Context, list []Record) (moved []string, err error)
	// EndSession deletes a session's contents and results, and remembers that it has ended.
	EndSession(ctx context.Context, key string, life time.Duration) error
	PutResults(ctx context.Context, list []Result) error
	// Result returns a body, or nil if there is none. Its life begins again.
	Result(ctx context.Context, key string, life time.Duration) ([]byte, error)
	// Purge deletes what has expired and, while that is not enough, what expires first.
	Purge(ctx context.Context, b Bounds) error
	// Forget deletes what was last written longer ago than the given time; 0 deletes everything.
	Forget(ctx context.Context, before time.Duration) error
	Totals(ctx context.Context) (Totals, error)
	Close() error
}
