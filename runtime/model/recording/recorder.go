package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Recorder records the exchanges of the clients it wraps. It is safe for concurrent
// use.
//
// While it runs, each finished exchange is appended as a complete line to a temporary
// file next to the recording, which survives a crash. Close creates the recording from
// them.
type Recorder struct {
	path string
	part *os.File

	mu     sync.Mutex
	all    []Exchange
	open   map[*flight]bool
	err    error // of the temporary file; no loss while all exchanges are in memory
	closed bool
}

// Record begins a recording that Close writes to path, replacing an existing file. It
// returns an error, before any request is sent, if path cannot be written to.
func Record(path string) (*Recorder, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("recording %s: there is something else than a file", path)
	}
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return nil, fileError(path, err)
	}
	return &Recorder{path: path, part: part, open: map[*flight]bool{}}, nil
}

// Wrap returns next with its exchanges recorded. provider is the adapter that sends the
// requests: openai or ollama. Bodies pass through as they arrive. For any other
// provider, such as a replay, nothing is recorded.
func (r *Recorder) Wrap(provider string, next model.Doer) model.Doer {
	if !isProvider(provider) {
		return next
	}
	return doer{r, provider, next}
}

type doer struct {
	rec      *Recorder
	provider string
	next     model.Doer
}

func (d doer) Do(req *http.Request) (*http.Response, error) {
	sent, req, err := takeBody(req)
	if err != nil {
		return nil, err
	}
	// A client that stops at a stream's last event gives its connection up. Here the
	// rest is read, and the connection would be reused while the server closes it.
	req = req.Clone(req.Context())
	req.Close = true
	f := d.rec.beginFlight(Exchange{Provider: d.provider, Method: req.Method, Path: pathOf(req), Request: sent})
	res, err := d.next.Do(req)
	if err != nil {
		f.finishAs(endOf(req.Context(), err))
		return res, err
	}
	f.setResponse(res)
	res.Body = &tee{body: res.Body, flight: f, ctx: req.Context()}
	return res, nil
}

// takeBody reads the request body and returns a request that still sends it.
func takeBody(req *http.Request) ([]byte, *http.Request, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, req, nil
	}
	data, err := io.ReadAll(req.Body)
	_ = req.Body.Close()
	if err != nil {
		return nil, nil, err
	}
	again := req.Clone(req.Context())
	again.Body = io.NopCloser(bytes.NewReader(data))
	again.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	sent, _ := canonicalJSON(data)
	return sent, again, nil
}

func pathOf(req *http.Request) string {
	if p := req.URL.EscapedPath(); strings.HasPrefix(p, "/") {
		return p
	}
	return "/"
}

func (r *Recorder) beginFlight(e Exchange) *flight {
	f := &flight{rec: r, e: e}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[f] = true
	return f
}

// add appends a line with a single write, so that lines of exchanges that end
// concurrently stay intact.
func (r *Recorder) add(f *flight, e Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(r.open, f); r.closed {
		return
	}
	r.all = append(r.all, e)
	text, err := e.MarshalLine()
	if err == nil {
		_, err = r.part.Write(text)
	}
	if r.err == nil {
		r.err = err
	}
}

// Count returns how many exchanges have ended so far, and in how many of them a server
// answered.
func (r *Recorder) Count() (ended, answered int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.all {
		if e.Status != 0 {
			answered++
		}
	}
	return len(r.all), answered
}

// ErrKept reports that a recording was not replaced: it has answers, and its
// replacement has none.
var ErrKept = errors.New("it stays as it was: it has answers, and this time no model answered")

// Close writes the recording. Exchanges in progress are included with the data that has
// arrived. If there was no exchange, the file is kept, and it is kept with ErrKept if
// it has answers but the new exchanges have none.
func (r *Recorder) Close() error {
	for _, f := range r.openFlights() {
		f.finishAs(Closed)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	r.err = errors.Join(r.err, r.part.Close())
	if len(r.all) > 0 && !hasAnswer(r.all) {
		if before, err := Read(r.path); err == nil && hasAnswer(before) {
			return errors.Join(fmt.Errorf("recording %s: %w", r.path, ErrKept), os.Remove(r.part.Name()))
		}
	}
	if len(r.all) > 0 {
		if err := Write(r.path, r.all); err != nil && r.err == nil {
			return fmt.Errorf("%w; the exchanges are in %s", err, r.part.Name())
		} else if err != nil {
			return err
		}
	}
	return os.Remove(r.part.Name())
}

// hasAnswer reports whether a model said anything: a list of models does not count as an
// answer.
func hasAnswer(all []Exchange) bool {
	return slices.ContainsFunc(all, func(e Exchange) bool {
		return e.Status/100 == 2 && e.Method == http.MethodPost && (e.End == Whole || e.End == Closed)
	})
}

// Discard ends a recording without writing it.
func (r *Recorder) Discard() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.closed = true
		_ = r.part.Close()
		_ = os.Remove(r.part.Name())
	}
}

func (r *Recorder) openFlights() []*flight {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*flight
	for f := range r.open {
		out = append(out, f)
	}
	return out
}
