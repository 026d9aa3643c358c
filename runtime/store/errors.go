package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// What can be wrong with a store as a whole. Errors of this package wrap one of them, or name another cause.
var (
	ErrDamaged = errors.New("the file is damaged")
	ErrNewer   = errors.New("the file was written by a later version of compactor")
	ErrForeign = errors.New("the file is none of compactor's")
	ErrPlace   = errors.New("no file that only this user can change")
	ErrDenied  = errors.New("the file or its directory cannot be written")
	ErrFull    = errors.New("the disk is full")
	ErrBusy    = errors.New("another process holds the file")
	ErrDisk    = errors.New("the system could not read or write the file")
)

// remedies say the way out of each.
var remedies = map[error]string{
	ErrDamaged: "restore it from a backup, or begin a new one with: compactor doctor --renew-store; approvals must be given again then",
	ErrNewer:   "update compactor, or name another file; nothing was changed",
	ErrForeign: "name another file, or move this one away by hand; nothing was changed",
	ErrPlace:   "name a plain file in a directory of your own, in which nobody else may write; nothing was changed",
	ErrDenied:  "allow this user to write both, or name another file",
	ErrFull:    "free some space, or name a file on another disk; the change was not recorded",
	ErrDisk:    "check the disk and its free space",
	ErrBusy:    "try again; if it stays, end the process that holds it",
}

// Error is a failure of the store at Path.
type Error struct {
	Path string
	Kind error // one of the errors above
	Err  error // what the database or the system said
}

func (e *Error) Error() string {
	return fmt.Sprintf("store %s: %v (%v); %s", e.Path, e.Kind, e.Err, remedies[e.Kind])
}

// Unwrap lets errors.Is find the kind and the cause.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.Err} }

// Withholds reports whether an error of Open may keep records from being read. Only where nothing stands at the path,
// and nobody else could have taken it away, is nothing lost: a disk that is full or cannot be written, say.
func Withholds(err error) bool {
	if err == nil {
		return false
	}
	var known *Error
	if !errors.As(err, &known) || known.Kind == ErrPlace {
		return true
	}
	_, err = os.Lstat(known.Path)
	return !errors.Is(err, fs.ErrNotExist)
}

// explain puts an error of the database into the user's words.
func (s *Store) explain(err error) error { return explain(s.path, err) }

func explain(path string, err error) error {
	var known *Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	}
	if kind := kindOf(err); kind != nil {
		if kind == ErrDisk && noRoom(filepath.Dir(path)) {
			kind = ErrFull
		}
		return &Error{Path: path, Kind: kind, Err: err}
	}
	return fmt.Errorf("store %s: %w", path, err)
}
