package shared

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// Limits and times of a Sharer.
const (
	maxSessions = 10_000    // on a shelf
	maxResults  = 256 << 20 // on a shelf, in bytes
	maxWaiting  = 32 << 20  // bytes of results waiting to be written; more are dropped
	maxResult   = 16 << 20  // bytes of one result; a larger one stays in memory only
	maxAtOnce   = 64        // sessions, or results, per transaction
	maxBytes    = 8 << 20   // bytes of results per transaction, apart from the first
	maxTries    = 4         // attempts to write a session that others change too

	writeEvery = time.Second
	writeTime  = 12 * time.Second // longer than a shelf waits for a server
	purgeEvery = time.Minute
	lastTry    = 1200 * time.Millisecond // longer than a shelf pauses before it tries a failing server again
	clientWait = 5 * time.Second
)

// Settings come from the configuration. They may change at any time.
type Settings struct {
	Off      bool
	Sessions time.Duration // how long a session may be unused
	Results  time.Duration // how long a result is kept that is not read
}

// Options configure a Sharer.
type Options struct {
	Open     func(context.Context) (Shelf, error) // called with the first thing to keep or find, and again after an error that is Temporary; a nil Shelf shares nothing
	Secret   string                               // of the clients: the access token; data written with another one is not found
	Settings func() Settings
	Sessions func(id string) *session.Session // returns a session known here, or nil
	Ended    func(id string)                  // called with no lock held when a session has ended elsewhere
	Say      func(message string)             // receives messages for a person; rarely called
	Wait     time.Duration                    // how long a client waits for a shelf; 0 means five seconds
}

// Sharer writes what other processes may look for, and finds what they wrote. It is safe for concurrent use.
type Sharer struct {
	opt    Options
	secret secret
	stop   chan struct{}
	wake   chan struct{} // results are pending
	once   sync.Once     // starts the writers
	work   sync.WaitGroup

	opening sync.Mutex
	opened  bool
	shelf   Shelf

	writing sync.Mutex // one batch of sessions after another
	handing sync.Mutex // one batch of results after another

	mu       sync.Mutex
	sessions map[string]*entry
	due      []*entry      // sessions that clients wait for, see joinGroup
	grouped  chan struct{} // closed when they are written
	saving   bool          // saveGroups is running
	results  []waiting
	bytes    int64 // of results
	dropped  int   // results
	unsaid   int   // dropped results not yet reported
	failing  bool  // the failure to write has been reported
	closed   bool
}

// New returns a Sharer, which opens and starts nothing before it is needed.
func New(opt Options) *Sharer {
	if opt.Say == nil {
		opt.Say = func(string) {}
	}
	if opt.Ended == nil {
		opt.Ended = func(string) {}
	}
	if opt.Wait == 0 {
		opt.Wait = clientWait
	}
	return &Sharer{opt: opt, secret: secretOf(opt.Secret), stop: make(chan struct{}), wake: make(chan struct{}, 1), sessions: map[string]*entry{}}
}

// errOff reports that nothing is shared.
var errOff = errors.New("nothing is shared")

// open returns the shelf, opened once.
func (s *Sharer) open(ctx context.Context) (Shelf, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if !s.opened {
		shelf, err := s.opt.Open(context.WithoutCancel(ctx)) // the client may disconnect, and the shelf is for all
		if isTemporary(err) {
			return nil, err
		}
		if s.opened = true; err != nil {
			s.opt.Say("sessions are not shared: " + err.Error())
		} else {
			s.shelf = shelf
		}
	}
	if s.shelf == nil {
		return nil, errOff
	}
	return s.shelf, nil
}

// isTemporary reports whether an error of a shelf may pass, such as an unreachable server.
func isTemporary(err error) bool {
	var passing interface{ Temporary() bool }
	return errors.As(err, &passing) && passing.Temporary()
}

// startWriters starts the writers once. mu is held.
func (s *Sharer) startWriters() {
	s.once.Do(func() {
		s.work.Go(s.flushPeriodically)
		s.work.Go(s.writeResults)
	})
}

// writeResults writes results as they arrive: a client that got the id of one may ask another process for it at once.
func (s *Sharer) writeResults() {
	for {
		select {
		case <-s.wake:
			s.reportError(s.putResults(context.Background()))
		case <-s.stop:
			return
		}
	}
}

func (s *Sharer) flushPeriodically() {
	tick, purge := time.NewTicker(writeEvery), time.NewTicker(purgeEvery)
	defer tick.Stop()
	defer purge.Stop()
	s.purge()
	for {
		select {
		case <-tick.C:
			_ = s.Flush(context.Background())
		case <-purge.C:
			s.purge()
		case <-s.stop:
			return
		}
	}
}

func (s *Sharer) purge() {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	shelf, err := s.open(ctx)
	if err == nil {
		err = shelf.Purge(ctx, Bounds{Sessions: maxSessions, Bytes: maxResults})
	}
	s.reportError(err)
}

// reportError reports once that writing fails, and once that it works again.
func (s *Sharer) reportError(err error) {
	if errors.Is(err, errOff) || errors.Is(err, errNothing) || errors.Is(err, context.Canceled) { // the client has disconnected
		return
	}
	s.mu.Lock()
	was := s.failing
	s.failing = err != nil
	n := 0
	if err == nil {
		n, s.unsaid = s.unsaid, 0
	}
	s.mu.Unlock()
	switch {
	case err != nil && !was:
		s.opt.Say("sessions cannot be shared for now, and go on here alone: " + err.Error())
	case err == nil && was:
		s.opt.Say("sessions are shared again")
	}
	if n > 0 {
		s.opt.Say(fmt.Sprintf("%d long results came faster than they could be shared: only the process that made them has them", n))
	}
}

// Flush writes everything pending and returns when it is stored. What fails is pending again, as far as there is room.
func (s *Sharer) Flush(ctx context.Context) error {
	err := s.putResults(ctx)
	if more := s.putSessions(ctx); err == nil || errors.Is(err, errNothing) {
		err = more
	}
	s.reportError(err)
	if errors.Is(err, errNothing) || errors.Is(err, errOff) {
		return nil
	}
	return err
}

// errNothing reports that nothing was pending.
var errNothing = errors.New("nothing to write")

// Dropped returns the number of results that came faster than they could be written.
func (s *Sharer) Dropped() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}

// Close writes everything pending and closes the shelf.
func (s *Sharer) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	started := true
	s.once.Do(func() { started = false })
	s.mu.Unlock()
	var err error
	if started {
		close(s.stop)
		s.work.Wait()
		if err = s.Flush(context.Background()); isTemporary(err) { // a server that has just come back may be left alone for a moment
			time.Sleep(lastTry)
			err = s.Flush(context.Background())
		}
	}
	s.opening.Lock()
	defer s.opening.Unlock()
	s.opened = true // nothing is opened from here on
	if s.shelf != nil {
		if closing := s.shelf.Close(); err == nil {
			err = closing
		}
	}
	s.shelf = nil
	return err
}
