package notes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Source is the name of the collection that pins are reported to be of.
const Source = "notes"

// idPrefix begins the id of a pin, and no id of a document or a passage. It is not "pin-": the text
// after that word is masked as a number that opens something.
const idPrefix = "note-"

// idDigits is the number of hexadecimal digits of an id.
const idDigits = 12

// Pin is a quote of a document with a user's note on it.
type Pin struct {
	ID         string    `json:"id"`
	Owner      Owner     `json:"owner"`
	Collection string    `json:"collection"`
	Home       string    `json:"-"`   // tells collections of one name apart
	URI        string    `json:"uri"` // of the document
	Version    string    `json:"version"`
	Title      string    `json:"title,omitempty"`
	Section    []string  `json:"section,omitempty"`
	Start      int       `json:"start"` // of the quote in that version, in bytes
	End        int       `json:"end"`
	Quote      string    `json:"quote"`
	Note       string    `json:"note,omitempty"`
	Tags       []string  `json:"tags,omitempty"`
	At         time.Time `json:"at"`
}

// Owner is the owner of a pin.
type Owner struct {
	User   string `json:"user"`             // of the system
	Client string `json:"client,omitempty"` // "" for all clients of the user
}

// Sees reports whether a pin of another owner is shown to this one.
func (o Owner) Sees(other Owner) bool {
	return o.User == other.User && (o.Client == "" || other.Client == "" || o.Client == other.Client)
}

// Policy limits the pins that are stored.
type Policy struct {
	Most  int           // maximum pins of an owner
	Bytes int           // of a quote, and of its note
	Keep  time.Duration // 0 for no limit
}

// Limits of the tags of a pin.
const (
	maxTags = 8
	longTag = 40 // characters
)

// Errors of a Book and of Notes.
var (
	ErrFull    = errors.New("no more pins are kept")
	ErrUnknown = errors.New("there is no such pin")
	ErrNowhere = errors.New("nothing is kept, so no pin is: store.url of the configuration says where")
)

// Book stores pins beyond the life of a process. It is safe for concurrent use, and several
// processes may have one open.
type Book interface {
	// PutNote stores a pin in place of the one with its id, deletes the pins of its owner from
	// before since, and returns ErrFull if the owner's pins have already reached most.
	PutNote(ctx context.Context, p Pin, most int, since time.Time) error
	// Notes lists the pins that an owner sees, the latest first, without those from before since.
	Notes(ctx context.Context, of Owner, since time.Time) ([]Pin, error)
	// DropNote deletes a pin that an owner sees, and reports whether there was one.
	DropNote(ctx context.Context, of Owner, id string) (bool, error)
}

// idOf returns the id of a pin: the same quote of a document is pinned once.
func idOf(p Pin) string {
	h := sha256.New()
	for _, part := range []string{p.Owner.User, p.Owner.Client, p.Home, p.URI, p.Quote} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return idPrefix + hex.EncodeToString(h.Sum(nil))[:idDigits]
}
