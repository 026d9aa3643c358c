package sandbox

import (
	"context"
	"sync"
	"time"
)

// statPatience is how long Stat waits for a file system that does not answer.
const statPatience = 5 * time.Second

// readBuffers hold what ReadFile reads before it is copied to the caller: an abandoned read may still write to its
// buffer, which therefore must not be the caller's.
var readBuffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled limits the buffers that are kept, in bytes, so that one large file does not hold memory forever.
const maxPooled = 1 << 20

// ReadFile reads a whole text file into buf's storage, which grows when needed, and returns it as UTF-8 whatever its
// encoding. rel is relative to the root. Errors wrap ErrNotFound, ErrDenied, ErrOutside, ErrIsDir, ErrNotRegular,
// ErrTooLarge, ErrBinary, ErrUnreadable, ErrRootGone, ErrClosed or the cause of ctx's end.
func (r *Root) ReadFile(ctx context.Context, rel string, buf []byte) ([]byte, error) {
	buf, _, err := r.readFile(ctx, rel, buf, false)
	return buf, err
}

// ReadVersion does what ReadFile does and returns the version of the content, zero if it must not be cached.
func (r *Root) ReadVersion(ctx context.Context, rel string, buf []byte) ([]byte, Version, error) {
	return r.readFile(ctx, rel, buf, true)
}

func (r *Root) readFile(ctx context.Context, rel string, buf []byte, versioned bool) ([]byte, Version, error) {
	type content struct {
		data    *[]byte
		version Version
	}
	got, err := awaitCall(ctx, r.core, func() (c content, err error) {
		c.data = readBuffers.Get().(*[]byte)
		*c.data, c.version, err = r.readText(rel, (*c.data)[:cap(*c.data)], versioned)
		return c, err
	})
	buf = buf[:0]
	if err == nil {
		buf = append(buf, *got.data...)
	}
	if got.data != nil && cap(*got.data) <= maxPooled {
		readBuffers.Put(got.data)
	}
	return buf, got.version, r.wrapError(rel, err)
}

// readText locates, opens and reads a file. If its links change in between, it starts over.
func (r *Root) readText(rel string, buf []byte, versioned bool) ([]byte, Version, error) {
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
		switch buf, v, err = r.readAt(o, at.path, buf, versioned); err {
		case nil:
			buf, err = decodeText(rel, buf)
			return buf, v, err
		case errLink:
		default:
			return buf, v, err
		}
	}
	return buf, Version{}, ErrNotRegular
}

// readAt opens a path that is known not to be denied, and reads it.
func (r *Root) readAt(o opener, path string, buf []byte, versioned bool) ([]byte, Version, error) {
	f, m, err := o.open(path)
	if err != nil {
		return buf, Version{}, err
	}
	defer f.close()
	if versioned {
		return readVersion(o, f, m.size, r.opt.MaxFileSize, buf, true)
	}
	buf, err = readAll(f, m.size, r.opt.MaxFileSize, buf, true)
	return buf, Version{}, err
}

// Stat describes a file or directory without reading it. It follows links that lead to a place inside the root.
func (r *Root) Stat(rel string) (Entry, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), statPatience, ErrStalled)
	defer cancel()
	at, err := awaitCall(ctx, r.core, func() (place, error) { return r.locate(rel) })
	if err != nil {
		return Entry{}, r.wrapError(rel, err)
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
