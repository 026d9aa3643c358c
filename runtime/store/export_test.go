package store

import (
	"database/sql"
	"time"
)

// DB is the database itself, for tests that damage it from inside.
func (s *Store) DB() *sql.DB { return s.db }

// SetClock replaces the clock of Count.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// StateDir is DefaultPath's directory on any system.
var StateDir = stateDir
