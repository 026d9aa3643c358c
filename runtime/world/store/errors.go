package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Failures of a store as a whole. Errors of this package wrap one of them, or another cause.
var (
	ErrDamaged = errors.New("the file is damaged")
	ErrNewer   = errors.New("the file was written by a later version of compactor")
	ErrForeign = errors.New("the file is none of compactor's")
	ErrPlace   = errors.New("no file that only this user can change")
	ErrDenied  = errors.New("the file or its directory cannot be written")
	ErrFull    = errors.New("the disk is full")
	ErrBusy    = errors.New("another process holds the file")
	ErrDisk    = errors.New("the system could not read or write the file")
	ErrFiles   = errors.New("too many files are open")
	ErrGone    = errors.New("the file was deleted, moved or replaced while it is in use")

	// Only for database servers.
	ErrAway       = errors.New("the database server does not answer")
	ErrSlow       = errors.New("the database server answers too slowly")
	ErrLogin      = errors.New("the database server refuses the login")
	ErrNoDatabase = errors.New("the server has no such database")
	ErrCrowded    = errors.New("the database server has no room for another connection")
	ErrUnsafe     = errors.New("the connection to the database server cannot be made safe")
)

// remedies holds the remedy for each kind of error.
var remedies = map[error]string{
	ErrDamaged: "restore it from a backup, or begin a new one with: compactor doctor --renew-store; approvals must be given again then",
	ErrNewer:   "update compactor, or name another file; nothing was changed",
	ErrForeign: "name another file, or move this one away by hand; nothing was changed",
	ErrPlace:   "name a plain file in a directory of your own, in which nobody else may write; nothing was changed",
	ErrDenied:  "allow this user to write both, or name another file",
	ErrFull:    "free some space, or name a file on another disk; the change was not recorded",
	ErrDisk:    "check the disk and its free space, and try again",
	ErrFiles:   "end programs that hold files open, or let this user open more (ulimit -n)",
	ErrGone:    "start compactor again: what is written from now on goes nowhere, and approvals in the file must be given again",
	ErrBusy:    "try again; if it stays, end the process that holds it",
}

// remediesBeside holds different remedies for the files next to the store, which contain no approvals.
var remediesBeside = map[error]string{
	ErrDamaged: "move it away, or set store.url, and start compactor again: it begins a new one",
	ErrForeign: "move it away by hand, or set store.url; nothing was changed",
	ErrPlace:   "move what is there away, or set store.url; nothing was changed",
	ErrFull:    "free some space, or have store.url name a file on another disk",
	ErrGone:    "start compactor again",
}

// onServer holds the texts for database servers.
var onServer = map[error]struct{ what, remedy string }{
	ErrDamaged:    {"the tables are damaged", "restore the schema from a backup, or begin a new one with: compactor doctor --renew-store; approvals must be given again then"},
	ErrNewer:      {"the tables were made by a later version of compactor", "update compactor, or name another schema: ?search_path=NAME; nothing was changed"},
	ErrForeign:    {"the schema is none of compactor's", "name another one: ?search_path=NAME; nothing was changed"},
	ErrDenied:     {"the login may not make or change the tables", "let an administrator run: CREATE SCHEMA compactor AUTHORIZATION the_login; the server must take writes"},
	ErrFull:       {"the server's disk is full", "free some space there; the change was not recorded"},
	ErrBusy:       {"another process holds the tables", "try again; if it stays, look for it in pg_stat_activity"},
	ErrDisk:       {"the server could not read or write its files", "look into the server's log"},
	ErrAway:       {"", "start it, or mend host and port in store.url; calls go on meanwhile, and what waits is written when it is there again"},
	ErrSlow:       {"", "it is tried again; look at the load of the server and of this machine"},
	ErrLogin:      {"", "mend user and password in store.url; write the password as ${NAME} and set that in secrets.env or the environment"},
	ErrNoDatabase: {"", "make it with: createdb NAME, or name another in store.url"},
	ErrCrowded:    {"", "raise max_connections there, or let fewer programs use it; it is tried again"},
	ErrUnsafe:     {"", "give the server a certificate for its name and say who signed it: sslrootcert=FILE in store.url; sslmode=disable is for networks that nobody else is on"},
}

// Error is a failure of the store at Path.
type Error struct {
	Path string
	Kind error // one of the errors above
	Err  error // the error of the database or the system
}

func (e *Error) Error() string {
	return fmt.Sprintf("store %s: %s (%v); %s", e.Path, e.What(), e.Err, e.Remedy())
}

// Remedy returns the remedy.
func (e *Error) Remedy() string {
	if OnServer(e.Path) {
		return onServer[e.Kind].remedy
	}
	if own := remediesBeside[e.Kind]; own != "" && (strings.HasSuffix(e.Path, usageEnding) || strings.HasSuffix(e.Path, timelineEnding)) {
		return own
	}
	return remedies[e.Kind]
}

// What returns the problem without the remedy.
func (e *Error) What() string {
	if said := onServer[e.Kind].what; said != "" && OnServer(e.Path) {
		return said
	}
	return e.Kind.Error()
}

// Temporary reports whether the error may pass without a change of the file or of the store's URL.
func (e *Error) Temporary() bool {
	return OnServer(e.Path) || slices.Contains([]error{ErrBusy, ErrFull, ErrDisk, ErrFiles}, e.Kind)
}

// Unwrap lets errors.Is find the kind and the cause.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.Err} }

// Withholds reports whether an error of Open may keep existing records from being read. It is false only if there is
// no file at the path and no one else could have removed one: for example if the disk is full or not writable.
func Withholds(err error) bool {
	if err == nil {
		return false
	}
	var known *Error
	if !errors.As(err, &known) || known.Kind == ErrPlace || OnServer(known.Path) {
		return true
	}
	_, err = os.Lstat(known.Path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Full reports whether the disk of a store has no room for a change, as far as the system reports it.
func Full(url string) bool {
	_, path := splitURL(url)
	return path != "" && !OnServer(url) && noRoom(filepath.Dir(path))
}

// explain puts a database error in the user's terms.
func (s *Store) explain(err error) error { return s.dialect.explain(s.path, err) }

// fault returns an error of the given kind.
func (s *Store) fault(kind, err error) error { return &Error{s.path, kind, err} }

func explain(path string, err error) error {
	var known *Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	}
	if kind := kindOf(err); kind != nil {
		switch {
		case kind == ErrDisk && noRoom(filepath.Dir(path)):
			kind = ErrFull
		case kind == ErrDenied: // SQLite reports the same error if no file descriptor is left
			if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
				f.Close()
			} else if isCrowded(err) {
				kind = ErrFiles
			}
		}
		return &Error{Path: path, Kind: kind, Err: err}
	}
	return fmt.Errorf("store %s: %w", path, err)
}
