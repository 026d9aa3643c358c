package sandbox

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A fault is a sentinel error with a stable code for machines.
type fault struct{ code, text string }

func (f *fault) Error() string { return f.text }

// Sentinel errors of this package, for errors.Is. Functions return a *PathError that wraps one of them.
var (
	ErrOutside    error = &fault{"PATH_OUTSIDE", "outside the root"}
	ErrDenied     error = &fault{"PATH_DENIED", "secret by its name"}
	ErrNotFound   error = &fault{"PATH_NOT_FOUND", "not found"}
	ErrNotRegular error = &fault{"PATH_NOT_REGULAR", "neither a file nor a directory"}
	ErrTooLarge   error = &fault{"FILE_TOO_LARGE", "larger than the size limit"}
	ErrBinary     error = &fault{"FILE_BINARY", "not text"}
	ErrIsDir      error = &fault{"PATH_IS_DIRECTORY", "a directory"}
	ErrNotDir     error = &fault{"PATH_IS_FILE", "not a directory"}
	ErrUnreadable error = &fault{"PATH_UNREADABLE", "cannot be read"}
	ErrStalled    error = &fault{"ROOT_STALLED", "the file system does not answer"}
	ErrRootGone   error = &fault{"ROOT_GONE", "the root's directory was deleted"}
	ErrClosed     error = &fault{"ROOT_CLOSED", "the root is closed"}
	ErrBadRoot    error = &fault{"ROOT_REFUSED", "refused as a root"}
	ErrNoRoot     error = &fault{"ROOT_UNKNOWN", "no such root"}
	ErrBadName    error = &fault{"ARTIFACT_NAME", "not a name for an artifact"}
	ErrExists     error = &fault{"ARTIFACT_EXISTS", "exists already"}
	ErrUnwritable error = &fault{"ARTIFACT_UNWRITABLE", "cannot be written"}
)

// errLink reports that a component of a path is a link. It never leaves the package.
var errLink error = &fault{"LINK", "a link"}

// Code returns the stable code of an error of this package, such as "PATH_DENIED", or "" for any other error.
func Code(err error) string {
	if f := (*fault)(nil); errors.As(err, &f) {
		return f.code
	}
	return ""
}

// PathError reports which name in which root was refused, why, and what to do. Its names are relative to the root.
type PathError struct {
	Root string // the root's name, "" before it is known
	Path string // as requested, not escaped
	Err  error  // one of the sentinels
	Hint string // what the caller can do, "" for nothing
}

// Error returns "root: a/b: not found; hint", with control characters escaped.
func (e *PathError) Error() string {
	var b strings.Builder
	for _, part := range []string{e.Root, e.Path} {
		if part != "" {
			b.WriteString(Escape(part))
			b.WriteString(": ")
		}
	}
	b.WriteString(e.Err.Error())
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

// Code returns the stable code of the sentinel, such as PATH_DENIED.
func (e *PathError) Code() string { return Code(e.Err) }

// Unwrap returns the sentinel.
func (e *PathError) Unwrap() error { return e.Err }

// maxShown limits a name in a message, in bytes.
const maxShown = 256

// Escape makes a file name safe to show on one line: control characters, marks that change the direction of text and
// bytes that are not UTF-8 are written as in a Go string, and names of more than 256 bytes are cut. Other names are
// returned unchanged.
func Escape(name string) string {
	if len(name) > maxShown {
		cut := maxShown
		for cut > maxShown-utf8.UTFMax && !utf8.RuneStart(name[cut]) {
			cut--
		}
		return Escape(name[:cut]) + "…"
	}
	if utf8.ValidString(name) && strings.IndexFunc(name, notPrintable) < 0 {
		return name
	}
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}

func notPrintable(r rune) bool { return !unicode.IsPrint(r) }
