package model

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// Limiter guards one endpoint: it admits as many concurrent requests as the server
// accepts, remembers its speed and the size of its window, and leaves a server that
// does not answer alone for a while, so that a server that is down delays only one
// request and not every one.
type Limiter struct {
	Name string        // in the configuration
	Rest time.Duration // minimum pause after a failure; 0 means a few seconds

	endpoint Endpoint
	window   int // as configured; 0 asks the server
	parallel int // as configured; 0 asks the server
	now      func() time.Time

	mu      sync.Mutex
	info    Info
	asked   time.Time     // when info was fetched
	asking  chan struct{} // closed when the current fetch ends
	infoErr error
	slots   chan struct{} // made at the first request
	failed  int           // consecutive failures
	rest    time.Time     // no requests before this time
	because error
	pace    Pace
	paced   time.Time // when pace was measured
	stretch float64   // the highest ratio so far of the server's count to Estimate's
}

// NewLimiter returns a limiter for an endpoint. parallel and window 0 ask the server.
func NewLimiter(name string, e Endpoint, parallel, window int) *Limiter {
	return &Limiter{Name: name, endpoint: e, parallel: parallel, window: window, now: time.Now}
}

// Pace is the recent speed of an endpoint, in tokens per second; 0 means unknown.
type Pace struct {
	In  float64 // reading a prompt
	Out float64 // writing
}

// DefaultWindow is the assumed context window, in tokens, if the server does not report
// one: LM Studio and Ollama load that much by default.
const DefaultWindow = 4096

const (
	infoKept = 30 * time.Second // a user may load another model in the meantime
	infoTime = 3 * time.Second
	paceKept = 5 * time.Minute
	restMin  = 2 * time.Second
	restMax  = time.Minute
)

// Chat waits for a slot and sends the request. An endpoint that failed a moment ago is
// not asked before its pause is over: the error is returned immediately.
func (g *Limiter) Chat(ctx context.Context, req Request, on func(Delta)) (*Reply, error) {
	if err := g.backingOff(); err != nil {
		return nil, err
	}
	release, err := g.acquireSlot(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := g.backingOff(); err != nil { // it failed while we waited
		return nil, err
	}
	start := g.now()
	ctx, span := event.Start(ctx, event.Event{Kind: event.Model, Name: g.Name, Attrs: purposeOf(ctx)})
	reply, err := g.endpoint.Chat(ctx, req, on)
	endChat(span, reply, err)
	g.learn(ctx, req, reply, err, g.now().Sub(start))
	return reply, err
}

// Embed works like Chat.
func (g *Limiter) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := g.backingOff(); err != nil {
		return nil, err
	}
	release, err := g.acquireSlot(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	out, err := g.endpoint.Embed(ctx, texts)
	g.learn(ctx, Request{}, nil, err, 0)
	return out, err
}

// Info returns what the server reports about the model, at most half a minute old.
// Concurrent callers share one request.
func (g *Limiter) Info(ctx context.Context) (Info, error) {
	if err := g.backingOff(); err != nil {
		return Info{}, err
	}
	g.mu.Lock()
	if !g.asked.IsZero() && g.now().Sub(g.asked) < infoKept {
		defer g.mu.Unlock()
		return g.info, g.infoErr
	}
	done := g.asking
	if done == nil {
		done = make(chan struct{})
		g.asking = done
		go g.fetchInfo(context.WithoutCancel(ctx), done)
	}
	g.mu.Unlock()
	select {
	case <-done:
	case <-ctx.Done():
		return Info{}, ctx.Err()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.info, g.infoErr
}

// fetchInfo asks once for all waiting callers. It outlives the caller that started it.
func (g *Limiter) fetchInfo(ctx context.Context, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, infoTime)
	defer cancel()
	info, err := g.askInfo(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	defer close(done)
	g.info, g.infoErr, g.asked, g.asking = info, err, g.now(), nil
	if err != nil {
		g.asked = time.Time{} // ask again next time
		if errors.Is(err, context.DeadlineExceeded) {
			g.infoErr = &Error{Kind: Unreachable, Model: g.Name, Message: "the server does not answer", Err: err}
		}
		g.recordFailure(g.infoErr)
	}
}

// askInfo asks the endpoint. It runs on a goroutine of its own, where a panic would end
// the process.
func (g *Limiter) askInfo(ctx context.Context) (info Info, err error) {
	defer func() {
		if recover() != nil {
			info, err = Info{}, &Error{Kind: Broken, Model: g.Name, Message: "reading what the server says of the model broke", Do: "please report it"}
		}
	}()
	return g.endpoint.Info(ctx)
}

// Window returns how many tokens a prompt and its reply may have together: what the
// server has loaded, but no more than is configured.
func (g *Limiter) Window(info Info) int {
	w := info.Window
	if w == 0 {
		w = DefaultWindow
		if info.Limit > 0 {
			w = min(w, info.Limit)
		}
		if g.window > 0 { // the best information available
			w = g.window
		}
	}
	if g.window > 0 {
		w = min(w, g.window)
	}
	if info.Shared {
		w /= g.maxConcurrent(info)
	}
	return w
}

// maxConcurrent returns the number of concurrent requests: as configured, else as the server
// supports, but for a shared window at most as many as leave each one the usual size.
func (g *Limiter) maxConcurrent(info Info) int {
	switch {
	case g.parallel > 0:
		return g.parallel
	case info.Shared:
		return max(1, min(info.Slots, info.Window/DefaultWindow))
	}
	return max(1, info.Slots)
}

// Pace returns the recent speed of the endpoint; an old measurement says nothing about
// a machine that may be idle by now.
func (g *Limiter) Pace() Pace {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now().Sub(g.paced) > paceKept {
		g.pace = Pace{}
	}
	return g.pace
}

// Estimate returns the maximum number of tokens of a request, based on what this server
// counted before.
func (g *Limiter) Estimate(req Request) int {
	g.mu.Lock()
	stretch := max(g.stretch, 1)
	g.mu.Unlock()
	return int(float64(EstimateRequest(req)) * stretch)
}

func (g *Limiter) acquireSlot(ctx context.Context) (release func(), err error) {
	g.mu.Lock()
	if g.slots == nil {
		g.slots = make(chan struct{}, g.maxConcurrent(g.info))
	}
	slots := g.slots
	g.mu.Unlock()
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, &Error{Kind: Busy, Model: g.Name, Message: "timed out waiting for a free slot", Err: ctx.Err()}
	}
}

func (g *Limiter) backingOff() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if left := g.rest.Sub(g.now()); left > 0 {
		return &Error{Kind: Unreachable, Model: g.Name, Err: g.because,
			Message: fmt.Sprintf("not asked again for %s after: %s", left.Round(time.Second/10), plainMessage(g.because))}
	}
	return nil
}

// plainMessage returns an error's message without the model's name before it.
func plainMessage(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// learn records what one exchange revealed about the server.
func (g *Limiter) learn(ctx context.Context, req Request, reply *Reply, err error, took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if reply != nil {
		g.measurePace(req, reply.Usage)
	}
	switch {
	case err == nil:
		g.failed, g.rest = 0, time.Time{}
	case Is(err, Unreachable), Is(err, Broken), Is(err, Busy), Is(err, Refused) && retryAfter(err) > 0:
		g.recordFailure(err)
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && (reply == nil || reply.Text() == ""):
		g.recordTimeout(req, took)
	}
}

// recordFailure pauses the endpoint, twice as long each time. The caller holds mu.
func (g *Limiter) recordFailure(err error) {
	g.failed++
	rest := max(min(restMin<<min(g.failed-1, 10), restMax), g.Rest)
	if d := retryAfter(err); d > 0 {
		rest = min(d, restMax)
	}
	g.rest, g.because = g.now().Add(rest), err
}

// retryAfter returns how long the server asks to be left alone; 0 if it does not say.
func retryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.After
	}
	return 0
}

// recordTimeout counts a request that ended without any output. A server that has answered
// before may only have been asked too much; one that has not, or that is late twice in
// a row, is left alone. The next prompt will be at most half as long as the one that
// was not read in this time. The caller holds mu.
func (g *Limiter) recordTimeout(req Request, took time.Duration) {
	answered := g.pace.Out > 0
	if s := took.Seconds(); s > 0 {
		g.pace.In, g.paced = float64(EstimateRequest(req))/s/2, g.now()
	}
	if answered && g.failed == 0 {
		g.failed++
		return
	}
	g.recordFailure(&Error{Kind: TooSlow, Model: g.Name, Message: "no response before the deadline"})
}

// measurePace keeps a moving average of the pace, in which the latest value counts a third.
func (g *Limiter) measurePace(req Request, u Usage) {
	if first := u.First.Seconds(); u.In-u.Cached > 50 && first > 0 {
		g.pace.In, g.paced = movingAverage(g.pace.In, float64(u.In-u.Cached)/first), g.now()
	}
	if wrote := (u.Total - u.First).Seconds(); u.Out > 5 && wrote > 0 {
		g.pace.Out, g.paced = movingAverage(g.pace.Out, float64(u.Out)/wrote), g.now()
	}
	if est := EstimateRequest(req); est > 0 && u.In > est {
		g.stretch = max(g.stretch, 1.05*float64(u.In)/float64(est))
	}
}

func movingAverage(old, seen float64) float64 {
	if old == 0 {
		return seen
	}
	return old + (seen-old)/3
}
