// Package tracing sends events to an OpenTelemetry receiver: one span for each request,
// stage, builtin, hook and call of a model or an upstream server, below its cause. It is
// off until an endpoint is set, and reads no environment: OTEL_* variables open no
// connection.
//
// Spans hold names, counts and codes, masked; no text of a message, argument or result.
// They are sent in batches as OTLP over HTTP, in Protocol Buffers, by a goroutine of
// their own; emitters never wait, and what a receiver does not accept is lost and
// counted.
package tracing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/masked"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

const (
	waiting   = 4096 // events
	atOnce    = 512  // spans per request
	moment    = 10 * time.Millisecond
	sendEvery = 2 * time.Second
)

// Variables for tests.
var (
	sendTime = 5 * time.Second
	patience = 2 * time.Second // of Close
)

// Options configure an Exporter.
type Options struct {
	Stream   *event.Stream
	Redactor func() *redact.Redactor // returns that of the current configuration; nil means the built-in one
	Version  string
	Say      func(string) // called once when a receiver does not accept spans
}

// Exporter sends spans to the configured endpoint.
type Exporter struct {
	opt    Options
	sub    *event.Subscription
	masker *masked.Masker
	client *http.Client
	done   chan struct{}
	stop   context.CancelFunc
	ctx    context.Context // for requests
	lost   atomic.Int64

	mu       sync.Mutex
	endpoint string
	said     bool
}

// New returns an exporter that is off. Callers must Close it.
func New(opt Options) *Exporter {
	x := &Exporter{opt: opt, sub: opt.Stream.Subscribe(waiting), masker: masked.New(opt.Redactor), done: make(chan struct{}),
		client: &http.Client{Timeout: sendTime, Transport: &http.Transport{MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute}, // no proxy from the environment
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	x.ctx, x.stop = context.WithCancel(context.Background())
	x.sub.Batch(moment)
	go x.run()
	return x
}

// Set changes the endpoint, such as http://127.0.0.1:4318; "" sends nothing.
func (x *Exporter) Set(endpoint string) error {
	at := ""
	if endpoint != "" {
		u, err := url.Parse(endpoint)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			return errors.New("tracing.endpoint is not the address of a receiver; write http://HOST:4318")
		}
		if strings.Trim(u.Path, "/") == "" {
			u.Path = "/v1/traces"
		}
		at = u.String()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if at == x.endpoint {
		return nil
	}
	x.endpoint, x.said = at, false
	if at == "" {
		x.sub.Want()
		return nil
	}
	x.sub.Want(event.Request, event.Stage, event.Round, event.Builtin, event.Model, event.Upstream, event.Hook, event.Retrieval, event.Rerank, event.Compose)
	return nil
}

// Lost returns the number of spans that no receiver accepted.
func (x *Exporter) Lost() int { return int(x.lost.Load()) + x.sub.Dropped() }

// run collects spans and sends them.
func (x *Exporter) run() {
	defer close(x.done)
	var spans []*tracepb.Span
	due := time.Now()
	for {
		ctx, cancel := context.Background(), context.CancelFunc(func() {})
		if len(spans) > 0 {
			ctx, cancel = context.WithDeadline(ctx, due)
		}
		e, ok := x.sub.Next(ctx)
		late := ctx.Err() != nil
		cancel()
		if ok && e.Phase == event.End && e.Call != "" {
			if len(spans) == 0 {
				due = time.Now().Add(sendEvery)
			}
			if s := spanOf(x.masker.Event(e)); s != nil {
				spans = append(spans, s)
			}
		}
		if ended := !ok && !late; ended || late || len(spans) >= atOnce {
			x.send(spans)
			spans = nil
			if ended {
				return
			}
		}
	}
}

// send sends spans to the receiver, without retrying.
func (x *Exporter) send(spans []*tracepb.Span) {
	x.mu.Lock()
	at := x.endpoint
	x.mu.Unlock()
	if len(spans) == 0 || at == "" {
		return
	}
	err := x.post(at, spans)
	if err == nil {
		return
	}
	x.lost.Add(int64(len(spans)))
	x.mu.Lock()
	said := x.said
	x.said = true
	x.mu.Unlock()
	if !said && x.opt.Say != nil {
		x.opt.Say("traces are not taken: " + err.Error() + "; serving goes on, and they are lost until they are")
	}
}

func (x *Exporter) post(at string, spans []*tracepb.Span) error {
	body, err := proto.Marshal(batch(spans, x.opt.Version))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(x.ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("User-Agent", "compactor")
	res, err := x.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10))
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the receiver answers %d", res.StatusCode)
	}
	return nil
}

// Close sends pending spans, for two seconds at most.
func (x *Exporter) Close() {
	x.sub.Close()
	select {
	case <-x.done:
	case <-time.After(patience):
		x.stop()
		<-x.done
	}
	x.stop()
	x.client.CloseIdleConnections()
}
