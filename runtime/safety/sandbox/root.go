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

// Options define how a root may be read. The zero value is the safe default.
type Options struct {
	// Deny lists more names to deny, in the syntax of an ignore file: "*.sqlite", "private/", "/config/prod.yaml". Case
	// does not matter. Nothing lifts these.
	Deny []string
	// Allow lifts the built-in deny list for what it matches, and for everything below a directory that it matches.
	Allow []string
	// Anchors are further directories from which the patterns of Deny start, if they lie above the root: what
	// "customers/**" denies in the directory above is also denied if customers is opened as a root of its own.
	Anchors []string
	// MaxFileSize limits the files that are read, in bytes: 0 means 4 MiB, the maximum is 256 MiB.
	MaxFileSize int64
	// CrossDevice allows mount points below the root. File systems that the kernel generates (/proc, /sys) stay closed.
	CrossDevice bool
	// NoIgnore disables ignore files.
	NoIgnore bool
	// Hidden lists what listings leave out by default: directories of version control that are not denied, and
	// installed or cached files where no ignore file says anything. Dot files are always listed.
	Hidden bool
}

// Limits of Options.MaxFileSize, in bytes.
const (
	DefaultMaxFileSize = 4 << 20
	LargestFileSize    = 256 << 20
)

// Root is a directory opened for reading. It stays with the directory that it opened, even if that is renamed or
// another one takes its name. Its methods may be called concurrently from several goroutines.
type Root struct {
	name   string
	path   string
	base   string // the directory that a view shows, a plain path; "" for all
	opt    Options
	deny   *denyList
	guards []guard // rules of the directories above, and of other roots that overlap this one
	core   *core
}

// Entry describes one file or directory.
type Entry struct {
	Path    string // slash-separated, relative to the root; "." for the root itself
	Size    int64  // bytes; 0 for a directory, and from Files, which does not look it up
	Dir     bool
	Link    bool      // a link, or from Stat: reached through a link
	ModTime time.Time // zero from Files
}

// OpenRoot opens a directory as a root. References use name, which consists of letters, digits, ".", "_" and "-". path
// may be a link, which is followed. Refused with ErrBadRoot: "/", a denied directory or one below it, file systems that
// the kernel generates, and invalid patterns.
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
	guards := anchorGuards(deny, real, opt.Anchors)
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

// realDir returns the absolute name of a directory without links.
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

// badRoot says why a directory may not be a root, or "". It checks both the requested name and the resolved one.
func (d *denyList) badRoot(asked, real string) string {
	if filepath.Dir(real) == real {
		return "the whole file system cannot be a root; start compactor in the directory of the project, or name it with --root"
	}
	abs, err := filepath.Abs(asked)
	if err != nil {
		abs = real
	}
	for _, path := range []string{real, abs} {
		if d.deniedDir(slashPath(path)) {
			return "it is, or lies in, a directory that holds secrets"
		}
	}
	return ""
}

// slashPath converts an absolute path to slashes and drops the drive and the leading slash.
func slashPath(path string) string {
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

// Name returns the name that references use for the root.
func (r *Root) Name() string { return r.name }

// MaxFileSize returns the size of the largest file that is read, in bytes.
func (r *Root) MaxFileSize() int64 { return r.opt.MaxFileSize }

// Close closes the root as soon as no call uses it any more. Later calls fail with ErrClosed. All roots of a Set that
// share an opened directory are closed together.
func (r *Root) Close() error { return r.core.close() }

// wrapError adds the root's name and the requested path to a sentinel. nil and other errors pass.
func (r *Root) wrapError(asked string, err error) error {
	switch e := err.(type) {
	case *PathError:
		e.Root = r.name
	case *fault:
		return &PathError{Root: r.name, Path: asked, Err: e, Hint: r.hintFor(e)}
	}
	return err
}

// Replaced reports whether another directory has taken the place of the opened one, as after a fresh clone. The root
// keeps using the one it opened; a link in its place, or nothing, does not count as another directory.
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

// orGone returns ErrRootGone for a missing file if the root itself was deleted.
func (r *Root) orGone(err error) error {
	if err == ErrNotFound && r.core.tree.gone() {
		return ErrRootGone
	}
	return err
}

func (r *Root) hintFor(err error) string {
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
