package notes

import (
	"context"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// State says what became of a pin's quote.
type State string

// The states.
const (
	Stands State = "stands" // where it was pinned, or at another byte of the document as it is now
	Stale  State = "stale"  // the document exists and does not say it any more
	Gone   State = "gone"   // the document does not exist any more, either
	Unread State = "unread" // the collection cannot be read now
)

// Standing is a pin compared with its document as it is now.
type Standing struct {
	Pin                   // with the current place and version, if the quote stands
	State  State          // what became of it
	Moved  bool           // the document changed since it was pinned
	Now    library.Looked // the document; zero if it does not exist
	Quoted bool           // Quote may be shown as what the document says
}

// Stand compares pins with their documents, each of which is read once.
func (n *Notes) Stand(ctx context.Context, list []Pin) ([]Standing, error) {
	type read struct {
		at  library.Looked
		err error
	}
	known := map[string]read{}
	out := make([]Standing, len(list))
	for i, p := range list {
		key := p.Home + "\x00" + p.URI
		r, seen := known[key]
		if !seen {
			r.at, r.err = n.Documents.LookUpIn(ctx, p.Collection, p.URI)
			known[key] = r
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = standingOf(p, r.at, r.err)
	}
	return out, nil
}

func standingOf(p Pin, at library.Looked, err error) Standing {
	s := Standing{Pin: p, Now: at}
	switch {
	case errors.Is(err, library.ErrUnknown):
		s.State = Gone
		return s
	case err != nil:
		s.State = Unread
		return s
	}
	s.Moved = at.Version != p.Version
	if p.Start >= 0 && p.End <= len(at.Text) && p.Start < p.End && at.Text[p.Start:p.End] == p.Quote {
		s.State, s.Quoted, s.Version = Stands, true, at.Version
		return s
	}
	start, end, ok := findQuote(at.Text, p.Quote, p.Start)
	if !ok {
		s.State = Stale
		return s
	}
	s.State, s.Quoted, s.Version = Stands, true, at.Version
	s.Start, s.End, s.Quote = start, end, at.Text[start:end]
	return s
}
