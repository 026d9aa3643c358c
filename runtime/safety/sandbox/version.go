package sandbox

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"time"
)

// Version names one content of one file. Two files, or two looks at a file, with equal versions have the same bytes;
// the reverse need not hold. The zero Version says nothing: such a content must not be kept under it.
//
// Where the file system can be trusted with it, a version is what the inode says: device, inode, size, time of change
// and time of the inode's change in nanoseconds. The last cannot be set back by a program, so a restored time of
// change or a rename over the file is another version. As in git's index, a file is "racily clean" when it changed so
// shortly before it was read that a later change could bear the same time: it has no version until it has come to
// rest (see settled). A program that goes on writing through a memory map may change a file without moving its
// times at once, for which neither git nor this has a remedy.
//
// Elsewhere (other systems, network and foreign file systems, mounts below a root) it is a SHA-256 of the content,
// which is known only after reading.
type Version struct {
	id     [5]uint64
	hashed bool
}

// IsZero reports a version that says nothing.
func (v Version) IsZero() bool { return v == Version{} }

// Key is the version as a text that outlives the process; "" for the zero Version. A device may be numbered anew when
// the machine starts, and a file then has another version.
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

// hashVersion is the version of a content.
func hashVersion(data []byte) Version {
	sum := sha256.Sum256(data)
	v := Version{hashed: true}
	for i := range 4 {
		v.id[i] = binary.LittleEndian.Uint64(sum[8*i:])
	}
	v.id[4] = uint64(len(data))
	return v
}

// stamp is a version read off an inode, with what is needed to judge it.
type stamp struct {
	version Version
	size    int64
	changed time.Time // the inode, last
}

// Granularities of the clock that inodes are stamped with: the kernel's tick is 10 ms at most, and a file system that
// stores whole seconds is known by its lack of nanoseconds. Twice of each and more.
const (
	tick   = 100 * time.Millisecond
	second = 2100 * time.Millisecond
)

// settled reports whether a file that looked like this before it was read at a time cannot change any more without
// looking different.
func (s stamp) settled(read time.Time) bool {
	rest := tick
	if s.changed.Nanosecond() == 0 {
		rest = second
	}
	return s.changed.Add(rest).Before(read)
}

// stamper is an opener of a tree whose file system tells contents apart without reading them.
type stamper interface {
	// stampOf looks at a regular file, without following a link in any component. ok is false where there is none, or
	// where the file system does not vouch for its stamps.
	stampOf(path string) (s stamp, ok bool)
	// stampOpen looks at a file that this opener opened.
	stampOpen(f file) (s stamp, ok bool)
}

// readVersion is readAll with the version of what was read: zero when it changed, or may have changed, meanwhile.
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
