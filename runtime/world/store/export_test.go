package store

import (
	"database/sql"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// Many processes share a file in tests, on a machine that may be busy.
func init() { patience, flushLimit = time.Minute, time.Minute }

// SmallTimeline is Timeline with a bound on its bytes.
func (s *Store) SmallTimeline(most int64) timeline.Store { return shelf{s, most} }

// DB is the database itself, for tests that damage it from inside.
func (s *Store) DB() *sql.DB { return s.db }

// SetClock replaces the clock of Count.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// StateDir is DefaultPath's directory on any system.
var StateDir = stateDir
