package sandbox

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// kernelDir is an open directory below a kernelTree.
type kernelDir struct {
	t  *kernelTree
	fd int
}

func (o *kernelOpener) openDir(path string) (directory, error) {
	fd, err := o.openat2(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK)
	switch {
	case err == unix.ENOTDIR:
		return nil, o.notDir(path)
	case err != nil:
		return nil, errnoFault(err)
	}
	if o.resolve&unix.RESOLVE_NO_XDEV == 0 {
		if _, err := o.fstat(fd); err != nil {
			unix.Close(fd)
			return nil, err
		}
	}
	return &kernelDir{o.kernelTree, fd}, nil
}

// notDir distinguishes a path that is a file (ErrNotDir) from one that goes through a file.
func (o *kernelOpener) notDir(path string) error {
	if _, err := o.stat(path); err != nil {
		return err
	}
	return ErrNotDir
}

func (d *kernelDir) close() { unix.Close(d.fd) }

// Offsets in struct linux_dirent64.
const (
	direntLen  = 16
	direntType = 18
	direntName = 19
)

// direntBuffers hold 64 KiB each: with less, large directories take many calls.
var direntBuffers = sync.Pool{New: func() any { b := make([]byte, 64<<10); return &b }}

func (d *kernelDir) list(l *listing, stop *atomic.Bool) error {
	buf := direntBuffers.Get().(*[]byte)
	defer direntBuffers.Put(buf)
	for !stop.Load() {
		n, err := retryInterrupted(func() (int, error) { return unix.Getdents(d.fd, *buf) })
		if err != nil {
			return errnoFault(err)
		}
		if n <= 0 || !d.addEntries((*buf)[:n], l) {
			return nil
		}
	}
	return nil
}

// addEntries adds the entries of one buffer to l and reports whether l has room for more.
func (d *kernelDir) addEntries(buf []byte, l *listing) bool {
	for len(buf) > direntName {
		size := int(binary.NativeEndian.Uint16(buf[direntLen:]))
		if size <= direntName || size > len(buf) {
			return false
		}
		name := buf[direntName:size]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if s := string(name); s != "." && s != ".." && !l.add(name, d.kindOf(buf[direntType], name)) {
			return false
		}
		buf = buf[size:]
	}
	return true
}

func (d *kernelDir) kindOf(t byte, name []byte) kind {
	switch t {
	case unix.DT_REG:
		return kindFile
	case unix.DT_DIR:
		return kindDir
	case unix.DT_LNK:
		return kindLink
	case unix.DT_UNKNOWN: // some file systems do not report it
		if m, err := d.stat(string(name)); err == nil {
			return m.kind
		}
	}
	return kindSpecial
}

func (d *kernelDir) stat(name string) (meta, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT); err != nil {
		return meta{}, errnoFault(err)
	}
	return metaOf(&st), nil
}

func (d *kernelDir) openFile(name string) (file, meta, error) { return openRegular(d.t, d.fd, name) }

// pseudoFS are the file systems whose files the kernel generates: they expose this process to itself, and reading some
// of the files has side effects.
var pseudoFS = map[int64]bool{
	unix.PROC_SUPER_MAGIC: true, unix.SYSFS_MAGIC: true, unix.DEBUGFS_MAGIC: true, unix.TRACEFS_MAGIC: true,
	unix.CGROUP_SUPER_MAGIC: true, unix.CGROUP2_SUPER_MAGIC: true, unix.SECURITYFS_MAGIC: true, unix.PSTOREFS_MAGIC: true,
	unix.BPF_FS_MAGIC: true, unix.DEVPTS_SUPER_MAGIC: true, unix.NSFS_MAGIC: true, unix.EFIVARFS_MAGIC: true,
	unix.SELINUX_MAGIC: true, unix.BINFMTFS_MAGIC: true, configFSMagic: true,
}

const configFSMagic = 0x62656570

func isPseudo(fd int) bool {
	var st unix.Statfs_t
	return unix.Fstatfs(fd, &st) != nil || pseudoFS[int64(st.Type)]
}

func isPseudoPath(path string) bool {
	var st unix.Statfs_t
	return unix.Statfs(path, &st) == nil && pseudoFS[int64(st.Type)]
}

// madeUp does what isPseudo does, for the portable tree: only a file on a device other than the root's can qualify.
func madeUp(f *os.File, root, info fs.FileInfo) bool {
	return !sameDevice(root, info) && isPseudo(int(f.Fd()))
}
