package shared

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// maxID limits the length of an id to look up, in bytes.
const maxID = 64

// ErrUnknown reports that no process shares such a session.
var ErrUnknown = errors.New("this session is unknown or over")

// entry is a session that is shared.
type entry struct {
	id, key string
	busy    chan struct{} // holds one token, taken by the goroutine that writes the session

	// Owned by the holder of the token.
	version int64            // on the shelf, as far as known here
	of      *session.Session // whose memory that version holds; any other session has none of it
	tried   *attempt         // a write whose outcome is unknown

	// Guarded by the Sharer's mu.
	state   json.RawMessage // of the connection, for the process that resumes it
	changed bool            // state is not yet on the shelf
	used    time.Time       // last
	written time.Time       // last
	over    bool            // it is no longer shared
}

// attempt is one write of a session.
type attempt struct {
	stamp string
	of    *session.Session
	fresh session.Fresh
}

// content is the stored form of a session.
type content struct {
	Stamp  string // of the write
	State  json.RawMessage
	Memory session.Memory
}

func (s *Sharer) entryOf(id string) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[id]
}

// add registers a session, or returns the existing entry. It returns nil if the Sharer is closed.
func (s *Sharer) add(id string, state json.RawMessage) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	e := s.sessions[id]
	if e == nil {
		now := time.Now()
		e = &entry{id: id, key: s.secret.shelfName(sessionName, id), busy: make(chan struct{}, 1), state: state, used: now, written: now}
		s.sessions[id] = e
		s.startWriters()
	}
	return e
}

// acquire waits for the token of an entry.
func (e *entry) acquire(ctx context.Context) error {
	select {
	case e.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *entry) release() { <-e.busy }

// Begin shares a new session with the connection state that a process needs to resume it, or records that the state has
// changed. It returns when others can find the session, or when that takes too long: it is written later then.
func (s *Sharer) Begin(ctx context.Context, id string, state json.RawMessage) {
	if s.opt.Settings().Off {
		return
	}
	e := s.add(id, state)
	if e == nil {
		return
	}
	s.mu.Lock()
	e.state, e.changed = state, true
	s.mu.Unlock()
	s.save(ctx, e)
}

// Save writes what a session remembers so far for others to find. It returns when Begin would.
func (s *Sharer) Save(ctx context.Context, id string) {
	if e := s.entryOf(id); e != nil {
		s.save(ctx, e)
	}
}

func (s *Sharer) save(ctx context.Context, e *entry) {
	if s.opt.Settings().Off {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opt.Wait) // the client may disconnect
	defer cancel()
	select {
	case <-s.joinGroup(e):
	case <-ctx.Done():
	}
}

// Refresh takes over what other processes wrote to a session. It returns soon, even if it could not.
func (s *Sharer) Refresh(ctx context.Context, id string) {
	e := s.entryOf(id)
	if e == nil || s.opt.Settings().Off {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.opt.Wait)
	defer cancel()
	if e.acquire(ctx) != nil {
		return
	}
	defer e.release()
	shelf, err := s.open(ctx)
	if err == nil {
		err = s.reload(ctx, shelf, e)
	}
	s.reportError(err)
}

// Resume finds a session that another process began, and returns its connection state. remember receives what the
// session remembers, and may reject it with an error. The error is ErrUnknown if there is none, or says why none can be
// found.
func (s *Sharer) Resume(ctx context.Context, id string, remember func(session.Memory) (*session.Session, error)) (json.RawMessage, error) {
	if s.opt.Settings().Off || len(id) > maxID {
		return nil, ErrUnknown
	}
	ctx, cancel := context.WithTimeout(ctx, 2*s.opt.Wait)
	defer cancel()
	shelf, err := s.open(ctx)
	if errors.Is(err, errOff) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	key := s.secret.shelfName(sessionName, id)
	r, err := shelf.Session(ctx, key, 0)
	if err != nil {
		s.reportError(err)
		return nil, err
	}
	if r.Version == 0 || r.Ended || r.Life <= 0 {
		return nil, ErrUnknown
	}
	c, err := s.contentOf(id, r)
	if err != nil {
		return nil, ErrUnknown
	}
	of, err := remember(c.Memory)
	if err != nil {
		return nil, err
	}
	e := s.add(id, c.State)
	if e == nil {
		return nil, ErrUnknown
	}
	if e.acquire(ctx) != nil {
		return c.State, nil // another request is resuming it too
	}
	defer e.release()
	if e.version == 0 {
		e.version, e.of = r.Version, of
	}
	return c.State, nil
}

// contentOf decodes the content of a record.
func (s *Sharer) contentOf(id string, r Record) (c content, err error) {
	text, err := unseal(s.secret.deriveKey(sessionSeal, id), r.Key, r.Body)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	return c, err
}

// Used notes that a session is in use.
func (s *Sharer) Used(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.sessions[id]; e != nil {
		e.used = time.Now()
	}
}

// Drop forgets a session in this process. Others go on with it.
func (s *Sharer) Drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.sessions[id]; e != nil {
		e.over = true
		delete(s.sessions, id)
	}
}

// End ends a session everywhere, after its client ended it.
func (s *Sharer) End(ctx context.Context, id string) {
	e := s.entryOf(id)
	if e == nil {
		return
	}
	s.Drop(id)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opt.Wait)
	defer cancel()
	if e.acquire(ctx) != nil { // a write in progress has no effect: the session has ended
		return
	}
	defer e.release()
	shelf, err := s.open(ctx)
	if err == nil {
		err = shelf.EndSession(ctx, e.key, s.opt.Settings().Sessions)
	}
	s.reportError(err)
}

// putSessions writes the sessions that have changes.
func (s *Sharer) putSessions(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.opt.Settings().Off {
		return errNothing
	}
	list := s.staleEntries()
	if len(list) == 0 {
		return errNothing
	}
	shelf, err := s.open(ctx)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(list, maxAtOnce) {
		if _, err := s.putAll(ctx, shelf, part); err != nil {
			return err
		}
	}
	return nil
}

// staleEntries returns the sessions with unwritten changes, and those that are in use and would expire.
func (s *Sharer) staleEntries() (list []*entry) {
	quarter := s.opt.Settings().Sessions / 4
	s.mu.Lock()
	all := make([]*entry, 0, len(s.sessions))
	for _, e := range s.sessions {
		if e.changed || e.used.Sub(e.written) > quarter {
			list = append(list, e)
		} else {
			all = append(all, e)
		}
	}
	s.mu.Unlock()
	for _, e := range all {
		if s.isStale(e) {
			list = append(list, e)
		}
	}
	return list
}

// putAll writes sessions in one transaction, then one by one those that another process has changed too. It does not
// wait for sessions that are being read or written now, and returns them.
func (s *Sharer) putAll(ctx context.Context, shelf Shelf, list []*entry) (busy []*entry, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	var held []*entry
	var writes []*write
	var rows []Record
	defer func() {
		for _, e := range held {
			e.release()
		}
	}()
	var hard []*entry
	for _, e := range list {
		select {
		case e.busy <- struct{}{}:
			held = append(held, e)
		default:
			busy = append(busy, e)
			continue
		}
		if w := s.prepare(e); w != nil {
			writes, rows = append(writes, w), append(rows, w.row)
		} else {
			hard = append(hard, e)
		}
	}
	if len(rows) > 0 {
		moved, err := shelf.PutSessions(ctx, rows)
		if err != nil {
			return nil, err
		}
		others := map[string]bool{}
		for _, key := range moved {
			others[key] = true
		}
		for _, w := range writes {
			if others[w.e.key] {
				w.e.tried = nil // it was refused
				hard = append(hard, w.e)
			} else {
				s.confirmWrite(w)
			}
		}
	}
	for _, e := range hard {
		if err := s.mergeAndWrite(ctx, shelf, e, true); err != nil {
			return nil, err
		}
	}
	return busy, nil
}

// write is a pending write of a session.
type write struct {
	e     *entry
	of    *session.Session
	state json.RawMessage
	fresh session.Fresh
	used  time.Time
	row   Record
}

// prepare makes a session ready to be written over the version that is known here. It returns nil if the known version
// is uncertain or there is nothing to write. The entry is held.
func (s *Sharer) prepare(e *entry) *write {
	of := s.opt.Sessions(e.id)
	s.mu.Lock()
	w := &write{e: e, of: of, state: e.state, used: e.used}
	over := e.over
	s.mu.Unlock()
	if over || of == nil || e.tried != nil || e.version > 0 && e.of != of {
		return nil
	}
	c := content{Stamp: rand.Text(), State: w.state}
	c.Memory, w.fresh = of.Remember()
	text, err := json.Marshal(c)
	if err != nil {
		return nil
	}
	w.row = Record{Key: e.key, Version: e.version, Life: s.opt.Settings().Sessions}
	if w.row.Body, err = seal(s.secret.deriveKey(sessionSeal, e.id), e.key, text); err != nil {
		return nil
	}
	e.tried = &attempt{c.Stamp, of, w.fresh}
	return w
}

// confirmWrite records that a write has succeeded. The entry is held.
func (s *Sharer) confirmWrite(w *write) {
	e := w.e
	e.version++
	e.of, e.tried = w.of, nil
	w.of.Kept(w.fresh)
	s.mu.Lock()
	defer s.mu.Unlock()
	e.written = time.Now()
	if string(e.state) == string(w.state) {
		e.changed = false
	}
}

// mergeAndWrite writes a session on top of what another process has written meanwhile. The entry is held.
func (s *Sharer) mergeAndWrite(ctx context.Context, shelf Shelf, e *entry, must bool) error {
	for range maxTries {
		if must || e.tried != nil || e.version > 0 && e.of != s.opt.Sessions(e.id) {
			if err := s.reload(ctx, shelf, e); err != nil {
				return err
			}
		}
		w := s.prepare(e)
		if w == nil {
			return nil
		}
		moved, err := shelf.PutSessions(ctx, []Record{w.row})
		if err != nil {
			return err
		}
		if len(moved) == 0 {
			s.confirmWrite(w)
			return nil
		}
		e.tried, must = nil, true
	}
	return nil // the next flush tries again
}

// reload takes over what the shelf has of a session. The entry is held.
func (s *Sharer) reload(ctx context.Context, shelf Shelf, e *entry) error {
	of := s.opt.Sessions(e.id)
	known := e.version
	if of == nil {
		return nil
	}
	if e.of != of || e.tried != nil {
		known = 0
	}
	r, err := shelf.Session(ctx, e.key, known)
	switch {
	case err != nil:
		return err
	case r.Ended:
		s.Drop(e.id)
		go s.opt.Ended(e.id) // asynchronous, because Ended may call back into the caller
		return nil
	case r.Version == 0 && e.version > 0: // it was deleted from the shelf
		of.Clear()
		e.version, e.of, e.tried = 0, of, nil
		return nil
	case r.Version == 0 || r.Version == known:
		e.tried = nil
		return nil
	}
	c, err := s.contentOf(e.id, r)
	if err != nil {
		return err
	}
	if e.tried != nil && e.tried.stamp == c.Stamp && e.tried.of == of { // the write succeeded, but its answer was lost
		of.Kept(e.tried.fresh)
	}
	of.Merge(c.Memory)
	e.version, e.of, e.tried = r.Version, of, nil
	s.mu.Lock()
	defer s.mu.Unlock()
	if !e.changed {
		e.state = c.State
	}
	return nil
}
