package recording

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// maxBody limits how much of one body is kept, in bytes; adapters read no more than model.MaxReply.
const maxBody = model.MaxReply + 1<<16

// afterClose is how long to wait for the rest of a body after the client stops reading. Clients of
// event streams stop at the last event; what the server sends after that arrives at once.
const afterClose = 100 * time.Millisecond

// flight is an exchange in progress.
type flight struct {
	rec *Recorder

	mu   sync.Mutex
	e    Exchange
	done bool
}

func (f *flight) setResponse(res *http.Response) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.e.Status = res.StatusCode
	f.e.ContentType = strings.ToValidUTF8(res.Header.Get("Content-Type"), "")
	f.e.RetryAfter = strings.ToValidUTF8(res.Header.Get("Retry-After"), "")
}

// keepBody stores data that was read. It returns false if the limit is reached and the rest is not
// kept.
func (f *flight) keepBody(data []byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	room := maxBody - len(f.e.Body)
	f.e.Body = append(f.e.Body, data[:min(room, len(data))]...)
	return len(data) <= room
}

// finishAs records the exchange, the first time it is called.
func (f *flight) finishAs(end End) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return
	}
	f.done = true
	if end == Closed && f.e.Status == 0 {
		end = Cancelled
	}
	f.e.End = end
	f.rec.add(f, f.e.maskSecrets())
}

// tee is a body that is recorded while it is read.
type tee struct {
	body   io.ReadCloser
	flight *flight
	ctx    context.Context // of the request

	mu      sync.Mutex // Read may still run when Close is called
	reading bool
	ended   bool
}

func (t *tee) Read(p []byte) (int, error) {
	t.setState(true, false)
	n, err := t.body.Read(p)
	fits := t.flight.keepBody(p[:n])
	switch {
	case err == io.EOF && fits:
		t.flight.finishAs(Whole)
	case !fits:
		t.flight.finishAs(Closed)
	case err != nil:
		t.flight.finishAs(endOf(t.ctx, err))
	}
	t.setState(false, err != nil || !fits)
	return n, err
}

func (t *tee) setState(reading, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reading, t.ended = reading, t.ended || ended
}

// Close waits a moment for the end of the body, unless it is known or the client gave up.
func (t *tee) Close() error {
	t.mu.Lock()
	wait := !t.reading && !t.ended && t.ctx.Err() == nil
	t.mu.Unlock()
	if wait {
		t.drain()
	}
	t.flight.finishAs(t.givenUp())
	return t.body.Close()
}

// drain reads until the body ends or the time is up.
func (t *tee) drain() {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, onlyReader{t})
	}()
	timer := time.NewTimer(afterClose)
	defer timer.Stop()
	select {
	case <-drained:
	case <-timer.C:
	case <-t.ctx.Done():
	}
}

func (t *tee) givenUp() End {
	if err := t.ctx.Err(); err != nil {
		return endOf(t.ctx, err)
	}
	return Closed
}

// onlyReader hides all methods but Read.
type onlyReader struct{ io.Reader }
