package sandbox

import (
	"context"
	"sync"
	"time"
)

// statPatience is how long Stat waits for a file system that does not answer.
const statPatience = 5 * time.Second

// readBuffers hold what ReadFile reads before it is copied to the caller: a read that was given up may still write to
// its buffer, which therefore must not be the caller's.
var readBuffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled keeps one large file from holding its memory for ever, in bytes.
const maxPooled = 1 << 20

// ReadFile reads a whole text file into buf's storage, which grows when needed, and returns it as UTF-8, whatever its
// encoding is. rel is relative to the root. Errors wrap ErrNotFound, ErrDenied, ErrOutside, ErrIsDir, ErrNotRegular,
// ErrTooLarge, ErrBinary, ErrUnreadable, ErrRootGone, ErrClosed or the cause of ctx's end.
func (r *Root) ReadFile(ctx context.Context, rel string, buf []byte) ([]byte, error) {
	buf, _, err := r.readFile(ctx, rel, buf, readPlain)
	return buf, err
}

// ReadVersion is ReadFile with the version of the content, zero when there is none to keep anything under.
func (r *Root) ReadVersion(ctx context.Context, rel string, buf []byte) ([]byte, Version, error) {
	return r.readFile(ctx, rel, buf, readTextVersion)
}

// readFunc reads an open file, and says which version of it that was.
type readFunc func(o opener, f file, size, limit int64, buf []byte) ([]byte, Version, error)

func readTextVersion(o opener, f file, size, limit int64, buf []byte) ([]byte, Version, error) {
	buf, v, err := readVersion(o, f, size, limit, buf, true)
	if err == nil {
		buf, err = decodeText(buf)
	}
	return buf, v, err
}

func readPlain(_ opener, f file, size, limit int64, buf []byte) ([]byte, Version, error) {
	buf, err := readAll(f, size, limit, buf, true)
	if err == nil {
		buf, err = decodeText(buf)
	}
	return buf, Version{}, err
}

func (r *Root) readFile(ctx context.Context, rel string, buf []byte, how readFunc) ([]byte, Version, error) {
	type content struct {
		data    *[]byte
		version Version
	}
	got, err := await(ctx, r.core, func() (c content, err error) {
		c.data = readBuffers.Get().(*[]byte)
		*c.data, c.version, err = r.read(rel, (*c.data)[:cap(*c.data)], how)
		return c, err
	})
	buf = buf[:0]
	if err == nil {
		buf = append(buf, *got.data...)
	}
	if got.data != nil && cap(*got.data) <= maxPooled {
		readBuffers.Put(got.data)
	}
	return buf, got.version, r.fail(rel, err)
}

// read locates, opens and reads; a path that changes its links meanwhile is looked at again.
func (r *Root) read(rel string, buf []byte, how readFunc) ([]byte, Version, error) {
	o := r.core.tree.opener()
	defer o.close()
	for range maxRaces {
		at, err := r.locate(rel)
		switch {
		case err != nil:
			return buf, Version{}, err
		case at.meta.kind == kindDir:
			return buf, Version{}, ErrIsDir
		}
		var v Version
		if buf, v, err = r.readAt(o, at.path, buf, how); err != errLink {
			return buf, v, err
		}
	}
	return buf, Version{}, ErrNotRegular
}

// readAt opens a path that is known not to be denied, and reads it.
func (r *Root) readAt(o opener, path string, buf []byte, how readFunc) ([]byte, Version, error) {
	f, m, err := o.open(path)
	if err != nil {
		return buf, Version{}, err
	}
	defer f.close()
	return how(o, f, m.size, r.opt.MaxFileSize, buf)
}

// Stat describes a file or directory without reading it. A link is followed when it leads to a place inside.
func (r *Root) Stat(rel string) (Entry, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), statPatience, ErrStalled)
	defer cancel()
	at, err := await(ctx, r.core, func() (place, error) { return r.locate(rel) })
	if err != nil {
		return Entry{}, r.fail(rel, err)
	}
	clean, _, err := cleanPath(rel)
	return entryOf(clean, at.meta, at.link), err
}

func entryOf(path string, m meta, link bool) Entry {
	e := Entry{Path: path, Dir: m.kind == kindDir, Link: link, ModTime: m.modTime}
	if m.kind == kindFile {
		e.Size = m.size
	}
	return e
}
