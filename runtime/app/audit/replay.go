// Package audit compares what answers from documents cite, as the timeline has it, with the documents as they were last
// indexed.
package audit

import (
	"context"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// State says what became of a cited quote.
type State string

// The states.
const (
	Stands  State = "stands"  // at the same bytes
	Moved   State = "moved"   // at other bytes of the document as it is now
	Changed State = "changed" // the document does not say it any more
	Gone    State = "gone"    // its collection does not have the document any more
	Unread  State = "unread"  // its collection cannot be read, or is not known here
	Unknown State = "unknown" // the document has changed, and the record has no digest to look for
)

// Holds reports whether the document still says it.
func (s State) Holds() bool { return s == Stands || s == Moved }

// Lost reports whether the document does not say it any more.
func (s State) Lost() bool { return s == Changed || s == Gone }

// Standing is a citation compared with its document as it is now.
type Standing struct {
	timeline.Citation
	State   State  `json:"state"`
	URI     string `json:"uri,omitempty"`
	Now     *Place `json:"now,omitempty"` // of a quote that holds
	Quote   string `json:"quote,omitempty"`
	Because string `json:"because,omitempty"` // why it is unread
}

// Place is a place in the current version of a document.
type Place struct {
	Version string `json:"version"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
}

// Replay compares the citations of an answer with the documents of collections as they were last indexed. Its error is
// that of the context.
func Replay(ctx context.Context, in []library.Member, a timeline.Answer) ([]Standing, error) {
	out := []Standing{}
	for _, c := range a.Citations {
		at, err := lookUp(ctx, c, in)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out = append(out, standIn(c, at, err))
	}
	return out, nil
}

// errElsewhere says that a collection is not among those that were given.
var errElsewhere = errors.New("no collection here has the directories that it was in: it is another machine's, or they were changed")

// lookUp finds the document of a citation: in the collection of its record or, if that names none, in the one that has
// the version that was cited, or else in any. The error is library.ErrUnknown if none has it, although all can be read.
func lookUp(ctx context.Context, c timeline.Citation, in []library.Member) (found library.Looked, err error) {
	known, home, unread := false, c.Home == "", error(nil)
	for _, m := range in {
		if c.Home != "" && m.Home != c.Home {
			continue
		}
		home = true
		var at library.Looked
		l, err := m.Open(ctx)
		if err == nil {
			at, err = l.LookUp(ctx, c.Passage)
		}
		switch {
		case errors.Is(err, library.ErrUnknown):
		case err != nil:
			unread = err
		case at.Version == c.Version:
			return at, nil
		case !known:
			found, known = at, true
		}
	}
	switch {
	case known:
		return found, nil
	case unread != nil:
		return found, unread
	case !home:
		return found, errElsewhere
	}
	return found, library.ErrUnknown
}

// standIn compares a citation with its document, or with the error of looking it up.
func standIn(c timeline.Citation, at library.Looked, err error) Standing {
	s := Standing{Citation: c, URI: at.URI}
	switch {
	case errors.Is(err, library.ErrUnknown):
		s.State = Gone
		return s
	case err != nil:
		s.State, s.Because = Unread, err.Error()
		return s
	}
	size, start := c.End-c.Start, c.Start
	switch {
	case c.Digest == "" && at.Version != c.Version:
		s.State = Unknown
	case c.Digest == "" && size > 0 && c.End <= len(at.Text):
		s.State = Stands
	default:
		s.State = Changed
		if found, ok := answer.FindQuote(at.Text, c.Digest, size, c.Start); ok && found == c.Start {
			s.State = Stands
		} else if ok {
			s.State, start = Moved, found
		}
	}
	if s.State.Holds() {
		s.Now, s.Quote = &Place{at.Version, start, start + size}, at.Text[start:start+size]
	}
	return s
}
