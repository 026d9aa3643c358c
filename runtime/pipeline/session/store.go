package session

import (
	"container/list"
	"sync"
	"time"
)

// Store keeps sessions. The one unused for longest makes room for a new one, and sessions
// not used for a while are forgotten. It is safe for concurrent use.
type Store struct {
	max  int
	mu   sync.Mutex
	byID map[string]*list.Element
	last *list.List // of kept, latest used first
}

type kept struct {
	*Session
	used time.Time
}

// NewStore returns an empty store.
func NewStore() *Store { return newStore(maxSessions) }

func newStore(most int) *Store {
	return &Store{max: most, byID: map[string]*list.Element{}, last: list.New()}
}

// Open returns the session of a client, or a new one if it is not known. The session of a
// stand-alone request is always new and not kept.
func (s *Store) Open(w Who) *Session {
	if w.ID == "" {
		return New(w)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.expire(now)
	at := s.byID[w.ID]
	if at == nil {
		if s.last.Len() >= s.max {
			s.drop(s.last.Back())
		}
		at = s.last.PushFront(&kept{Session: &Session{id: w.ID}})
		s.byID[w.ID] = at
	}
	s.last.MoveToFront(at)
	k := at.Value.(*kept)
	k.used = now
	k.updateClient(w)
	return k.Session
}

// Get returns a session that is kept, or nil. It does not count as a use.
func (s *Store) Get(id string) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire(time.Now())
	if at := s.byID[id]; at != nil {
		return at.Value.(*kept).Session
	}
	return nil
}

// End forgets a session, even if calls of it are still running.
func (s *Store) End(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.byID[id]; at != nil {
		s.drop(at)
	}
}

// Len returns the number of sessions that are kept.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire(time.Now())
	return s.last.Len()
}

// expire drops the sessions that have expired, which are last in the list. mu is held.
func (s *Store) expire(now time.Time) {
	for at := s.last.Back(); at != nil && now.Sub(at.Value.(*kept).used) > idleTime; at = s.last.Back() {
		s.drop(at)
	}
}

func (s *Store) drop(at *list.Element) {
	k := s.last.Remove(at).(*kept)
	delete(s.byID, k.id)
	k.forget()
}
