package sandbox

import (
	"time"

	"golang.org/x/sys/unix"
)

// localFS are the file systems whose stamps are trusted: on disks or in memory of this machine, using the kernel's own
// clock. A network file system may report a stamp that is seconds old, and has its own clock.
var localFS = map[int64]bool{
	unix.EXT4_SUPER_MAGIC: true, unix.XFS_SUPER_MAGIC: true, unix.BTRFS_SUPER_MAGIC: true, unix.F2FS_SUPER_MAGIC: true,
	unix.TMPFS_MAGIC: true, unix.OVERLAYFS_SUPER_MAGIC: true,
}

// stampMask lists the fields of a stamp; STATX_MNT_ID detects a file that is mounted over a name.
const stampMask = unix.STATX_TYPE | unix.STATX_INO | unix.STATX_SIZE | unix.STATX_MTIME | unix.STATX_CTIME | unix.STATX_MNT_ID

// mountOf returns the mount ID of a directory, 0 if its stamps are not trusted.
func mountOf(fd int) uint64 {
	var fs unix.Statfs_t
	var x unix.Statx_t
	if unix.Fstatfs(fd, &fs) != nil || !localFS[int64(fs.Type)] {
		return 0
	}
	if unix.Statx(fd, "", unix.AT_EMPTY_PATH, stampMask, &x) != nil || x.Mask&stampMask != stampMask {
		return 0
	}
	return x.Mnt_id
}

// statx reads the stamp of a regular file on the tree's own mount.
func (t *kernelTree) statx(dir int, name string, flags int) (stamp, bool) {
	if t.mount == 0 {
		return stamp{}, false
	}
	var x unix.Statx_t
	if unix.Statx(dir, name, flags|unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, stampMask, &x) != nil ||
		x.Mask&stampMask != stampMask || x.Mnt_id != t.mount || x.Mode&unix.S_IFMT != unix.S_IFREG {
		return stamp{}, false
	}
	return stamp{
		version: Version{id: [5]uint64{unix.Mkdev(x.Dev_major, x.Dev_minor), x.Ino, x.Size, toNanos(x.Mtime), toNanos(x.Ctime)}},
		size:    int64(x.Size),
		changed: time.Unix(x.Ctime.Sec, int64(x.Ctime.Nsec)),
	}, true
}

func toNanos(t unix.StatxTimestamp) uint64 { return uint64(t.Sec)*1e9 + uint64(t.Nsec) }

// stampOf opens the file's directory beneath the root, as open does, and keeps it for the other files in it.
func (o *kernelOpener) stampOf(path string) (stamp, bool) {
	if o.mount == 0 {
		return stamp{}, false
	}
	dir, name := splitPath(path)
	if dir == "." {
		return o.statx(o.fd, name, 0)
	}
	if dir != o.at {
		o.close()
		fd, err := o.openat2(dir, unix.O_PATH|unix.O_DIRECTORY)
		if err != nil {
			return stamp{}, false
		}
		o.at, o.atFD = dir, fd
	}
	return o.statx(o.atFD, name, 0)
}

func (o *kernelOpener) stampOpen(f file) (stamp, bool) {
	fd, ok := f.(fdFile)
	if !ok {
		return stamp{}, false
	}
	return o.statx(int(fd), "", unix.AT_EMPTY_PATH)
}
