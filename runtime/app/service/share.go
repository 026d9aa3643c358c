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

// Share makes HTTP sessions and long results available to other processes, and uses theirs. end writes pending data.
func (s *Service) Share(opt shared.Options) (end func() error) {
	opt.Sessions, opt.Ended = s.sessions.Get, s.endedElsewhere
	sharer := shared.New(opt)
	s.sharer.Store(sharer)
	s.gateway.Share(resultShelf{sharer})
	return sharer.Close
}

// endedElsewhere reports that the client of a session has ended it through another process.
func (s *Service) endedElsewhere(id string) {
	if fn := s.ended.Load(); fn != nil {
		(*fn)(id)
	}
}

// OnEnded registers the callback for sessions that their clients ended through another process.
func (b Backend) OnEnded(ended func(session string)) (stop func()) {
	b.ended.Store(&ended)
	return func() { b.ended.CompareAndSwap(&ended, nil) }
}

// Sharer returns b: instances of compactor that share a store serve the same sessions.
func (b Backend) Sharer() server.SessionSharer { return b }

// ShareSession makes a session available to other processes, with the state of its connection.
func (b Backend) ShareSession(ctx context.Context, s server.Session, state json.RawMessage) {
	if sh := b.sharer.Load(); sh != nil {
		b.openSession(s.ID, s.Client, s.Stateless)
		sh.Begin(ctx, s.ID, state)
	}
}

// ResumeSession continues a session of another process, and returns its connection state; nil if it is unknown.
func (b Backend) ResumeSession(ctx context.Context, id string) (json.RawMessage, error) {
	sh := b.sharer.Load()
	if sh == nil {
		return nil, nil
	}
	state, err := sh.Resume(ctx, id, func(m session.Memory) (*session.Session, error) {
		sess := b.openKnown(id)
		sess.Merge(m)
		return sess, nil
	})
	if errors.Is(err, shared.ErrUnknown) {
		return nil, nil
	}
	return state, err
}

// RefreshSession merges what other processes know of a session.
func (b Backend) RefreshSession(ctx context.Context, id string) {
	if sh := b.sharer.Load(); sh != nil && b.Chooses() {
		b.openKnown(id) // it may have been evicted
		sh.Refresh(ctx, id)
	}
}

// openKnown returns the session as known here. An unknown one is created without a profile; it must not be reopened if
// it is known, because that would clear its profile.
func (b Backend) openKnown(id string) *session.Session {
	if sess := b.sessions.Get(id); sess != nil {
		return sess
	}
	return b.sessions.Open(session.Who{ID: id})
}

// ShownTo returns the names of the tools that a session was last listed, or nil if it was listed none.
func (b Backend) ShownTo(id string) []string {
	if sess := b.sessions.Get(id); sess != nil {
		return sess.Listed()
	}
	return nil
}

// SessionUsed marks a session as in use.
func (b Backend) SessionUsed(id string) {
	if sh := b.sharer.Load(); sh != nil {
		sh.Used(id)
	}
}

// EndSession ends a session at all processes, after its client has ended it.
func (b Backend) EndSession(ctx context.Context, id string) {
	if sh := b.sharer.Load(); sh != nil {
		sh.End(ctx, id)
	}
}

// listedNow shares the list that a session was shown, before it is sent: the list stays
// in the model's prompt even if the client continues at another process.
func (s *Service) listedNow(id string) {
	if sh := s.sharer.Load(); sh != nil {
		sh.Save(context.Background(), id)
	}
}

// resultShelf adapts a Sharer to a shelf of long results.
type resultShelf struct{ *shared.Sharer }

// head holds what is shared of a result in addition to its text.
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

// Get returns a result that another process shared.
func (r resultShelf) Get(ctx context.Context, session, id string) (pages.Kept, bool) {
	text, original, ok := r.Result(ctx, session, id)
	var h head
	if !ok || json.Unmarshal(text, &h) != nil {
		return pages.Kept{}, false
	}
	return pages.Kept{ID: id, Server: h.Server, Tool: h.Tool, OriginalTokens: h.OriginalTokens, At: h.At, Original: original}, true
}
