package sandbox

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"time"
)

// Version identifies one content of one file. If the versions of two files, or of one file at two times, are equal,
// their bytes are the same; the reverse need not hold. Nothing may be cached under the zero Version.
//
// Where the file system can be trusted, a version consists of inode data: device, inode, size, mtime and ctime in
// nanoseconds. No program can set ctime back, so a restored mtime or a rename over the file changes the version. As in
// git's index, a file is "racily clean" if it changed so shortly before it was read that a later change could get the
// same time: it has no version until it has settled (see settled). A program that keeps writing through a memory map
// may change a file without updating its times at once; neither git nor this package has a remedy for that.
//
// Elsewhere (other systems, network and foreign file systems, mounts below a root) it is a SHA-256 of the content,
// which is known only after reading.
type Version struct {
	id     [5]uint64
	hashed bool
}

// IsZero reports whether v is the zero Version.
func (v Version) IsZero() bool { return v == Version{} }

// Key returns the version as a text that may be stored across runs; "" for the zero Version. A device may get another
// number when the machine starts, which changes the versions of its files.
func (v Version) Key() string {
	if v.IsZero() {
		return ""
	}
	key := "i"
	if v.hashed {
		key = "h"
	}
	for _, n := range v.id {
		key += "." + strconv.FormatUint(n, 36)
	}
	return key
}

// hashVersion returns the version of a content.
func hashVersion(data []byte) Version {
	sum := sha256.Sum256(data)
	v := Version{hashed: true}
	for i := range 4 {
		v.id[i] = binary.LittleEndian.Uint64(sum[8*i:])
	}
	v.id[4] = uint64(len(data))
	return v
}

// stamp is a version read from an inode, with the data needed to check it.
type stamp struct {
	version Version
	size    int64
	changed time.Time // the inode's ctime
}

// How long a stamp must be unchanged, more than twice the granularity of the clock behind it: the kernel's tick is 10
// ms at most, and a file system that stores whole seconds is recognized by its lack of nanoseconds.
const (
	tick   = 100 * time.Millisecond
	second = 2100 * time.Millisecond
)

// settled reports whether a file that had this stamp before it was read, at the given time, can no longer change
// without changing its stamp.
func (s stamp) settled(read time.Time) bool {
	rest := tick
	if s.changed.Nanosecond() == 0 {
		rest = second
	}
	return s.changed.Add(rest).Before(read)
}

// stamper is an opener of a tree whose file system can tell contents apart without reading them.
type stamper interface {
	// stampOf returns the stamp of a regular file, without following a link in any component. ok is false if there is
	// no such file, or if the file system does not guarantee its stamps.
	stampOf(path string) (s stamp, ok bool)
	// stampOpen returns the stamp of a file that this opener opened.
	stampOpen(f file) (s stamp, ok bool)
}

// readVersion does what readAll does and returns the version of the content: zero if the file changed, or may have
// changed, in between.
func readVersion(o opener, f file, size, limit int64, buf []byte, text bool) ([]byte, Version, error) {
	start := time.Now()
	var before stamp
	st, ok := o.(stamper)
	if ok {
		before, ok = st.stampOpen(f)
	}
	buf, err := readAll(f, size, limit, buf, text)
	if err != nil {
		return buf, Version{}, err
	}
	if !ok {
		return buf, hashVersion(buf), nil
	}
	after, ok := st.stampOpen(f)
	if !ok || after != before || after.size != int64(len(buf)) || !before.settled(start) {
		return buf, Version{}, nil
	}
	return buf, before.version, nil
}
