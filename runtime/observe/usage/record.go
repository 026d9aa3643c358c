package usage

import (
	"context"
	"time"
)

// Session is one conversation of a client, as it is kept.
type Session struct {
	ID      string    `json:"session"`
	Run     string    `json:"run"`     // of the process that served it
	Profile string    `json:"profile"` // whose tools it was offered; "" for the only one
	Client  string    `json:"client"`  // its name, or a digest of it
	Version string    `json:"version"` // of the client, as it says; "" where clients are not kept
	Era     string    `json:"era"`     // of the protocol
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`   // of its last call so far
	Offered int       `json:"offered"` // tools that there were for it
	Catalog string    `json:"catalog"` // the ID of the set of these; "" where it is not kept
	Shown   []string  `json:"shown"`   // those it was last listed, "server/tool", in order
}

// Catalog is the set of tools that there were for a session. Sessions share those that are equal.
type Catalog struct {
	ID    string   // a digest of the names
	Tools []string // "server/tool", sorted
}

// Call is one call of an upstream tool, as it is kept.
type Call struct {
	Session   string        `json:"session"`
	Number    int           `json:"number"` // in the session, from 1
	Server    string        `json:"server"`
	Tool      string        `json:"tool"`
	Arguments string        `json:"arguments,omitempty"` // a digest: equal for equal ones
	At        time.Time     `json:"at"`
	Elapsed   time.Duration `json:"elapsed"`
	OK        bool          `json:"ok"`
	Hidden    bool          `json:"hidden"` // the session was listed tools, and not this one
}

// Name is the tool with its server: "server/tool".
func (c Call) Name() string { return c.Server + "/" + c.Tool }

// Run is one process that wrote to a log.
type Run struct {
	ID      string
	Process string // a digest of the machine, and the number of the process there; "" where that is not known
	Started time.Time
	Written time.Time // last: what came before is kept
	Ended   time.Time // zero: it runs, or was killed
}

// Killed is a run that ended without a word, as it is told.
type Killed struct {
	Run
	Sessions int
	Last     []Call // that are kept of the sessions used last: at most MostTold
}

// MostTold are the sessions that are told of a run that was killed.
const MostTold = 5

// Position is how far the batches of runs were read, by run.
type Position map[string]int64

// Mark is what a person said of a tool: that it is relevant, or that it is not. It stays
// until it is taken back, however old the sessions are that are let go.
type Mark struct {
	Profile  string    `json:"profile"` // for which it holds; "" for the only one
	Client   string    `json:"client"`  // for which it holds, as of Session; "" for all
	Tool     string    `json:"tool"`    // "server/tool"
	Relevant bool      `json:"relevant"`
	At       time.Time `json:"at"`
}

// MostMarks bounds what is kept of what people said.
const MostMarks = 10_000

// Batch is what is written at once. Sessions come whole, as they are by now.
type Batch struct {
	Run      Run
	Number   int64     // of the run's batches, from 1; one that is written again has a higher one
	Catalogs []Catalog // of the sessions
	Sessions []Session
	Calls    []Call
}

// Totals are how much is kept.
type Totals struct {
	Sessions, Calls int
	Oldest          time.Time // session; zero for none
	Bytes           int64     // that it takes on disk; 0 where that is not known
}

// Keeping says how long what is kept stays. The oldest sessions go first.
type Keeping struct {
	For   time.Duration
	Calls int
}

// Log keeps sessions and calls beyond a process. It is safe for concurrent use.
type Log interface {
	// Append keeps a batch whole, or nothing of it. A call that is there already stays
	// as it is.
	Append(ctx context.Context, b Batch) error
	// Sessions gives the newest sessions with a call at or after since, oldest first, each
	// with its calls in order, until do returns an error.
	Sessions(ctx context.Context, since time.Time, calls int, do func(Session, []Call) error) error
	// Newest gives sessions with a call, the newest first, each with its calls in order: as
	// many as are asked for of those that stand before a place, until do returns an error.
	Newest(ctx context.Context, before Place, most int, do func(Session, []Call) error) error
	// Session gives one session with its calls; where there is none the error is ErrNoSession.
	Session(ctx context.Context, id string) (Session, []Call, error)
	// Catalog gives the tools of a catalog, sorted; nil where there is none with that ID.
	Catalog(ctx context.Context, id string) ([]string, error)
	// ToolUse is how sessions used a tool: those of a profile, nil for all.
	ToolUse(ctx context.Context, server, tool string, profile *string) (ToolUse, error)
	// Unended are the runs that did not say that they end, of those that were killed by
	// what is said of them. Each is told once.
	Unended(ctx context.Context, killed func(Run) bool) ([]Killed, error)
	// Since gives sessions with the calls that runs wrote behind a position, and moves that;
	// a nil do only moves it. Runs that were heard of before a moment are left out.
	Since(ctx context.Context, at Position, heard time.Time, do func(Session, []Call) error) error
	Totals(ctx context.Context) (Totals, error)
	// Purge lets go of sessions that ended before a moment, and of the oldest while there
	// are more calls than that.
	Purge(ctx context.Context, before time.Time, calls int) error
	// Mark keeps what a person says of a tool, over what was said before; nil takes it back.
	Mark(ctx context.Context, m Mark, relevant *bool) error
	Marks(ctx context.Context) ([]Mark, error)
	// Unmark takes back all that was said.
	Unmark(ctx context.Context) error
	// Salt is the key of digests: made with the log, and gone with it.
	Salt(ctx context.Context) ([]byte, error)
	Close() error
}
