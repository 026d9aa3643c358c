package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

const (
	endSession  = 2 * time.Second // for telling the server that a session is over
	resumeAfter = time.Second     // if the server does not say
	minResume   = 10 * time.Millisecond
	maxResume   = time.Minute
	drainTime   = 200 * time.Millisecond
)

// httpWire is streamable HTTP: each message is a separate POST, whose response carries what belongs to it.
type httpWire struct {
	web
	to     sink
	ctx    context.Context // of the streams that outlive a request
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu      sync.Mutex
	session string
}

func newHTTPWire(s Spec, client *http.Client, login Login) *httpWire {
	w := &httpWire{web: web{spec: s, client: client, login: login}}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

func (w *httpWire) open(_ context.Context, to sink) error {
	w.to = to
	return nil
}

func (w *httpWire) exchanges() bool { return true }

func (w *httpWire) sessionHeader(more map[string]string) map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	header := map[string]string{}
	for name, value := range more {
		header[name] = value
	}
	if w.session != "" {
		header[mcp.HeaderSessionID] = w.session
	}
	return header
}

func (w *httpWire) send(ctx context.Context, f *frame) error {
	if !f.begin() {
		return context.Canceled
	}
	header := w.sessionHeader(f.header)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	response, err := w.doWithLogin(ctx, http.MethodPost, w.spec.URL, f.body, header)
	if err != nil {
		if neverReached(err) {
			f.fate.Store(taken)
			w.to.lost(err)
		}
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound && header[mcp.HeaderSessionID] != "" {
		f.fate.Store(taken) // an unknown session executes nothing
		w.to.lost(errSession)
		return errSession
	}
	if f.call == nil {
		return w.checkAccepted(response)
	}
	if f.method == string(mcp.MethodInitialize) {
		w.keepSession(response.Header.Get(mcp.HeaderSessionID))
	}
	return w.answer(ctx, stop, f, response)
}

func (w *httpWire) keepSession(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session = id
}

func (w *web) checkAccepted(r *http.Response) error {
	if r.StatusCode/100 != 2 {
		return w.statusOf(r, readRefusal(r))
	}
	return nil
}

// answer reads the response to a request.
func (w *httpWire) answer(ctx context.Context, stop func(), f *frame, response *http.Response) error {
	if response.StatusCode/100 != 2 {
		return w.readRefused(f, response)
	}
	switch kind := mediaType(response); kind {
	case "application/json":
		body, err := readBody(response, w.spec.MaxMessage)
		if long := (errLong{}); errors.As(err, &long) {
			return &useless{err}
		}
		if err != nil {
			return brokenOff(withoutURL(ctx, err))
		}
		w.deliver(body, f.call)
	case "text/event-stream":
		if err := w.readEvents(ctx, stop, f.call, response); err != nil {
			return err
		}
	default:
		return &useless{wrongType(kind)}
	}
	return &useless{errors.New("no message has the request's id")} // counts only if there was none
}

// readRefused reads a response with an error status: it may contain the protocol's error. With 401 the status says more
// than that error, as it precedes the protocol.
func (w *httpWire) readRefused(f *frame, response *http.Response) error {
	body := readRefusal(response)
	if refusesSession(response.StatusCode) && w.sessionLost(f.call, string(body), true, nil) {
		return errSession
	}
	if err := protocolError(body, f.call); err != nil && mediaType(response) == "application/json" && response.StatusCode != http.StatusUnauthorized {
		f.call.finish(nil, err)
	}
	return w.statusOf(response, body)
}

// protocolError returns the error for call in a body; nil if there is none. A member "error" alone is not enough: OAuth
// and many web frameworks write it too.
func protocolError(body []byte, to *call) error {
	m, err := parse(body)
	if err != nil || m.failure == nil || m.id != nil && keyOf(m.id) != to.key || m.id == nil && rawjson.Get(body, "jsonrpc") == nil {
		return nil
	}
	var rpc *RPCError
	if _, err := m.answer(); errors.As(err, &rpc) {
		return rpc
	}
	return nil
}

func (w *httpWire) deliver(data []byte, via *call) {
	m, err := parse(data)
	if err != nil {
		return
	}
	if via != nil {
		if w.reportsLostSession(m, via) {
			return
		}
		via.frame.spoken = via.frame.spoken || m.method != ""
	}
	w.to.take(m, via)
}

// readEvents reads the stream of one request until its answer arrives. A handshake-era stream that ends early is resumed
// where it ended, if the server gave its events ids.
func (w *httpWire) readEvents(ctx context.Context, stop func(), via *call, response *http.Response) error {
	lastID, retry := "", time.Duration(0)
	for {
		r := newEventReader(response.Body, w.spec.MaxMessage)
		r.lastID, r.retry = lastID, retry
		err := w.stream(r, via)
		if err == nil {
			drainResponse(stop, response)
			return nil
		}
		response.Body.Close()
		if long := (errLong{}); errors.As(err, &long) {
			return &useless{err}
		}
		if !isStreamEnd(err) || ctx.Err() != nil {
			return fmt.Errorf("the stream broke off: %w", withoutURL(ctx, err))
		}
		lastID, retry = r.lastID, r.retry
		if lastID == "" || w.isStateless() || isHandshake(via.method) { // a start is repeated rather than resumed
			return unansweredError(r.odd)
		}
		if response, err = w.resume(ctx, lastID, retry); err != nil {
			return err
		}
	}
}

// unansweredError returns the error of a stream that has ended, with the first line that is not part of an event.
func unansweredError(odd []byte) error {
	if odd == nil {
		return errors.New("the stream ended without an answer")
	}
	return fmt.Errorf("the stream ended without an answer; in place of an event it holds %q", sanitize.OneLine(string(odd), maxLine))
}

// drainResponse reads the rest of an answered stream, usually just its end, so that the connection can be reused.
func drainResponse(stop func(), response *http.Response) {
	defer time.AfterFunc(drainTime, stop).Stop()
	_, _ = io.CopyN(io.Discard, response.Body, maxRefusal)
	response.Body.Close()
}

// stream passes on the events of a stream until via has its answer; via may be nil.
func (w *httpWire) stream(r *eventReader, via *call) error {
	for {
		e, err := r.next()
		if err != nil {
			return err
		}
		if len(e.data) > 0 && e.name == "message" { // an empty one only prepares for resuming
			w.deliver(e.data, via)
		}
		if via == nil {
			continue
		}
		select {
		case <-via.done:
			return nil
		default:
		}
	}
}

func (w *httpWire) resume(ctx context.Context, lastID string, retry time.Duration) (*http.Response, error) {
	wait := resumeAfter
	if retry > 0 {
		wait = min(max(retry, minResume), maxResume)
	}
	if err := sleep(ctx, wait); err != nil {
		return nil, err
	}
	response, err := w.doWithLogin(ctx, http.MethodGet, w.spec.URL, nil, w.sessionHeader(map[string]string{mcp.HeaderLastEventID: lastID}))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK || mediaType(response) != "text/event-stream" {
		defer response.Body.Close()
		return nil, fmt.Errorf("the stream ended without an answer and cannot be taken up: %w", w.noStream(response))
	}
	return response, nil
}

// listen keeps the stream open for unsolicited messages of a server of the handshake era.
func (w *httpWire) listen() {
	w.work.Go(func() {
		lastID, wait := "", firstWait
		for {
			began := time.Now()
			more := w.listenOnce(&lastID)
			if time.Since(began) > maxWait {
				wait = firstWait
			}
			if !more || sleep(w.ctx, wait) != nil {
				return
			}
			wait = min(2*wait, maxWait)
		}
	})
}

// listenOnce reports whether another attempt is worthwhile.
func (w *httpWire) listenOnce(lastID *string) bool {
	header := map[string]string{}
	if *lastID != "" {
		header[mcp.HeaderLastEventID] = *lastID
	}
	response, err := w.doWithLogin(w.ctx, http.MethodGet, w.spec.URL, nil, w.sessionHeader(header))
	if err != nil {
		return w.ctx.Err() == nil
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || mediaType(response) != "text/event-stream" {
		return response.StatusCode/100 == 5
	}
	r := newEventReader(response.Body, w.spec.MaxMessage)
	_ = w.stream(r, nil)
	*lastID = r.lastID
	return w.ctx.Err() == nil
}

func (w *httpWire) close() {
	w.cancel()
	w.work.Wait()
	w.mu.Lock()
	session := w.session
	w.session = ""
	w.mu.Unlock()
	if session == "" {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), endSession)
	defer stop()
	if response, err := w.doWithLogin(ctx, http.MethodDelete, w.spec.URL, nil, map[string]string{mcp.HeaderSessionID: session}); err == nil {
		response.Body.Close()
	}
}
