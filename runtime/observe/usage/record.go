package usage

import (
	"context"
	"time"
)

// Session is one conversation of a client, as it is kept.
type Session struct {
	ID      string    `json:"session"`
	Run     string    `json:"run"`     // of the process that served it
	Profile string    `json:"profile"` // of the profile whose tools it was offered; "" for the only one
	Client  string    `json:"client"`  // its name, or a digest of it
	Version string    `json:"version"` // as reported by the client; "" if clients are not kept
	Era     string    `json:"era"`     // of the protocol
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`   // of its last call so far
	Offered int       `json:"offered"` // number of tools available to it
	Catalog string    `json:"catalog"` // ID of the set of available tools; "" if it is not kept
	Shown   []string  `json:"shown"`   // tools it was last listed, "server/tool", in order
}

// Catalog is the set of tools that were available to a session. Sessions share equal ones.
type Catalog struct {
	ID    string   // a digest of the names
	Tools []string // "server/tool", sorted
}

// Call is one call of an upstream tool, as it is kept.
type Call struct {
	Session   string        `json:"session"`
	Number    int           `json:"number"` // within the session, from 1
	Server    string        `json:"server"`
	Tool      string        `json:"tool"`
	Arguments string        `json:"arguments,omitempty"` // a digest: the same for equal arguments
	At        time.Time     `json:"at"`
	Elapsed   time.Duration `json:"elapsed"`
	OK        bool          `json:"ok"`
	Hidden    bool          `json:"hidden"` // the session was listed tools, but not this one
}

// Name returns the tool with its server: "server/tool".
func (c Call) Name() string { return c.Server + "/" + c.Tool }

// Run is one process that wrote to a log.
type Run struct {
	ID      string
	Process string // a digest of the machine, and the process number there; "" if unknown
	Started time.Time
	Written time.Time // last write: what came before is kept
	Ended   time.Time // zero: it is running, or was killed
}

// Killed describes, for a report, a run that ended without notice.
type Killed struct {
	Run
	Sessions int
	Last     []Call // last calls kept of the most recently used sessions: at most MostTold
}

// MostTold limits the sessions reported for a run that was killed.
const MostTold = 5

// Position is how far the batches of runs have been read, by run.
type Position map[string]int64

// Mark is a person's statement about a tool: that it is relevant, or that it is not. It
// remains until it is removed, even when old sessions are deleted.
type Mark struct {
	Profile  string    `json:"profile"` // for which it is in effect; "" for the only one
	Client   string    `json:"client"`  // for which it is in effect, as in Session; "" for all
	Tool     string    `json:"tool"`    // "server/tool"
	Relevant bool      `json:"relevant"`
	At       time.Time `json:"at"`
}

// MostMarks limits the number of marks that are kept.
const MostMarks = 10_000

// Batch is what is written at once. Sessions are complete, in their current state.
type Batch struct {
	Run      Run
	Number   int64     // among the run's batches, from 1; one that is written again has a higher number
	Catalogs []Catalog // of the sessions
	Sessions []Session
	Calls    []Call
}

// Totals is the amount of data that is kept.
type Totals struct {
	Sessions, Calls int
	Oldest          time.Time // session; zero if there are none
	Bytes           int64     // size on disk; 0 if unknown
}

// Retention determines how long data is kept. The oldest sessions are deleted first.
type Retention struct {
	For   time.Duration
	Calls int
}

// Log keeps sessions and calls beyond the life of a process. It is safe for concurrent use.
type Log interface {
	// Append keeps a whole batch, or nothing of it. A call that exists already stays unchanged.
	Append(ctx context.Context, b Batch) error
	// Sessions passes the newest sessions with a call at or after since to do, oldest
	// first, each with its calls in order, until do returns an error.
	Sessions(ctx context.Context, since time.Time, calls int, do func(Session, []Call) error) error
	// Newest passes up to most sessions with a call, that come before a place, to do,
	// newest first, each with its calls in order, until do returns an error.
	Newest(ctx context.Context, before Place, most int, do func(Session, []Call) error) error
	// Session returns one session with its calls; the error is ErrNoSession if it does not exist.
	Session(ctx context.Context, id string) (Session, []Call, error)
	// Catalog returns the tools of a catalog, sorted; nil if there is none with that ID.
	Catalog(ctx context.Context, id string) ([]string, error)
	// ToolUse returns how sessions of a profile used a tool; a nil profile means all.
	ToolUse(ctx context.Context, server, tool string, profile *string) (ToolUse, error)
	// Unended returns the runs that did not report their end and for which killed returns
	// true. Each is returned only once.
	Unended(ctx context.Context, killed func(Run) bool) ([]Killed, error)
	// Since passes sessions with the calls that runs wrote after a position to do, and advances the
	// position; a nil do only advances it. Runs last heard of before a moment are left out.
	Since(ctx context.Context, at Position, heard time.Time, do func(Session, []Call) error) error
	Totals(ctx context.Context) (Totals, error)
	// Purge deletes sessions that ended before a moment, and the oldest while there are
	// more calls than the given number.
	Purge(ctx context.Context, before time.Time, calls int) error
	// Mark keeps a person's statement about a tool, replacing an earlier one; nil removes it.
	Mark(ctx context.Context, m Mark, relevant *bool) error
	Marks(ctx context.Context) ([]Mark, error)
	// Unmark removes all marks.
	Unmark(ctx context.Context) error
	// Salt returns the key of digests: created and deleted with the log.
	Salt(ctx context.Context) ([]byte, error)
	Close() error
}
