package library

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// Errors of a Shelf.
var (
	ErrOwned   = errors.New("another process is indexing the collection")
	ErrUnknown = errors.New("there is no such document")
)

// OwnedError is ErrOwned with the process that owns the collection.
type OwnedError struct {
	Process int
	Host    string // of the process; "" for this one
}

func (e *OwnedError) Error() string {
	if e.Host != "" {
		return fmt.Sprintf("%v (process %d on %s)", ErrOwned, e.Process, e.Host)
	}
	return fmt.Sprintf("%v (process %d)", ErrOwned, e.Process)
}

// Unwrap lets errors.Is find ErrOwned.
func (e *OwnedError) Unwrap() error { return ErrOwned }

// The stages of a job, in their order.
const (
	Discover = "discover"
	Extract  = "extract"
	Chunk    = "chunk"
	Embed    = "embed"
	Upsert   = "upsert"
)

// The states of a job.
const (
	Done   = "done"
	Failed = "failed"
	Left   = "left" // left out, for a reason other than the document's text
)

// Job is one stage of one content, or of the collection as a whole.
type Job struct {
	Key      string        `json:"key"` // collection:content hash:stage
	Stage    string        `json:"stage"`
	URI      string        `json:"uri,omitempty"` // a document that has the content; empty for the whole
	State    string        `json:"state"`
	Attempts int           `json:"attempts"`
	Error    string        `json:"error,omitempty"`
	Ended    time.Time     `json:"ended"`
	Took     time.Duration `json:"took"`
}

// Count is the number of jobs of a stage in a state.
type Count struct {
	Stage string `json:"stage"`
	State string `json:"state"`
	Jobs  int    `json:"jobs"`
}

// State describes a collection.
type State struct {
	Version   string    `json:"version"` // "" before the first
	Documents int       `json:"documents"`
	Passages  int       `json:"passages"`
	Published time.Time `json:"published"`
	Index     int64     `json:"index_bytes"`
	Text      int64     `json:"text_bytes"`
	File      int64     `json:"file_bytes"`
	Running   bool      `json:"running"`           // this or another process is indexing it
	Process   int       `json:"process,omitempty"` // the process, if known
	Host      string    `json:"host,omitempty"`    // its host, if there may be several
	Step      *Step     `json:"step,omitempty"`    // its progress, if known
	Jobs      []Count   `json:"jobs"`              // number of jobs by stage and state
	Failed    int       `json:"failed"`            // documents that could not be read
	Left      int       `json:"left"`              // files that are too large, or not text
	Kept      int       `json:"kept"`              // contents that are ready, including those of no version yet
	Segments  []Segment `json:"segments"`
	Space     Space     `json:"space"`
}

// Segment describes a segment of the index.
type Segment struct {
	Name     string    `json:"name"`     // derived from its contents
	Passages int       `json:"passages"` // including those that no document has any more
	Live     int       `json:"live"`     // passages that the version has
	Bytes    int64     `json:"bytes"`
	Made     time.Time `json:"made"`
	Groups   []byte    `json:"-"` // as runtime/retrieval/docs/index packs them
	Space    string    `json:"-"` // space of its vectors, "" for none
}

// Space describes what was learnt from all passages at some time.
type Space struct {
	Name     string    `json:"-"`
	Passages int       `json:"passages"` // number it was learnt from
	Changed  int       `json:"changed"`  // passages that came or went since
	Learnt   time.Time `json:"learnt"`
}

// The parts of a segment, and of the segment "", which is the space.
const (
	WordsPart   = "words"
	GramsPart   = "grams"
	VectorsPart = "vectors"
	SpacePart   = "space"
)

// Origin says what a collection is made from. It is stored with the collection, for readers without a configuration.
type Origin struct {
	Collection  string   `json:"collection"`
	Directories []string `json:"directories"` // absolute
	Include     []string `json:"include,omitempty"`
	Exclude     []string `json:"exclude,omitempty"`
	Policy      [3]int   `json:"policy"` // least, most, overlap
	Description string   `json:"description,omitempty"`
}

// Version is the change from one complete state of the collection to the next.
type Version struct {
	Name     string
	Put      []Document // new and changed ones
	Gone     []string   // addresses of documents that do not exist any more
	Passages int        // of all documents
	Segments []Segment  // all segments of the index; others are deleted
	Parts    []Part     // of new segments, each complete
	Space    Space
	Jobs     []Job
	Failing  []string // hashes of contents that could not be made: their jobs stay
	Tiers    []string // whose vectors stay; empty for all
	At       time.Time
}

// Part is a part of a segment.
type Part struct {
	Segment string // "" for the space
	Name    string
	Data    []byte
}

// View is one version of a collection, which does not change while it is in use.
type View interface {
	Version() string
	Documents(ctx context.Context) ([]Document, error) // by address
	// Segments returns the segments of the version, and with all also those of no version yet.
	Segments(ctx context.Context, all bool) ([]Segment, error)
	// Part returns one part of a segment, empty if it does not exist.
	Part(ctx context.Context, segment, part string) ([]byte, error)
	Space(ctx context.Context) (Space, error)
	Content(ctx context.Context, hash string) (Content, error)
	// Vectors returns the vectors of a tier, by content, of all contents or of some; VectorMark changes with them.
	Vectors(ctx context.Context, tier string, contents ...string) (map[string]vectors.Rows, error)
	VectorMark(ctx context.Context, tier string) (string, error)
	// Comparer lets the database multiply a vector with those of a tier; it returns nil if it cannot.
	Comparer(ctx context.Context, tier string) (Comparer, error)
}

// Comparer multiplies a vector with those of some contents, or of all if contents is empty: the products of
// each are in the order of its passages. Contents without all of their vectors are left out.
type Comparer func(ctx context.Context, v []float32, contents []string) (map[string][]float32, error)

// Shelf stores a collection beyond the life of a process. It is safe for concurrent use, and
// several processes may have one open.
type Shelf interface {
	// View calls see with the published version.
	View(ctx context.Context, see func(View) error) error
	State(ctx context.Context) (State, error)
	Origin(ctx context.Context) (Origin, error)
	// Jobs lists the jobs in a state, the latest first.
	Jobs(ctx context.Context, state string, most int) ([]Job, error)

	// Own makes the caller the only writer until release, or returns ErrOwned. The system takes it
	// back when the process ends, however it ends.
	Own(ctx context.Context) (release func(), err error)
	// Tell reports the progress of the owner, for the State that any process asks for. It may be
	// lost.
	Tell(s Step)
	// Begin records what the collection is made from if that is not known yet.
	Begin(ctx context.Context, o Origin) error
	// Contents returns the hashes of the stored contents, including those of no version yet.
	Contents(ctx context.Context) (map[string]bool, error)
	// Content returns one of them.
	Content(ctx context.Context, hash string) (Content, error)
	// Keep stores contents with the jobs that made them, all or nothing, and replaces contents with
	// the same hash. A job that exists already gets one attempt more.
	Keep(ctx context.Context, contents []Content, jobs []Job) error
	// KeepSegment stores a segment of no version yet.
	KeepSegment(ctx context.Context, s Segment, parts []Part) error
	// Vectored returns the contents that have vectors of a tier, and KeepVectors stores more.
	Vectored(ctx context.Context, tier string) (map[string]bool, error)
	KeepVectors(ctx context.Context, tier string, of map[string]vectors.Rows) error
	// Publish replaces the published version and deletes contents, jobs and segments that the new
	// one does not have, all or nothing.
	Publish(ctx context.Context, v Version, o Origin) error
	Close() error
}
