package service

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
)

// Share has sessions over HTTP and long results found by other processes, and finds theirs. end writes what waits.
func (s *Service) Share(opt shared.Options) (end func() error) {
	opt.Sessions, opt.Ended = s.sessions.Get, s.endedElsewhere
	sharer := shared.New(opt)
	s.sharer.Store(sharer)
	s.gateway.Share(resultShelf{sharer})
	return sharer.Close
}

// endedElsewhere tells that the client of a session has ended it, at another process.
func (s *Service) endedElsewhere(id string) {
	if fn := s.ended.Load(); fn != nil {
		(*fn)(id)
	}
}

// OnEnded registers who is told of sessions that their clients ended at another process.
func (b Backend) OnEnded(ended func(session string)) (stop func()) {
	b.ended.Store(&ended)
	return func() { b.ended.CompareAndSwap(&ended, nil) }
}

// ShareSession has a session found by other processes, with the state of its connection.
func (b Backend) ShareSession(ctx context.Context, s server.Session, state json.RawMessage) {
	if sh := b.sharer.Load(); sh != nil {
		b.session(s.ID, s.Client, s.Stateless)
		sh.Begin(ctx, s.ID, state)
	}
}

// ResumeSession goes on with a session that another process began, and gives the state of its connection.
func (b Backend) ResumeSession(ctx context.Context, id string) (json.RawMessage, error) {
	sh := b.sharer.Load()
	if sh == nil {
		return nil, nil
	}
	state, err := sh.Resume(ctx, id, func(m session.Memory) (*session.Session, error) {
		sess := b.opened(id)
		sess.Merge(m)
		return sess, nil
	})
	if errors.Is(err, shared.ErrUnknown) {
		return nil, nil
	}
	return state, err
}

// RefreshSession takes over what other processes know of a session.
func (b Backend) RefreshSession(ctx context.Context, id string) {
	if sh := b.sharer.Load(); sh != nil && b.Chooses() {
		b.opened(id) // it may have made room for others
		sh.Refresh(ctx, id)
	}
}

// opened is a session as it is known here. One that is not knows nothing yet, not its profile either: opening one that is
// would take its profile away.
func (b Backend) opened(id string) *session.Session {
	if sess := b.sessions.Get(id); sess != nil {
		return sess
	}
	return b.sessions.Open(session.Who{ID: id})
}

// ShownTo are the names of the tools that a session was last listed; nil where it was listed none.
func (b Backend) ShownTo(id string) []string {
	if sess := b.sessions.Get(id); sess != nil {
		return sess.Listed()
	}
	return nil
}

// SessionUsed notes that a session is in use.
func (b Backend) SessionUsed(id string) {
	if sh := b.sharer.Load(); sh != nil {
		sh.Used(id)
	}
}

// EndSession ends a session that its client ended, at all processes.
func (b Backend) EndSession(ctx context.Context, id string) {
	if sh := b.sharer.Load(); sh != nil {
		sh.End(ctx, id)
	}
}

// listedNow has others find the list that a session was shown, before it leaves: what its model has in its prompt does not
// change when the client goes on elsewhere.
func (s *Service) listedNow(id string) {
	if sh := s.sharer.Load(); sh != nil {
		sh.Save(context.Background(), id)
	}
}

// resultShelf is a Sharer as a shelf of long results.
type resultShelf struct{ *shared.Sharer }

// head is what is shared of a result beside its text.
type head struct {
	Server, Tool   string
	OriginalTokens int
	At             time.Time
}

// Put shares a result.
func (r resultShelf) Put(session string, k pages.Kept) {
	text, err := json.Marshal(head{k.Server, k.Tool, k.OriginalTokens, k.At})
	if err == nil {
		r.PutResult(session, k.ID, text, k.Original)
	}
}

// Get finds one that another process shared.
func (r resultShelf) Get(ctx context.Context, session, id string) (pages.Kept, bool) {
	text, original, ok := r.Result(ctx, session, id)
	var h head
	if !ok || json.Unmarshal(text, &h) != nil {
		return pages.Kept{}, false
	}
	return pages.Kept{ID: id, Server: h.Server, Tool: h.Tool, OriginalTokens: h.OriginalTokens, At: h.At, Original: original}, true
}
