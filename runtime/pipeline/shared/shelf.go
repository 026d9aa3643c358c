package shared

import (
	"context"
	"time"
)

// Record is a session on a shelf.
type Record struct {
	Key     string
	Version int64 // 0: there is none
	Body    []byte
	Life    time.Duration // from now on; when it is read, what is left of it
	Ended   bool          // by its client; then it has no body
}

// Result is a long result on a shelf.
type Result struct {
	Key     string
	Session string // key of the session that made it; "" for none
	Body    []byte
	Life    time.Duration // since it was last read
}

// Totals are how much is on a shelf.
type Totals struct {
	Sessions int   `json:"sessions"`
	Results  int   `json:"results"`
	Bytes    int64 `json:"bytes"` // of both
}

// Bounds of a shelf, whoever writes to it.
type Bounds struct {
	Sessions int
	Bytes    int64 // of all results
}

// Shelf keeps sessions and results beyond a process. It is safe for concurrent use, and by several processes.
type Shelf interface {
	// Session gives what there is under a key, what is over its time too. The body is left out where the version is the
	// one that is known.
	Session(ctx context.Context, key string, known int64) (Record, error)
	// PutSessions keeps those whose Version is still the one on the shelf, as the next one. It gives the keys of the others.
	PutSessions(ctx context.Context, list []Record) (moved []string, err error)
	// EndSession forgets what a session has, and its results, and remembers that it has ended.
	EndSession(ctx context.Context, key string, life time.Duration) error
	PutResults(ctx context.Context, list []Result) error
	// Result gives a body, nil where there is none. Its life begins again.
	Result(ctx context.Context, key string, life time.Duration) ([]byte, error)
	// Purge lets go of what is over its time, and of what is the first to be over it while there is too much.
	Purge(ctx context.Context, b Bounds) error
	// Forget lets go of what was last written before a while; 0 for all.
	Forget(ctx context.Context, before time.Duration) error
	Totals(ctx context.Context) (Totals, error)
	Close() error
}
