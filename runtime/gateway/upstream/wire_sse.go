package upstream

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// sseWire is HTTP with server-sent events of 2024-11-05: one stream from the server, which names the URL for POSTs.
type sseWire struct {
	web
	to     sink
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	post   string
	body   *http.Response
}

func newSSEWire(s Spec, client *http.Client, login Login) *sseWire {
	w := &sseWire{web: web{spec: s, client: client, login: login}}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

func (w *sseWire) exchanges() bool { return false }
func (w *sseWire) listen()         {}

func (w *sseWire) open(ctx context.Context, to sink) error {
	w.to = to
	stop := context.AfterFunc(ctx, w.cancel)
	defer stop()
	response, err := w.doWithLogin(w.ctx, http.MethodGet, w.spec.URL, nil, nil)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || mediaType(response) != "text/event-stream" {
		defer response.Body.Close()
		return w.noStream(response)
	}
	w.body = response
	r := newEventReader(response.Body, w.spec.MaxMessage)
	if err := w.awaitEndpoint(r); err != nil {
		return err
	}
	w.work.Go(func() { w.read(r, to) })
	return nil
}

// awaitEndpoint waits for the URL for POSTs, which must have the same origin: the configured headers are sent there.
func (w *sseWire) awaitEndpoint(r *eventReader) error {
	for {
		e, err := r.next()
		if err != nil {
			return errors.New("the stream ended before it named an endpoint")
		}
		if e.name != "endpoint" {
			continue
		}
		base, err := url.Parse(w.spec.URL)
		if err != nil {
			return errors.New("the url is not valid")
		}
		to, err := base.Parse(string(e.data))
		if err != nil || to.Scheme != base.Scheme || to.Host != base.Host {
			return errors.New("the endpoint is of another origin than the url")
		}
		to.User = base.User
		w.post = to.String()
		return nil
	}
}

func (w *sseWire) read(r *eventReader, to sink) {
	for {
		e, err := r.next()
		if err != nil {
			to.lost(w.endReason(err))
			return
		}
		if e.name != "message" || len(e.data) == 0 {
			continue
		}
		if m, err := parse(e.data); err == nil {
			to.take(m, nil)
		}
	}
}

func (w *sseWire) endReason(err error) error {
	switch long := (errLong{}); {
	case w.ctx.Err() != nil:
		return errClosed
	case errors.As(err, &long):
		return err
	}
	return errors.New("the stream ended")
}

func (w *sseWire) send(ctx context.Context, f *frame) error {
	if !f.begin() {
		return context.Canceled
	}
	// A POST that has begun is not canceled with its request: the answer comes on the stream, and so does the answer to
	// "cancelled".
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), dialTime+time.Minute)
	defer stop()
	defer context.AfterFunc(w.ctx, stop)()
	response, err := w.doWithLogin(ctx, http.MethodPost, w.post, f.body, f.header)
	if err != nil {
		if neverReached(err) {
			f.fate.Store(taken)
		}
		return err
	}
	defer response.Body.Close()
	if f.call == nil || isHandshake(f.method) || !refusesSession(response.StatusCode) {
		return w.checkAccepted(response)
	}
	body := readRefusal(response)
	if response.StatusCode == http.StatusNotFound || sessionWords.Match(body) { // the POST URL is the session
		f.fate.Store(taken)
		w.to.lost(errSession)
		return errSession
	}
	return w.statusOf(response, body)
}

func (w *sseWire) close() {
	w.cancel()
	w.work.Wait()
	if w.body != nil {
		w.body.Body.Close()
	}
}
