package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// kernelTree lets the kernel enforce the boundary: openat2 refuses to leave the directory, to follow a link and, unless
// other devices are allowed, to cross into another mount. Comparing st_dev could not do that: overlay and btrfs give
// files of one mount different numbers, and a bind mount of the same file system has the same one.
type kernelTree struct {
	dir     *os.File
	fd      int
	dev     uint64
	resolve uint64
	mount   uint64 // see mountOf
}

// newTree opens a directory for the sandbox. portable selects the slower way that does not need openat2.
func newTree(path string, crossDevice, portable bool) (tree, error) {
	if isPseudoPath(path) {
		return nil, ErrBadRoot
	}
	if !portable {
		t, err := newKernelTree(path, crossDevice)
		if !errors.Is(err, errNoOpenat2) {
			return t, err
		}
	}
	return newPortableTree(path, crossDevice)
}

var errNoOpenat2 = errors.New("openat2 is not there")

func newKernelTree(path string, crossDevice bool) (tree, error) {
	fd, err := retryInterrupted(func() (int, error) {
		return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, errnoFault(err)
	}
	t := &kernelTree{dir: os.NewFile(uintptr(fd), "root"), fd: fd}
	t.resolve = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_NO_SYMLINKS
	if !crossDevice {
		t.resolve |= unix.RESOLVE_NO_XDEV
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		t.close()
		return nil, errnoFault(err)
	}
	t.dev = st.Dev
	probe, err := t.openat2(".", unix.O_PATH)
	if err != nil { // ENOSYS on an old kernel, EPERM or EINVAL behind some seccomp filters
		t.close()
		return nil, errNoOpenat2
	}
	unix.Close(probe)
	t.mount = mountOf(fd)
	return t, nil
}

// openat2 opens a path that must neither be nor go through a link.
func (t *kernelTree) openat2(path string, flags uint64) (int, error) {
	return openat2(t.fd, path, flags, t.resolve)
}

func openat2(dir int, path string, flags, resolve uint64) (int, error) {
	how := unix.OpenHow{Flags: flags | unix.O_CLOEXEC, Resolve: resolve}
	return retryInterrupted(func() (int, error) { return unix.Openat2(dir, path, &how) })
}

// retryInterrupted repeats a call that was interrupted by a signal, a rename elsewhere or a lease.
func retryInterrupted(call func() (int, error)) (int, error) {
	for tries := 0; ; tries++ {
		n, err := call()
		if err != unix.EINTR && err != unix.EAGAIN || tries == 100 {
			return n, err
		}
	}
}

func (t *kernelTree) stat(path string) (meta, error) {
	fd, err := t.openat2(path, unix.O_PATH)
	if err != nil {
		return meta{}, errnoFault(err)
	}
	defer unix.Close(fd)
	return t.fstat(fd)
}

// fstat describes a descriptor and refuses files that the kernel generates, such as /proc/self/environ, which look like
// regular files.
func (t *kernelTree) fstat(fd int) (meta, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return meta{}, errnoFault(err)
	}
	if st.Dev != t.dev && isPseudo(fd) {
		return meta{}, ErrNotRegular
	}
	return metaOf(&st), nil
}

func (t *kernelTree) readlink(path string) (string, bool, error) {
	fd, err := t.openat2(path, unix.O_PATH|unix.O_NOFOLLOW)
	if err != nil {
		return "", false, errnoFault(err)
	}
	defer unix.Close(fd)
	buf := make([]byte, maxPath+1)
	n, err := unix.Readlinkat(fd, "", buf)
	switch {
	case err == unix.ENOENT || err == unix.EINVAL: // not a link
		return "", false, nil
	case err != nil:
		return "", false, errnoFault(err)
	}
	return string(buf[:n]), true, nil
}

func (t *kernelTree) gone() bool {
	var st unix.Stat_t
	return unix.Fstat(t.fd, &st) == nil && st.Nlink == 0
}

func (t *kernelTree) self() (fs.FileInfo, error) { return t.dir.Stat() }

func (t *kernelTree) opener() opener { return &kernelOpener{kernelTree: t} }
func (t *kernelTree) close() error   { return t.dir.Close() }

// kernelOpener opens each file by its path from the root: a directory that was kept open could have been moved out of
// it. It keeps the directory of the last file only for stampOf, which checks files that were read before.
type kernelOpener struct {
	*kernelTree
	at   string // "" if none is kept
	atFD int
}

func (o *kernelOpener) close() {
	if o.at != "" {
		unix.Close(o.atFD)
		o.at = ""
	}
}

func (o *kernelOpener) open(path string) (file, meta, error) {
	return openRegular(o.kernelTree, o.fd, path)
}

// openRegular opens for reading. O_NONBLOCK keeps a pipe from blocking the open; any other file type is closed again.
func openRegular(t *kernelTree, dir int, path string) (file, meta, error) {
	fd, err := openat2(dir, path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, t.resolve)
	if err != nil {
		return nil, meta{}, errnoFault(err)
	}
	m, err := t.fstat(fd)
	if err == nil && m.kind == kindFile {
		return fdFile(fd), m, nil
	}
	unix.Close(fd)
	switch {
	case err != nil:
		return nil, m, err
	case m.kind == kindDir:
		return nil, m, ErrIsDir
	}
	return nil, m, ErrNotRegular
}

// fdFile is a bare descriptor. os.File would register each file with the poller, at half the cost of reading it.
type fdFile int

func (f fdFile) close() { unix.Close(int(f)) }

func (f fdFile) read(p []byte) (int, error) {
	n, err := retryInterrupted(func() (int, error) { return unix.Read(int(f), p) })
	if err != nil {
		return 0, errnoFault(err)
	}
	return n, nil
}

func metaOf(st *unix.Stat_t) meta {
	return meta{kind: kindOfMode(st.Mode), size: st.Size, modTime: time.Unix(int64(st.Mtim.Sec), int64(st.Mtim.Nsec)).UTC()}
}

func kindOfMode(mode uint32) kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return kindFile
	case unix.S_IFDIR:
		return kindDir
	case unix.S_IFLNK:
		return kindLink
	}
	return kindSpecial
}

func errnoFault(err error) error {
	switch err {
	case unix.ENOENT, unix.ENOTDIR, unix.ENAMETOOLONG, unix.EINVAL, unix.ESTALE:
		return ErrNotFound
	case unix.ELOOP:
		return errLink
	case unix.EXDEV:
		return ErrOutside
	case unix.ENXIO, unix.ENODEV, unix.EISDIR:
		return ErrNotRegular
	}
	return ErrUnreadable
}
