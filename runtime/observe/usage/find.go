package usage

import (
	"context"
	"errors"
	"time"
)

// ErrNoSession reports that no session is kept under an id.
var ErrNoSession = errors.New("no session is kept under this id")

// Place is the position of a session among all, ordered by beginning. The zero Place is after the newest.
type Place struct {
	At time.Time
	ID string
}

// Place returns the position of the session, to the millisecond that is kept.
func (s Session) Place() Place { return Place{s.Started.UTC().Truncate(time.Millisecond), s.ID} }

// Before reports whether p is the place of an older session.
func (p Place) Before(other Place) bool {
	if c := p.At.Compare(other.At); c != 0 {
		return c < 0
	}
	return p.ID < other.ID
}

// ToolUse describes how sessions used one tool.
type ToolUse struct {
	Sessions, Shown, Used, ShownUsed int // all; those that listed it; those that called it; both
	Calls, Failed, Hidden            int
	First, Last                      time.Time       // times of calls; zero if there are none
	Took                             []time.Duration // duration of each call
}

// Newest returns what is kept, including pending data: see Log.Newest.
func (t *Tracker) Newest(ctx context.Context, before Place, most int, do func(Session, []Call) error) error {
	log, err := t.flushedLog(ctx)
	if err != nil {
		return err
	}
	return log.Newest(ctx, before, most, do)
}

// Catalog returns the tools that were available to a session: see Log.Catalog.
func (t *Tracker) Catalog(ctx context.Context, id string) ([]string, error) {
	log, err := t.flushedLog(ctx)
	if err != nil {
		return nil, err
	}
	return log.Catalog(ctx, id)
}

// Session returns one session with its calls, including pending data. It also finds an
// open session without calls.
func (t *Tracker) Session(ctx context.Context, id string) (Session, []Call, error) {
	log, err := t.flushedLog(ctx)
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

// ToolUse returns how a tool was used, including pending data: see Log.ToolUse.
func (t *Tracker) ToolUse(ctx context.Context, server, tool string, profile *string) (ToolUse, error) {
	log, err := t.flushedLog(ctx)
	if err != nil {
		return ToolUse{}, err
	}
	return log.ToolUse(ctx, server, tool, profile)
}
