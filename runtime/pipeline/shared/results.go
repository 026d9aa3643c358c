package shared

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// waiting is a result to be written.
type waiting struct {
	session, id    string
	head, original []byte
}

func (w waiting) same(other waiting) bool { return w.session == other.session && w.id == other.id }

func (w waiting) size() int64 { return int64(len(w.head) + len(w.original)) }

// PutResult schedules a result to be written for other processes. It never blocks, and keeps both slices: they may not
// change. It ignores a session that is not shared, as no process could look for its results; "" is the stateless era.
func (s *Sharer) PutResult(session, id string, head, original []byte) {
	if s.opt.Settings().Off {
		return
	}
	w := waiting{session, id, head, original}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || session != "" && s.sessions[session] == nil {
		return
	}
	if at := slices.IndexFunc(s.results, w.same); at >= 0 {
		s.bytes -= s.results[at].size()
		s.results = slices.Delete(s.results, at, at+1)
	}
	if w.size() > maxResult || !s.makeRoom(w.size()) {
		s.countDropped()
		return
	}
	s.results, s.bytes = append(s.results, w), s.bytes+w.size()
	s.startWriters()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// makeRoom drops the oldest pending results as needed. It reports whether there is room now: results being written
// count too. mu is held.
func (s *Sharer) makeRoom(size int64) bool {
	for s.bytes+size > maxWaiting && len(s.results) > 0 {
		s.bytes -= s.results[0].size()
		s.results = slices.Delete(s.results, 0, 1)
		s.countDropped()
	}
	return s.bytes+size <= maxWaiting
}

// countDropped counts a result that is not shared. mu is held.
func (s *Sharer) countDropped() { s.dropped, s.unsaid = s.dropped+1, s.unsaid+1 }

// putResults writes the pending results.
func (s *Sharer) putResults(ctx context.Context) error {
	s.handing.Lock()
	defer s.handing.Unlock()
	part := s.takeBatch()
	if len(part) == 0 {
		return errNothing
	}
	for ; len(part) > 0; part = s.takeBatch() {
		shelf, err := s.open(ctx)
		if err == nil {
			err = s.putPart(ctx, shelf, part)
		}
		s.finishBatch(part, err)
		if err != nil {
			return err
		}
	}
	return nil
}

// takeBatch takes the results of one transaction. They count as pending until finishBatch is called.
func (s *Sharer) takeBatch() []waiting {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, size := 0, int64(0)
	for n < min(len(s.results), maxAtOnce) && (n == 0 || size+s.results[n].size() <= maxBytes) {
		size += s.results[n].size()
		n++
	}
	part := slices.Clone(s.results[:n])
	s.results = slices.Delete(s.results, 0, n)
	return part
}

// finishBatch ends what takeBatch began. Results that failed are pending again, in front, unless put again meanwhile.
func (s *Sharer) finishBatch(part []waiting, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := part[:0:0]
	for _, w := range part {
		if err != nil && !errors.Is(err, errOff) && !slices.ContainsFunc(s.results, w.same) {
			again = append(again, w)
		} else {
			s.bytes -= w.size()
		}
	}
	s.results = append(again, s.results...)
}

func (s *Sharer) putPart(ctx context.Context, shelf Shelf, part []waiting) error {
	rows := make([]Result, 0, len(part))
	for _, w := range part {
		row, err := s.sealResult(w)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return shelf.PutResults(ctx, rows)
}

// sealResult returns the stored form of a result: the length of the first text, then both texts with no separator.
func (s *Sharer) sealResult(w waiting) (r Result, err error) {
	r = Result{Key: s.secret.shelfName(resultName, w.session, w.id), Life: s.opt.Settings().Results}
	if w.session != "" {
		r.Session = s.secret.shelfName(sessionName, w.session)
	}
	r.Body, err = seal(s.secret.deriveKey(resultSeal, w.session, w.id), r.Key, binary.AppendUvarint(nil, uint64(len(w.head))), w.head, w.original)
	return r, err
}

// lags are the delays before each look for a result that another process may be about to write.
var lags = []time.Duration{0, 50 * time.Millisecond, 150 * time.Millisecond, 500 * time.Millisecond}

// Result finds a result that another process kept for a session.
func (s *Sharer) Result(ctx context.Context, session, id string) (head, original []byte, ok bool) {
	set := s.opt.Settings()
	if set.Off || id == "" || len(id) > maxID || session != "" && !s.knowsSession(session) {
		return nil, nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, s.opt.Wait)
	defer cancel()
	shelf, err := s.open(ctx)
	if err != nil {
		return nil, nil, false
	}
	name := s.secret.shelfName(resultName, session, id)
	for _, lag := range lags {
		if pause(ctx, lag) != nil {
			return nil, nil, false
		}
		body, err := shelf.Result(ctx, name, set.Results)
		if err != nil {
			s.reportError(err)
			return nil, nil, false
		}
		if body == nil {
			continue
		}
		text, err := unseal(s.secret.deriveKey(resultSeal, session, id), name, body)
		if err != nil {
			return nil, nil, false
		}
		n, width := binary.Uvarint(text)
		if width <= 0 || n > uint64(len(text)-width) {
			return nil, nil, false
		}
		text = text[width:]
		return text[:n], text[n:], true
	}
	return nil, nil, false
}

// pause waits for d, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Sharer) knowsSession(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session] != nil
}
