package sandbox

import (
	"bytes"
	"io/fs"
	gopath "path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/charset"
	"github.com/compactor-mcp/compactor/runtime/base/notebook"
)

// A tree opens files below one directory. Paths are plain or "." (see plainPath). Whatever a method opens or describes
// was reached without following a link in any component: errLink reports that there is one. Errors are bare sentinels;
// the callers know which name to add.
type tree interface {
	// stat describes the file at a path, without opening it for reading. A link is errLink.
	stat(path string) (meta, error)
	// readlink returns the text of a link; isLink is false for anything else.
	readlink(path string) (target string, isLink bool, err error)
	// opener returns an opener for one goroutine, which may keep the directory of the last open.
	opener() opener
	// gone reports whether the directory itself was deleted.
	gone() bool
	// self describes the directory itself.
	self() (fs.FileInfo, error)
	close() error
}

// opener opens files and directories of a tree. It belongs to one goroutine.
type opener interface {
	// open opens a regular file, or fails with ErrIsDir or ErrNotRegular. meta comes from the descriptor.
	open(path string) (file, meta, error)
	openDir(path string) (directory, error)
	close()
}

// file is an open regular file. read is as in io.Reader, except that (0, nil) means EOF.
type file interface {
	read(p []byte) (int, error)
	close()
}

// directory is an open directory. Its names are single components.
type directory interface {
	// list adds all names to l, in no order, until stop is set or l is full.
	list(l *listing, stop *atomic.Bool) error
	// stat describes a name, without following a link.
	stat(name string) (meta, error)
	// openFile opens a regular file that is not a link.
	openFile(name string) (file, meta, error)
	close()
}

// meta holds the file system's attributes of a file.
type meta struct {
	kind    kind
	size    int64
	modTime time.Time
}

// listing collects the names of a directory as full paths in one block of memory.
type listing struct {
	prefix string // the directory with its closing slash, "" for the root
	arena  []byte
	items  []listed
	text   string // arena, once it is complete
	full   bool   // there were more than maxListed names
}

type listed struct {
	start, end int
	kind       kind
}

// maxListed limits the names taken from one directory.
const maxListed = 1 << 20

func (l *listing) reset(dir string) {
	l.prefix = ""
	if dir != "." {
		l.prefix = dir + "/"
	}
	l.arena, l.items, l.text, l.full = l.arena[:0], l.items[:0], "", false
}

// add appends a name, which it copies. It reports whether there is room for more.
func (l *listing) add(name []byte, k kind) bool {
	if len(l.items) >= maxListed {
		l.full = true
		return false
	}
	start := len(l.arena)
	l.arena = append(append(l.arena, l.prefix...), name...)
	l.items = append(l.items, listed{start, len(l.arena), k})
	return true
}

// seal fixes the names; path and name may be called only after it.
func (l *listing) seal() { l.text = string(l.arena) }

func (l *listing) path(i int) string { return l.text[l.items[i].start:l.items[i].end] }
func (l *listing) name(i int) string { return l.text[l.items[i].start+len(l.prefix) : l.items[i].end] }

// readAll reads a file into buf's storage, up to limit bytes; more is ErrTooLarge. size is the file system's answer,
// which may be wrong: a file grows while it is read, and files that the kernel generates report 0. If text is set, a
// file that is not text is ErrBinary, if possible after its first block; see also decodeText. A slice returned with an
// error is only memory to reuse.
func readAll(f file, size, limit int64, buf []byte, text bool) ([]byte, error) {
	buf = buf[:0]
	if size > limit {
		return buf, ErrTooLarge
	}
	twoBytes := false
	for {
		if cap(buf)-len(buf) < 512 {
			buf = growBuffer(buf, size, limit)
		}
		// One byte over the limit is enough to know that a file is too large.
		room := buf[len(buf):min(int64(cap(buf)), limit+1)]
		if len(buf) == 0 {
			room = room[:min(len(room), firstBlock)]
		}
		n, err := f.read(room)
		if err != nil {
			return buf[:0], err
		}
		block := room[:n]
		if text && !twoBytes && notText(block, len(buf) == 0) {
			if twoBytes = len(buf) == 0 && charset.IsUTF16(block); !twoBytes {
				return buf[:0], ErrBinary
			}
		}
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return buf[:0], ErrTooLarge
		}
		// A short read that ends at the reported size is the end: this saves a call for nearly every file.
		if n == 0 || n < len(room) && int64(len(buf)) == size {
			if twoBytes && !charset.IsUTF16(buf) { // the first block looked like UTF-16, the rest did not
				return buf[:0], ErrBinary
			}
			return buf, nil
		}
	}
}

// decodeText converts what readAll read of a text file to UTF-8, and a notebook to the lines of its cells. Only UTF-16
// may contain zero bytes, and only before it is decoded.
func decodeText(path string, raw []byte) ([]byte, error) {
	text, name := charset.Decode(raw)
	if name == "" || name != charset.UTF8 && bytes.IndexByte(text, 0) >= 0 { // readAll has checked UTF-8
		return raw[:0], ErrBinary
	}
	if strings.EqualFold(gopath.Ext(path), ".ipynb") {
		if cells, ok := notebook.Lines(text); ok {
			return cells, nil
		}
	}
	return text, nil
}

func notText(block []byte, first bool) bool {
	if first {
		return IsBinary(block)
	}
	return bytes.IndexByte(block, 0) >= 0
}

// firstBlock is how much of a file is read before checking whether it is text, in bytes.
const firstBlock = 64 << 10

// growBuffer makes room for the first block, then for the reported size, then for twice as much. The 512 extra bytes make the
// last read short, which shows that it is the last.
func growBuffer(buf []byte, size, limit int64) []byte {
	want := int64(firstBlock)
	if len(buf) > 0 {
		want = max(size+512, 2*int64(len(buf)))
	}
	bigger := make([]byte, len(buf), min(want, limit+512))
	copy(bigger, buf)
	return bigger
}
