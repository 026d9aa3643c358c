package sandbox

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
)

// ScanStats counts the outcome of each file of a scan. Each file is counted once; files missing from the sum were not
// reached because the scan was cut short.
type ScanStats struct {
	Files    int   // passed to the function
	Bytes    int64 // in those files
	Binary   int
	Oversize int
	Denied   int
	Missing  int // gone since they were listed, or no longer a regular file
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

// countError counts the error of one file by its kind.
func (s *ScanStats) countError(err error) {
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

// Scan reads each file once and calls fn with its content as UTF-8, from several goroutines: worker is 0 to workers-1
// and calls of one worker do not overlap; index is the file's index in files. data is valid only during the call. Files
// are read in no fixed order, so results must be stored by index. workers 0 means one per processor; at most 16 are
// used.
//
// Binary, oversized, denied and unreadable files are counted and skipped. When ctx ends, no further call is made and
// Scan returns the work so far, with stats.Cut set and without an error; it waits for a running fn. A panic in fn is
// raised again in the caller's goroutine.
func (r *Root) Scan(ctx context.Context, files []Entry, workers int, fn func(worker int, index int, e Entry, data []byte)) (ScanStats, error) {
	return r.scan(ctx, files, workers, Visitor{Read: func(w, i int, e Entry, data []byte, _ Version) { fn(w, i, e, data) }})
}

// Visitor holds the callbacks and options of ScanVersions.
type Visitor struct {
	// Known is called before a file is read, or at the latest before it is handed to Read, and reports whether the
	// content with this version is known; if so, the file counts as read and is not handed to Read.
	Known func(worker, index int, v Version) bool
	// Read receives the files that are not known. A zero version must not be stored.
	Read func(worker, index int, e Entry, data []byte, v Version)
	// Skipped is called for each file that goes to neither of them, with a sentinel of this package. It may be nil.
	Skipped func(worker, index int, why error)
	// Any also reads files that are not text, for a caller that knows their format. It lifts no other rule.
	Any bool
	// Largest replaces the root's limit on the size of a file, in bytes; 0 keeps that limit.
	Largest int64
}

// ScanVersions does what Scan does, for a caller that stores what it derives from a content. A known file need not be
// read again, but all rules of Scan still apply to it. Known and Read are called as Scan calls fn.
func (r *Root) ScanVersions(ctx context.Context, files []Entry, workers int, v Visitor) (ScanStats, error) {
	return r.scan(ctx, files, workers, v)
}

func (r *Root) scan(ctx context.Context, files []Entry, workers int, v Visitor) (ScanStats, error) {
	if err := r.core.acquire(); err != nil {
		return ScanStats{}, r.wrapError("", err)
	}
	defer r.core.release()
	v.Largest = min(cmp.Or(v.Largest, r.opt.MaxFileSize), LargestFileSize)
	s := &scan{root: r, files: files, Visitor: v, ended: func() bool { return ctx.Err() != nil }}
	s.shares = make([]share, min(workerCount(workers), max(len(files), 1)))
	group := startWorkers(r.core, len(s.shares), s.readFiles)
	group.wait(ctx)
	stats := s.close()
	group.raisePanic() // fn may have panicked after the wait ended
	return stats, nil
}

type scan struct {
	Visitor // Known is nil if nothing is stored
	root    *Root
	files   []Entry
	next    atomic.Int64
	ended   func() bool
	shares  []share
}

// share is the work of one worker. Its lock is held while fn runs: closing the scan takes the lock and so waits for fn,
// and a worker that returns later from a hanging read sees that the scan is over.
type share struct {
	mu    sync.Mutex
	over  bool
	stats ScanStats
	_     [64]byte // keeps the locks of two workers off one cache line
}

// readFiles reads files until none are left. All workers share the number of the next file, so that none is idle early.
func (s *scan) readFiles(worker int) {
	o := s.root.core.tree.opener()
	defer o.close()
	reader := scanReader{root: s.root, opener: o, versions: s.Known != nil, largest: s.Largest, text: !s.Any}
	for !s.ended() {
		i := int(s.next.Add(1) - 1)
		if i >= len(s.files) {
			return
		}
		if !s.scanFile(&reader, worker, i) {
			return
		}
	}
}

// scanFile handles one file and reports whether the scan goes on.
func (s *scan) scanFile(reader *scanReader, worker, i int) bool {
	w, path := &s.shares[worker], s.root.fullPath(s.files[i].Path)
	err := reader.admitPath(path)
	if err == nil && s.Known != nil {
		if st, ok := reader.stampFile(path); ok {
			if spared, ok := w.spareKnown(s, worker, i, st.version, st.size); spared || !ok {
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
		if spared, ok := w.spareKnown(s, worker, i, v, int64(len(data))); spared || !ok {
			return ok
		}
	}
	return w.reportFile(s, worker, i, data, v, err)
}

// spareKnown asks whether a content is known, and counts the file if so. ok is false if the scan is over.
func (w *share) spareKnown(s *scan, worker, i int, v Version, size int64) (spared, ok bool) {
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

func (w *share) reportFile(s *scan, worker, i int, data []byte, v Version, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || s.ended() {
		return false
	}
	if err != nil {
		w.stats.countError(err)
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
	total.Cut = s.ended() && s.isUnfinished(total)
	return total
}

func (s *scan) isUnfinished(t ScanStats) bool {
	return t.Files+t.Binary+t.Oversize+t.Denied+t.Missing+t.Failed < len(s.files)
}

// scanReader reads files for one worker into one buffer. Files of one directory come in a row, so it remembers the last
// directory that was allowed.
type scanReader struct {
	root     *Root
	opener   opener
	versions bool // return versions
	text     bool // refuse files that are not text
	largest  int64
	buf      []byte
	dir      string // the last directory that was found not to be denied
}

// read reads a file that admitPath has allowed.
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

// stampFile returns the stamp of a file that admitPath has allowed. ok is false for a file that is too large.
func (r *scanReader) stampFile(path string) (stamp, bool) {
	st, ok := r.opener.(stamper)
	if !ok {
		return stamp{}, false
	}
	s, ok := st.stampOf(path)
	return s, ok && s.size <= r.largest
}

// admitPath checks a path against the rules, since entries may come from anywhere.
func (r *scanReader) admitPath(path string) error {
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
