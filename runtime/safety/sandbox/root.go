package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
)

// Options say how a root may be read. The zero value is the safe default.
type Options struct {
	// Deny lists more names to deny, in the syntax of an ignore file: "*.sqlite", "private/", "/config/prod.yaml".
	// Case does not matter. Nothing lifts these.
	Deny []string
	// Allow lifts the built-in deny list for what it matches, and for all that lies below a directory that it matches.
	Allow []string
	// Anchors are directories from which the patterns of Deny start besides, where they lie above the root: what
	// "customers/**" denies in the directory above is denied also when customers is opened as a root of its own.
	Anchors []string
	// MaxFileSize is the largest file that is read, in bytes: 0 stands for 4 MiB, the largest is 256 MiB.
	MaxFileSize int64
	// CrossDevice allows mount points below the root. What the kernel makes up (/proc, /sys) stays closed.
	CrossDevice bool
	// NoIgnore switches ignore files off.
	NoIgnore bool
	// Hidden lists what listings leave out by habit: directories of version control that are not denied, and installed
	// or cached things where no ignore file speaks. Dot files are listed anyway.
	Hidden bool
}

// Limits of Options.MaxFileSize, in bytes.
const (
	DefaultMaxFileSize = 4 << 20
	LargestFileSize    = 256 << 20
)

// Root is a directory opened for reading. It keeps the directory that it opened, also when that is renamed or another
// one takes its name. Its methods may be called at the same time from several goroutines.
type Root struct {
	name   string
	path   string
	base   string // the directory that a view shows, a plain path; "" for all
	opt    Options
	deny   *denyList
	guards []guard // rules of what lies above, and of other roots that overlap this one
	core   *core
}

// Entry describes one file or directory.
type Entry struct {
	Path    string // slash-separated, relative to the root; "." for the root itself
	Size    int64  // bytes; 0 for a directory, and from Files, which does not ask
	Dir     bool
	Link    bool      // a link, or from Stat: reached through one
	ModTime time.Time // zero from Files
}

// OpenRoot opens a directory as a root. name is what references call it: letters, digits, ".", "_" and "-". The root may
// be a link; what it leads to is opened. Refused with ErrBadRoot: "/", a denied directory or one below it, file systems
// that the kernel makes up, and patterns that are none.
func OpenRoot(name, path string, opt Options) (*Root, error) { return openRoot(name, path, opt, false) }

func openRoot(name, path string, opt Options, portable bool) (*Root, error) {
	refuse := func(err error, hint string) (*Root, error) {
		return nil, &PathError{Root: "root " + name, Path: path, Err: err, Hint: hint}
	}
	if !validRootName(name) {
		return refuse(ErrBadRoot, rootNameHint)
	}
	if opt.MaxFileSize < 0 || opt.MaxFileSize > LargestFileSize {
		return refuse(ErrBadRoot, fmt.Sprintf("the size limit must lie between 0 and %d bytes", LargestFileSize))
	}
	if opt.MaxFileSize == 0 {
		opt.MaxFileSize = DefaultMaxFileSize
	}
	deny, err := newDenyList(opt.Deny, opt.Allow)
	if err != nil {
		return refuse(ErrBadRoot, err.Error())
	}
	real, err := realDir(path)
	if errors.Is(err, fs.ErrInvalid) {
		return refuse(ErrNotDir, "it is a file; name the directory that it lies in")
	}
	if err != nil {
		return refuse(osFault(err), "name a directory that exists")
	}
	if why := deny.badRoot(path, real); why != "" {
		return refuse(ErrBadRoot, why)
	}
	guards := anchors(deny, real, opt.Anchors)
	if slices.ContainsFunc(guards, func(g guard) bool { return g.denied(".", kindDir) }) {
		return refuse(ErrBadRoot, "the configuration denies it (sandbox.deny)")
	}
	t, err := newTree(real, opt.CrossDevice, portable)
	switch {
	case err != nil && landlock.Shut(real):
		return refuse(err, "this process shut itself out of it when it began (Landlock); start compactor again")
	case err != nil:
		return refuse(err, "name a directory that can be read")
	}
	var above *outer
	if !opt.NoIgnore {
		above = openOuter(real, portable)
	}
	return &Root{name: name, path: real, opt: opt, deny: deny, guards: guards, core: newCore(t, above)}, nil
}

// realDir gives the absolute name of a directory without links.
func realDir(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err == nil && !info.IsDir() {
		err = fs.ErrInvalid
	}
	return real, err
}

// badRoot says why a directory may not be a root. Both names count: the one asked for and the one that it leads to.
func (d *denyList) badRoot(asked, real string) string {
	if filepath.Dir(real) == real {
		return "the whole file system cannot be a root; start compactor in the directory of the project, or name it with --root"
	}
	abs, err := filepath.Abs(asked)
	if err != nil {
		abs = real
	}
	for _, path := range []string{real, abs} {
		if d.deniedDir(slashed(path)) {
			return "it is, or lies in, a directory that holds secrets"
		}
	}
	return ""
}

// slashed is an absolute path with slashes, without the drive and the leading slash.
func slashed(path string) string {
	return strings.Trim(filepath.ToSlash(path[len(filepath.VolumeName(path)):]), "/")
}

const (
	maxRootName  = 64 // bytes
	rootNameHint = "name it with up to 64 letters, digits, dots, underscores and hyphens"
)

func validRootName(name string) bool {
	if name == "" || len(name) > maxRootName || strings.Trim(name, ".") == "" {
		return false
	}
	for _, c := range []byte(name) {
		if !isLetter(c) && !isDigit(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// Name is what references call the root.
func (r *Root) Name() string { return r.name }

// MaxFileSize is the largest file that is read, in bytes.
func (r *Root) MaxFileSize() int64 { return r.opt.MaxFileSize }

// Close closes the root once no call uses it any more. Later calls fail with ErrClosed. All roots of a Set that stand
// for the same opened directory are closed together.
func (r *Root) Close() error { return r.core.close() }

// fail puts the root's name and the asked path to a sentinel. nil and foreign errors pass.
func (r *Root) fail(asked string, err error) error {
	switch e := err.(type) {
	case *PathError:
		e.Root = r.name
	case *fault:
		return &PathError{Root: r.name, Path: asked, Err: e, Hint: r.hint(e)}
	}
	return err
}

// Replaced reports whether another directory has taken the place of the one that was opened, as after a fresh clone.
// The root goes on with the one that it opened; a link in its place, or nothing, is not another directory.
func (r *Root) Replaced() bool {
	if r.core.acquire() != nil {
		return false
	}
	defer r.core.release()
	now, err := os.Lstat(r.path)
	if err != nil || !now.IsDir() {
		return false
	}
	own, err := r.core.tree.self()
	return err == nil && !os.SameFile(own, now)
}

// orGone tells a file that is missing from a root that was deleted.
func (r *Root) orGone(err error) error {
	if err == ErrNotFound && r.core.tree.gone() {
		return ErrRootGone
	}
	return err
}

func (r *Root) hint(err error) string {
	switch err {
	case ErrOutside:
		return "links must lead to a place inside by a relative path, and mount points are closed unless the root allows them"
	case ErrDenied:
		return "it can be read only when the root's allow list names it"
	case ErrTooLarge:
		return fmt.Sprintf("the limit is %d bytes", r.opt.MaxFileSize)
	case ErrIsDir:
		return "list it, or name a file in it"
	case ErrNotDir:
		return "read it, or name a directory"
	case ErrRootGone:
		return "make it again and the next call finds it, or name another root in the configuration"
	}
	return ""
}
