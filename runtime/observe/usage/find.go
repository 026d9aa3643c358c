package usage

import (
	"context"
	"errors"
	"time"
)

// ErrNoSession says that no session is kept under an id.
var ErrNoSession = errors.New("no session is kept under this id")

// Place is where a session stands among all, by its beginning. The zero Place is behind
// the newest.
type Place struct {
	At time.Time
	ID string
}

// Place is that of the session, to the millisecond that is kept.
func (s Session) Place() Place { return Place{s.Started.UTC().Truncate(time.Millisecond), s.ID} }

// Before reports whether a place is that of an older session.
func (p Place) Before(other Place) bool {
	if c := p.At.Compare(other.At); c != 0 {
		return c < 0
	}
	return p.ID < other.ID
}

// ToolUse is how sessions used one tool.
type ToolUse struct {
	Sessions, Shown, Used, ShownUsed int // all; those listed it; those that called it; both
	Calls, Failed, Hidden            int
	First, Last                      time.Time       // call; zero where there is none
	Took                             []time.Duration // of each call
}

// Newest gives what is kept, what waits included: see Log.Newest.
func (t *Tracker) Newest(ctx context.Context, before Place, most int, do func(Session, []Call) error) error {
	log, err := t.flushed(ctx)
	if err != nil {
		return err
	}
	return log.Newest(ctx, before, most, do)
}

// Catalog gives the tools that there were for a session: see Log.Catalog.
func (t *Tracker) Catalog(ctx context.Context, id string) ([]string, error) {
	log, err := t.flushed(ctx)
	if err != nil {
		return nil, err
	}
	return log.Catalog(ctx, id)
}

// Session gives one session with its calls, what waits included. An open one that called
// nothing yet is found too.
func (t *Tracker) Session(ctx context.Context, id string) (Session, []Call, error) {
	log, err := t.flushed(ctx)
	if err != nil {
		return Session{}, nil, err
	}
	s, calls, err := log.Session(ctx, id)
	if errors.Is(err, ErrNoSession) {
		for _, open := range t.Open() {
			if open.ID == id {
				return open, nil, nil
			}
		}
	}
	return s, calls, err
}

// ToolUse gives how a tool was used, what waits included: see Log.ToolUse.
func (t *Tracker) ToolUse(ctx context.Context, server, tool string, profile *string) (ToolUse, error) {
	log, err := t.flushed(ctx)
	if err != nil {
		return ToolUse{}, err
	}
	return log.ToolUse(ctx, server, tool, profile)
}
