package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// startWriter starts the writer once. mu is held.
func (t *Tracker) startWriter() {
	t.once.Do(func() { go t.writePeriodically() })
}

func (t *Tracker) writePeriodically() {
	defer close(t.done)
	tick, purge := time.NewTicker(writeEvery), time.NewTicker(purgeEvery)
	defer tick.Stop()
	defer purge.Stop()
	t.writeFirst()
	for {
		select {
		case <-tick.C:
			_ = t.Flush(context.Background())
			t.tellKilled()
			t.refreshMarks()
		case <-purge.C:
			t.purge()
		case <-t.stop:
			return
		}
	}
}

// writeFirst writes existing data at once, so that this run is known if it is killed soon,
// reports earlier runs that were killed, and deletes old data.
func (t *Tracker) writeFirst() {
	_ = t.Flush(context.Background()) // a failure has been reported
	t.tellKilled()
	t.purge()
}

// openOnce returns the log, opened once; nil if nothing is kept. writing is held.
func (t *Tracker) openOnce(ctx context.Context) Log {
	if t.opened {
		return t.log
	}
	ctx = context.WithoutCancel(ctx) // the caller may give up, and the log is for all
	log, err := t.early, error(nil)
	if log == nil {
		log, err = t.opt.Open(ctx)
	}
	if err == nil && log != nil {
		var salt []byte
		if salt, err = log.Salt(ctx); err == nil {
			t.salt.Store(&salt)
			t.run.Process = t.processID()
		}
	}
	t.broken.Store(&err)
	if isTemporary(err) { // data is queued meanwhile
		t.early = log
		t.reportFailure(err)
		return nil
	}
	t.opened, t.early = true, nil
	if err != nil {
		if log != nil {
			_ = log.Close()
		}
		t.opt.Say(t.Broken().Error())
		return nil
	}
	if t.log = log; log != nil {
		_ = t.readMarks(ctx) // read again soon
	}
	return t.log
}

// isTemporary reports whether an error of a log may pass, such as an unreachable server.
func isTemporary(err error) bool {
	var passing interface{ Temporary() bool }
	return errors.As(err, &passing) && passing.Temporary()
}

func (t *Tracker) purge() {
	t.writing.Lock()
	defer t.writing.Unlock()
	k := t.opt.Settings().Keeping
	if t.log == nil || k.For <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	if err := t.log.Purge(ctx, t.opt.Now().Add(-k.For), k.Calls); err != nil {
		t.opt.Say("old records of the use of tools stay: " + err.Error())
	}
}

// Flush writes pending data, and returns when it is kept. What cannot be written is
// pending again, as far as there is room.
func (t *Tracker) Flush(ctx context.Context) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	now := t.opt.Now().UTC() // taken before the batch, which includes everything up to then
	calls, sessions := t.takePending()
	if len(calls) == 0 && len(sessions) == 0 && !t.isOverdue(now) {
		return nil
	}
	log := t.openOnce(ctx)
	if log == nil {
		if !t.opened {
			t.putBack(calls, sessions)
		}
		return nil
	}
	for at := 0; ; { // in parts, so that each can be written within its time limit
		end := min(at+maxAtOnce, len(calls))
		part := sessions
		if at > 0 { // each call comes with its session, for readers of this batch alone
			part = sessionsOf(calls[at:end], sessions)
		}
		b := Batch{Calls: t.digestCalls(calls[at:end]), Run: t.run, Sessions: t.storedSessions(part), Catalogs: catalogsOf(part)}
		if end == len(calls) || t.run.Written.IsZero() {
			b.Run.Written = now
		}
		if err := t.append(ctx, log, b); err != nil {
			t.putBack(calls[at:], sessions)
			t.reportFailure(err)
			return err
		}
		if at = end; at == len(calls) {
			break
		}
	}
	if t.run.Written = now; t.failing {
		t.reportRecovery()
	} else {
		t.tellLost()
	}
	return nil
}

func (t *Tracker) append(ctx context.Context, log Log, b Batch) error {
	t.batches++
	b.Number = t.batches
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return log.Append(ctx, b)
}

// sessionsOf returns the sessions of calls.
func sessionsOf(calls []waiting, all []open) (out []open) {
	ids := map[string]bool{}
	for _, c := range calls {
		ids[c.Session] = true
	}
	for _, s := range all {
		if ids[s.ID] {
			out = append(out, s)
		}
	}
	return out
}

// catalogsOf returns the catalogs of sessions, each once. They are written with each batch: a purge may have deleted
// one written earlier.
func catalogsOf(sessions []open) (out []Catalog) {
	seen := map[string]bool{"": true}
	for _, s := range sessions {
		if !seen[s.Catalog] {
			seen[s.Catalog] = true
			out = append(out, *s.all)
		}
	}
	return out
}

// isOverdue reports whether a run that has written before must report that it is still
// running, or that it ends. writing is held.
func (t *Tracker) isOverdue(now time.Time) bool {
	return !t.run.Written.IsZero() && (now.Sub(t.run.Written) >= heartbeat || !t.run.Ended.IsZero())
}

// takePending returns pending data and marks it as written.
func (t *Tracker) takePending() (calls []waiting, sessions []open) {
	t.mu.Lock()
	defer t.mu.Unlock()
	calls, t.calls = t.calls, nil
	for _, s := range t.over {
		sessions = append(sessions, *s)
	}
	t.over = nil
	for _, s := range slices.AppendSeq(slices.Collect(maps.Values(t.open)), maps.Values(t.chains)) {
		if s.dirty && (s.told.ID != "" || s.calls > 0) { // a chain without calls was not a session
			s.dirty = false
			sessions = append(sessions, *s)
		}
	}
	slices.SortFunc(sessions, func(a, b open) int { return a.Started.Compare(b.Started) })
	return calls, sessions
}

// putBack makes data pending again that could not be written.
func (t *Tracker) putBack(calls []waiting, sessions []open) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(calls, t.calls...)
	if over := len(t.calls) - maxWaiting; over > 0 {
		for _, c := range t.calls[:over] {
			t.countLost(c.Call)
		}
		t.calls = slices.Delete(t.calls, 0, over)
	}
	for _, s := range sessions {
		now := t.open[s.told.ID]
		if s.told.ID == "" {
			now = t.chains[chain{s.Profile, s.told.Client}]
		}
		if now != nil && now.ID == s.ID {
			now.dirty = true
		} else {
			s.dirty = true
			t.queueEnded(&s)
		}
	}
}

// storedSessions returns sessions in their stored form.
func (t *Tracker) storedSessions(list []open) []Session {
	out := make([]Session, len(list))
	for i, s := range list {
		out[i] = s.Session
		out[i].Client = t.storedClient(s.told.Client)
		if t.opt.Settings().Clients != None {
			out[i].Version = s.told.Version
		}
	}
	return out
}

func (t *Tracker) digestCalls(list []waiting) []Call {
	out := make([]Call, len(list))
	for i, c := range list {
		out[i] = c.Call
		out[i].Arguments = t.digest(c.arguments)
	}
	return out
}

// Close writes pending data, records the end of the run, and closes the log.
func (t *Tracker) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil
	}
	t.closed = true
	started := true
	t.once.Do(func() { started = false })
	t.mu.Unlock()
	if started {
		close(t.stop)
		<-t.done
	}
	t.writing.Lock()
	t.run.Ended = t.opt.Now().UTC()
	t.writing.Unlock()
	err := t.Flush(context.Background())
	if t.mayRetry(err) { // a server that has just come back may be left alone for a moment
		time.Sleep(lastTry)
		err = t.Flush(context.Background())
	}
	t.writing.Lock()
	defer t.writing.Unlock()
	t.opened = true // nothing is opened from here on
	t.giveUp()
	for _, log := range []Log{t.log, t.early} {
		if log != nil {
			if closing := log.Close(); err == nil {
				err = closing
			}
		}
	}
	return err
}

// mayRetry reports whether a failed write may succeed a moment later.
func (t *Tracker) mayRetry(err error) bool {
	t.writing.Lock()
	defer t.writing.Unlock()
	return isTemporary(err) || t.early != nil
}

// Read passes what is kept, including pending data, to do: see Log.Sessions. It is for
// learning, and opens the log if necessary. The error is ErrUnkept if nothing is kept.
func (t *Tracker) Read(ctx context.Context, since time.Time, calls int, do func(Session, []Call) error) error {
	log, err := t.flushedLog(ctx)
	if err != nil {
		return err
	}
	return log.Sessions(ctx, since, calls, do)
}

// Since passes what other runs wrote after a position to do, and advances it: see
// Log.Since. It writes nothing.
func (t *Tracker) Since(ctx context.Context, at Position, do func(Session, []Call) error) error {
	log, err := t.openLog(ctx)
	if err != nil {
		return err
	}
	at[t.run.ID] = math.MaxInt64 // already known here
	return log.Since(ctx, at, t.opt.Now().Add(-writesOn), do)
}

// flushedLog returns the log after writing pending data.
func (t *Tracker) flushedLog(ctx context.Context) (Log, error) {
	if !t.opt.Settings().Off {
		_ = t.Flush(ctx) // a failure has been reported, and existing data can still be read
	}
	return t.openLog(ctx)
}

// openLog returns the log, or an error that is ErrUnkept.
func (t *Tracker) openLog(ctx context.Context) (Log, error) {
	if t.opt.Settings().Off {
		return nil, ErrUnkept
	}
	t.writing.Lock()
	defer t.writing.Unlock()
	if log := t.openOnce(ctx); log != nil {
		return log, nil
	}
	return nil, cmp.Or(t.Broken(), ErrUnkept)
}

// Broken returns the ErrUnkept of a log that could not be opened; nil if it could, or was not tried yet.
func (t *Tracker) Broken() error {
	if err := t.broken.Load(); err != nil && *err != nil {
		return fmt.Errorf("%w: %w", ErrUnkept, *err)
	}
	return nil
}
