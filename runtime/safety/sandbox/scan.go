package sandbox

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
)

// ScanStats counts what became of the files of a scan. Each file is counted once; what is missing from the sum was not
// reached because the scan was cut.
type ScanStats struct {
	Files    int   // given to the function
	Bytes    int64 // in them
	Binary   int
	Oversize int
	Denied   int
	Missing  int // gone since they were listed, or no regular file any more
	Failed   int // could not be read
	Cut      bool
}

func (s *ScanStats) add(o ScanStats) {
	s.Files += o.Files
	s.Bytes += o.Bytes
	s.Binary += o.Binary
	s.Oversize += o.Oversize
	s.Denied += o.Denied
	s.Missing += o.Missing
	s.Failed += o.Failed
}

// count files an error of one file under its kind.
func (s *ScanStats) count(err error) {
	switch err {
	case ErrBinary:
		s.Binary++
	case ErrTooLarge:
		s.Oversize++
	case ErrDenied:
		s.Denied++
	case ErrNotFound, ErrIsDir, ErrNotRegular, errLink:
		s.Missing++
	default:
		s.Failed++
	}
}

// Scan reads each file once and calls fn with its content as UTF-8, from several goroutines: worker is 0 to workers-1 and
// calls of one worker do not overlap; index is the file's place in files. data is valid during the call only. Files are
// read in no fixed order, so results must be kept by index. workers 0 stands for one per processor; more than 16 are not
// used.
//
// Binary, oversized, denied and unreadable files are counted and skipped. When ctx ends no further call is made and what
// was done is returned with stats.Cut set and without an error; fn itself is waited for. A panic in fn is raised again
// in the goroutine of the caller.
func (r *Root) Scan(ctx context.Context, files []Entry, workers int, fn func(worker int, index int, e Entry, data []byte)) (ScanStats, error) {
	return r.scan(ctx, files, workers, Visitor{Read: func(w, i int, e Entry, data []byte, _ Version) { fn(w, i, e, data) }})
}

// Visitor takes part in ScanVersions.
type Visitor struct {
	// Known is asked before a file is read, or at the latest before it is given out, whether its content is known under
	// this version; it is then counted like a file that was read, and not given to Read.
	Known func(worker, index int, v Version) bool
	// Read is given what is not known. A zero version must not be kept.
	Read func(worker, index int, e Entry, data []byte, v Version)
	// Skipped is told of each file that is given to neither, with a sentinel of this package for the reason. It may be nil.
	Skipped func(worker, index int, why error)
	// Any has files read that are no text, by who knows their format. No other rule is lifted by it.
	Any bool
	// Largest is the size of a file that is read, in bytes, in the place of the root's limit; 0 for that.
	Largest int64
}

// ScanVersions is Scan for a caller who keeps what it makes of a content. A file that is known is spared reading; every
// rule that Scan applies to a file is applied to it all the same. Known and Read are called as Scan calls fn.
func (r *Root) ScanVersions(ctx context.Context, files []Entry, workers int, v Visitor) (ScanStats, error) {
	return r.scan(ctx, files, workers, v)
}

func (r *Root) scan(ctx context.Context, files []Entry, workers int, v Visitor) (ScanStats, error) {
	if err := r.core.acquire(); err != nil {
		return ScanStats{}, r.fail("", err)
	}
	defer r.core.release()
	v.Largest = min(cmp.Or(v.Largest, r.opt.MaxFileSize), LargestFileSize)
	s := &scan{root: r, files: files, Visitor: v, ended: func() bool { return ctx.Err() != nil }}
	s.shares = make([]share, min(workerCount(workers), max(len(files), 1)))
	group := startWorkers(r.core, len(s.shares), s.work)
	group.wait(ctx)
	stats := s.close()
	group.raise() // fn may have panicked after the wait was over
	return stats, nil
}

type scan struct {
	Visitor // Known is nil when nothing is kept
	root    *Root
	files   []Entry
	next    atomic.Int64
	ended   func() bool
	shares  []share
}

// share is what one worker has done. Its lock is held while fn runs: whoever closes the scan waits for fn by it, and a
// worker that comes back from a hanging read afterwards sees that it is over.
type share struct {
	mu    sync.Mutex
	over  bool
	stats ScanStats
	_     [64]byte // keeps the locks of two workers off one cache line
}

// work reads files until there are none. The number of the next file is shared, so that no worker runs dry early.
func (s *scan) work(worker int) {
	o := s.root.core.tree.opener()
	defer o.close()
	reader := scanReader{root: s.root, opener: o, versions: s.Known != nil, largest: s.Largest, text: !s.Any}
	for !s.ended() {
		i := int(s.next.Add(1) - 1)
		if i >= len(s.files) {
			return
		}
		if !s.one(&reader, worker, i) {
			return
		}
	}
}

// one sees to one file, and reports whether the scan goes on.
func (s *scan) one(reader *scanReader, worker, i int) bool {
	w, path := &s.shares[worker], s.root.full(s.files[i].Path)
	err := reader.admit(path)
	if err == nil && s.Known != nil {
		if st, ok := reader.stamp(path); ok {
			if spared, ok := w.spare(s, worker, i, st.version, st.size); spared || !ok {
				return ok
			}
		}
	}
	var data []byte
	var v Version
	if err == nil {
		data, v, err = reader.read(path)
	}
	if err == nil && v.hashed {
		if spared, ok := w.spare(s, worker, i, v, int64(len(data))); spared || !ok {
			return ok
		}
	}
	return w.report(s, worker, i, data, v, err)
}

// spare asks whether a content is known, and counts the file if so. ok is false when the scan is over.
func (w *share) spare(s *scan, worker, i int, v Version, size int64) (spared, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || s.ended() {
		return false, false
	}
	if !s.Known(worker, i, v) {
		return false, true
	}
	w.stats.Files++
	w.stats.Bytes += size
	return true, true
}

func (w *share) report(s *scan, worker, i int, data []byte, v Version, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || s.ended() {
		return false
	}
	if err != nil {
		w.stats.count(err)
		if s.Skipped != nil {
			s.Skipped(worker, i, err)
		}
		return true
	}
	w.stats.Files++
	w.stats.Bytes += int64(len(data))
	s.Read(worker, i, s.files[i], data, v)
	return true
}

func (s *scan) close() ScanStats {
	var total ScanStats
	for i := range s.shares {
		w := &s.shares[i]
		w.mu.Lock()
		w.over = true
		total.add(w.stats)
		w.mu.Unlock()
	}
	total.Cut = s.ended() && s.unfinished(total)
	return total
}

func (s *scan) unfinished(t ScanStats) bool {
	return t.Files+t.Binary+t.Oversize+t.Denied+t.Missing+t.Failed < len(s.files)
}

// scanReader reads files for one worker into one buffer. Files of one directory come in a row, so the verdict on the
// directory is kept.
type scanReader struct {
	root     *Root
	opener   opener
	versions bool // are wanted
	text     bool // only
	largest  int64
	buf      []byte
	dir      string // the last directory, which is not denied
}

// read reads a file that was admitted.
func (r *scanReader) read(path string) (data []byte, v Version, err error) {
	f, m, err := r.opener.open(path)
	if err != nil {
		return nil, v, err
	}
	defer f.close()
	if r.versions {
		r.buf, v, err = readVersion(r.opener, f, m.size, r.largest, r.buf, r.text)
	} else {
		r.buf, err = readAll(f, m.size, r.largest, r.buf, r.text)
	}
	if err != nil || !r.text {
		return r.buf, v, err
	}
	data, err = decodeText(path, r.buf)
	return data, v, err
}

// stamp looks at a file that was admitted. One that is too large is none that could be known.
func (r *scanReader) stamp(path string) (stamp, bool) {
	st, ok := r.opener.(stamper)
	if !ok {
		return stamp{}, false
	}
	s, ok := st.stampOf(path)
	return s, ok && s.size <= r.largest
}

// admit holds a path against the rules: entries may come from anywhere.
func (r *scanReader) admit(path string) error {
	dir, name := splitPath(path)
	if dir != r.dir {
		if !plainPath(path) {
			return ErrNotFound
		}
		if dir != "." && r.root.deniedAs(dir, kindDir) {
			return ErrDenied
		}
		r.dir = dir
	}
	if !plainPath(name) {
		return ErrNotFound
	}
	if r.root.deniedIn(path, kindFile) {
		return ErrDenied
	}
	return nil
}
