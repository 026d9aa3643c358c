package gateway

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// storage is the gateway's store, opened on first use; without a store nothing is kept.
type storage struct {
	open   func() (*store.Store, error) // nil keeps nothing
	logger *slog.Logger
	life   context.Context

	once sync.Once
	db   *store.Store
	err  error // of opening it
}

// get returns the store, or nil if nothing is kept. An error of opening it is logged once, and the gateway works
// without a store.
func (s *storage) get() *store.Store {
	s.once.Do(func() {
		if s.open == nil {
			return
		}
		if s.db, s.err = s.open(); s.err != nil {
			s.logger.Warn("approvals and lists of tools are not kept", "error", s.err)
		}
	})
	return s.db
}

// approvalsUnreadable reports whether there are approvals that cannot be read. A changed tool would then look like a new one, and
// be trusted.
func (s *storage) approvalsUnreadable() bool {
	s.get()
	return store.Withholds(s.err)
}

// whyUnkept returns why nothing is kept.
func (s *storage) whyUnkept() string {
	if s.err != nil {
		return s.err.Error()
	}
	return "store.url is none; set it to a file"
}

// accessContext returns a context for one access, which is also valid while the gateway closes.
func (s *storage) accessContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(s.life), 2*time.Second)
}

// close closes the store if it was opened; it will not be opened from here on.
func (s *storage) close() error {
	s.once.Do(func() {})
	if s.db == nil {
		return nil
	}
	err := s.db.Close()
	s.tellUncounted()
	return err
}

// tellUncounted logs the calls that are not counted.
func (s *storage) tellUncounted() {
	if u := s.db.Uncounted(); u.Calls > 0 {
		s.logger.Warn("calls are not counted, as the store could not be written", "calls", u.Calls, "from", u.From.Format(time.DateTime), "to", u.To.Format(time.DateTime))
	}
}
