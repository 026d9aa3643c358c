package library

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// What a Shelf says.
var (
	ErrOwned   = errors.New("another process is indexing the collection")
	ErrUnknown = errors.New("there is no such document")
)

// OwnedError is ErrOwned with who it is.
type OwnedError struct {
	Process int
	Host    string // whose process it is; "" for this one
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
	Left   = "left" // out, for a reason that is none of the document's text
)

// Job is one stage of one content, or of the collection as a whole.
type Job struct {
	Key      string        `json:"key"` // collection:content hash:stage
	Stage    string        `json:"stage"`
	URI      string        `json:"uri,omitempty"` // a document that has the content; none for the whole
	State    string        `json:"state"`
	Attempts int           `json:"attempts"`
	Error    string        `json:"error,omitempty"`
	Ended    time.Time     `json:"ended"`
	Took     time.Duration `json:"took"`
}

// Count is how many jobs of a stage are in a state.
type Count struct {
	Stage string `json:"stage"`
	State string `json:"state"`
	Jobs  int    `json:"jobs"`
}

// State is what is known of a collection.
type State struct {
	Version   string    `json:"version"` // "" before the first
	Documents int       `json:"documents"`
	Passages  int       `json:"passages"`
	Published time.Time `json:"published"`
	Index     int64     `json:"index_bytes"`
	Text      int64     `json:"text_bytes"`
	File      int64     `json:"file_bytes"`
	Running   bool      `json:"running"`           // another process, or this one, indexes it
	Process   int       `json:"process,omitempty"` // that does, where it is known
	Host      string    `json:"host,omitempty"`    // of it, where several machines may
	Step      *Step     `json:"step,omitempty"`    // how far it is, where that is known
	Jobs      []Count   `json:"jobs"`              // how many there are of each stage and state
	Failed    int       `json:"failed"`            // documents that could not be read
	Left      int       `json:"left"`              // files that are too large, or no text
	Kept      int       `json:"kept"`              // contents that are ready, with those that no version has yet
	Segments  []Segment `json:"segments"`
	Space     Space     `json:"space"`
}

// Segment is what is known of a segment of the index.
type Segment struct {
	Name     string    `json:"name"`     // of what is in it
	Passages int       `json:"passages"` // with those that no document has any more
	Live     int       `json:"live"`     // that the version has
	Bytes    int64     `json:"bytes"`
	Made     time.Time `json:"made"`
	Groups   []byte    `json:"-"` // as runtime/retrieval/docs/index packs them
	Space    string    `json:"-"` // that its vectors are of, "" for none
}

// Space is what was learnt of all passages at some time.
type Space struct {
	Name     string    `json:"-"`
	Passages int       `json:"passages"` // that it was learnt of
	Changed  int       `json:"changed"`  // passages that came or went since
	Learnt   time.Time `json:"learnt"`
}

// The parts of a segment, and of the segment "" that stands for the space.
const (
	WordsPart   = "words"
	GramsPart   = "grams"
	VectorsPart = "vectors"
	SpacePart   = "space"
)

// Origin is what a collection was made of, kept with it for who has no configuration.
type Origin struct {
	Collection  string   `json:"collection"`
	Directories []string `json:"directories"` // absolute
	Include     []string `json:"include,omitempty"`
	Exclude     []string `json:"exclude,omitempty"`
	Policy      [3]int   `json:"policy"` // least, most, overlap
	Description string   `json:"description,omitempty"`
}

// Version is what makes a whole state of the collection out of the one before.
type Version struct {
	Name     string
	Put      []Document // that are new or other than before
	Gone     []string   // addresses of those that are not there any more
	Passages int        // of all documents
	Segments []Segment  // all that the index consists of; others are let go
	Parts    []Part     // of them that are new, each whole
	Space    Space
	Jobs     []Job
	Failing  []string // hashes of what could not be made: their jobs stay
	Tiers    []string // whose vectors stay; none for all
	At       time.Time
}

// Part is a part of a segment.
type Part struct {
	Segment string // "" for the space
	Name    string
	Data    []byte
}

// View is one version of a collection, which does not change while it is looked at.
type View interface {
	Version() string
	Documents(ctx context.Context) ([]Document, error) // by address
	// Segments are those of the version, and with all also what no version has yet.
	Segments(ctx context.Context, all bool) ([]Segment, error)
	// Part is one part of a segment, empty where it is not there.
	Part(ctx context.Context, segment, part string) ([]byte, error)
	Space(ctx context.Context) (Space, error)
	Content(ctx context.Context, hash string) (Content, error)
	// Vectors are those of a tier, by content, of all contents or of some; VectorMark changes with them.
	Vectors(ctx context.Context, tier string, contents ...string) (map[string]vectors.Rows, error)
	VectorMark(ctx context.Context, tier string) (string, error)
	// Comparer has the database multiply a vector with those of a tier; nil where it cannot.
	Comparer(ctx context.Context, tier string) (Comparer, error)
}

// Comparer multiplies a vector with those of some contents, or of all for none: the products
// of each are in the order of its passages. Contents of which it has not all are left out.
type Comparer func(ctx context.Context, v []float32, contents []string) (map[string][]float32, error)

// Shelf keeps a collection beyond a process. It is safe for concurrent use, and
// several processes may have one open.
type Shelf interface {
	// View shows the version that is published.
	View(ctx context.Context, see func(View) error) error
	State(ctx context.Context) (State, error)
	Origin(ctx context.Context) (Origin, error)
	// Jobs lists those of a state, the latest first.
	Jobs(ctx context.Context, state string, most int) ([]Job, error)

	// Own makes the caller the only writer until release, or is ErrOwned. The system
	// takes it back when the process ends, however it ends.
	Own(ctx context.Context) (release func(), err error)
	// Tell says how far the owner is, for the State that any process asks for. It may be
	// lost.
	Tell(s Step)
	// Begin says what the collection is made of where that is not known yet.
	Begin(ctx context.Context, o Origin) error
	// Contents are the hashes of what is kept, also of what no version has yet.
	Contents(ctx context.Context) (map[string]bool, error)
	// Content is one of them.
	Content(ctx context.Context, hash string) (Content, error)
	// Keep keeps contents with the jobs that made them, all or nothing, in the place of
	// what was there under the same hash. A job that is there already has one attempt more.
	Keep(ctx context.Context, contents []Content, jobs []Job) error
	// KeepSegment keeps a segment that no version has yet.
	KeepSegment(ctx context.Context, s Segment, parts []Part) error
	// Vectored are the contents that have vectors of a tier, and KeepVectors keeps more.
	Vectored(ctx context.Context, tier string) (map[string]bool, error)
	KeepVectors(ctx context.Context, tier string, of map[string]vectors.Rows) error
	// Publish puts a version in the place of the one before and lets go of contents,
	// jobs and segments that it does not have, all or nothing.
	Publish(ctx context.Context, v Version, o Origin) error
	Close() error
}
