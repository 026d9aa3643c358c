package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// cancelTime limits sending the notification of a canceled request, and replies to the server's requests.
const cancelTime = 5 * time.Second

// conn is one connection: our requests and the server's, over a wire.
type conn struct {
	wire    wire
	server  *Server
	about   About        // set by the handshake
	number  int64        // see Edition
	changes atomic.Int64 // number of announced changes of the tool list

	mu          sync.Mutex
	calls       map[string]*call // by id, which is also the progress token
	nextID      int64
	closing     bool // spawn starts nothing more
	unsubscribe context.CancelFunc
	asks        map[string]context.CancelFunc // the server's requests under way, by id
	left        map[string]string             // owners of abandoned, unanswered calls that may still ask, by call id
	users       users
	replies     int // our answers to the server's requests that are not written yet

	dead   chan struct{} // closed when the connection is no longer usable
	closed chan struct{} // closed when close is done
	reason error         // why it ended; set before dead is closed
	once   sync.Once
	work   sync.WaitGroup
	ctx    context.Context // of everything this connection started
	cancel context.CancelFunc
	busy   int // requests under way and other users that keep it open; guarded by server.mu
	idle   *time.Timer
	rented lease        // guarded by server.mu
	look   *start       // the check under way whether the server still answers; nil: none; guarded by server.mu
	heard  atomic.Int64 // number of answers and progress notifications received
	late   atomic.Bool  // an answer arrived that no caller was waiting for any more
}

func newConn(s *Server, w wire) *conn {
	c := &conn{wire: w, server: s, number: numbers.Add(1), calls: map[string]*call{}, asks: map[string]context.CancelFunc{}, left: map[string]string{}, dead: make(chan struct{}), closed: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// call is one of our requests.
type call struct {
	id         int64
	key        string
	method     string
	began      time.Time
	ask        func(context.Context, string, json.RawMessage) (json.RawMessage, error)
	notes      *notes // nil: not wanted
	need       need
	session    string // of the caller; "": it belongs to no session
	frame      *frame
	progressed func()                   // nil: not wanted
	own        atomic.Pointer[RPCError] // its own error when the connection ends; nil: the reason for that end
	left       bool                     // it was sent, and its caller no longer waits
	late       bool                     // the answer arrived anyway; guarded by conn.mu

	once   sync.Once
	done   chan struct{} // closed when result and err are set
	result json.RawMessage
	err    error
}

func (c *call) finish(result json.RawMessage, err error) {
	c.once.Do(func() {
		c.result, c.err = result, err
		close(c.done)
	})
}

// lostWith returns the error of a call whose connection ended with reason.
func (c *call) lostWith(reason error) error {
	if own := c.own.Load(); own != nil {
		return own
	}
	return reason
}

func (c *call) isOver() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// request is the input of exchange.
type request struct {
	method     string
	params     func(id int64) json.RawMessage // nil for none; may insert the id as a progress token
	header     map[string]string
	note       func(Note)
	progressed func()
	ask        func(context.Context, string, json.RawMessage) (json.RawMessage, error)
	need       need
	session    string
}

// errNotSent marks a request that was never sent and may be repeated on another connection.
var errNotSent = errors.New("the request was not sent")

// exchange sends one request and returns its result. Before that it delivers the notes in order, on this goroutine.
func (c *conn) exchange(ctx context.Context, r request) (json.RawMessage, error) {
	call, err := c.beginCall(r)
	if err != nil {
		return nil, err
	}
	defer c.endCall(call)
	var params json.RawMessage
	if r.params != nil {
		params = r.params(call.id)
	}
	f := &frame{body: encode(call.id, r.method, params), call: call, method: r.method, header: r.header}
	call.frame = f
	sendCtx, stop := context.WithCancel(c.ctx)
	c.spawn(func() {
		defer stop()
		if err := c.wire.send(sendCtx, f); err != nil {
			call.finish(nil, c.endReason(err))
		}
	})
	c.follow(ctx, call)
	if call.err == nil {
		return call.result, nil // the exchange ends on its own, so that its connection can be reused
	}
	if errors.Is(call.err, errLeft) {
		call.left = !f.takeBack()
		c.giveUp(ctx, call, f)
		stop()
		c.server.checkSilent(ctx, c, call)
		return nil, endOf(ctx)
	}
	stop()
	if f.takeBack() {
		return nil, errors.Join(errNotSent, call.err)
	}
	return nil, call.err
}

// endReason returns why something failed. If the connection ended first, that says more than its consequences.
func (c *conn) endReason(err error) error {
	select {
	case <-c.dead:
		return c.reason
	default:
		return err
	}
}

// errLeft ends a call whose caller no longer waits.
var errLeft = errors.New("call canceled by the client")

// follow delivers notes until the call is over.
func (c *conn) follow(ctx context.Context, call *call) {
	for {
		select {
		case <-call.notes.ready():
			call.notes.deliver()
		case <-call.done:
			c.awaitLateNotes(ctx, call)
			call.notes.deliver()
			return
		case <-ctx.Done():
			call.finish(nil, errLeft)
		case <-c.dead:
			call.finish(nil, call.lostWith(c.reason))
		}
	}
}

// lateNotes is how long to wait for notes that arrive after the answer. Servers built on mcp-go write notes and answers
// from different goroutines; on a common stream the last note of a burst often comes second.
const lateNotes = 10 * time.Millisecond

func (c *conn) awaitLateNotes(ctx context.Context, call *call) {
	if call.err != nil || !call.notes.hasSeen() || c.wire.exchanges() {
		return
	}
	timer := time.NewTimer(lateNotes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-c.dead:
	}
}

func (c *conn) beginCall(r request) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.dead:
		return nil, errors.Join(errNotSent, c.reason)
	default:
	}
	c.nextID++
	call := &call{id: c.nextID, key: strconv.FormatInt(c.nextID, 10), method: r.method, began: time.Now(), ask: r.ask, need: r.need, session: r.session, progressed: r.progressed, done: make(chan struct{})}
	if r.note != nil {
		call.notes = newNotes(r.note)
	}
	c.calls[call.key] = call
	return call, nil
}

func (c *conn) endCall(call *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, call.key)
	if isUse(call.method) {
		c.users.noteEnded(call, time.Now())
	}
	if call.left && !call.late {
		c.noteAbandoned(call)
	}
}

// giveUp tells the server that call was abandoned. If the call has an exchange of its own, ending that is enough.
func (c *conn) giveUp(ctx context.Context, call *call, f *frame) {
	if f.takeBack() || c.wire.exchanges() && c.isStateless() || isHandshake(call.method) {
		return
	}
	reason := "the caller does not wait any longer"
	if errors.Is(endOf(ctx), context.DeadlineExceeded) {
		reason = "it took too long"
	}
	params := json.RawMessage(`{"requestId":` + call.key + `,"reason":"` + reason + `"}`)
	c.sendLater(string(mcp.MethodNotificationCancelled), encode(0, string(mcp.MethodNotificationCancelled), params), func() {})
}

// sendLater sends a frame in the background, then calls done.
func (c *conn) sendLater(method string, body []byte, done func()) {
	c.spawn(func() {
		defer done()
		ctx, stop := context.WithTimeout(c.ctx, cancelTime)
		defer stop()
		_ = c.wire.send(ctx, &frame{body: body, method: method})
	})
}

// notify sends a note and returns an error if it was not sent.
func (c *conn) notify(ctx context.Context, method string, params json.RawMessage) error {
	return c.wire.send(ctx, &frame{body: encode(0, method, params), method: method})
}

func (c *conn) isStateless() bool { return c.about.Era == Stateless }

// take handles one message of the server.
func (c *conn) take(m message, via *call) {
	switch {
	case m.method != "" && m.id != nil:
		c.handleRequest(m, via)
	case m.method != "":
		if m.bad == nil {
			c.handleNote(m, via)
		}
	case m.id != nil:
		key := keyOf(m.id)
		if call := c.lookup(key); call != nil && (via == nil || via == call) {
			c.heard.Add(1)
			call.finish(m.answer())
		} else {
			c.late.Store(true)
		}
		// Otherwise no call waits for this answer: it is late, a duplicate, or under a wrong id.
		c.noteAnswered(key)
	case via != nil && m.failure != nil: // an error of a server that could not read the id
		via.finish(m.answer())
	}
}

func (c *conn) lookup(key string) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[key]
}

// lost ends the connection because its wire has ended. The server removes it before callers are notified, so that
// Health does not report it as ready after their error. The server closes the wire, not the wire's own goroutine.
func (c *conn) lost(err error) {
	if !errors.Is(c.endReason(nil), errMute) { // otherwise examine ends it, and removes it when its program has ended
		c.server.handleLoss(c, err)
	}
	c.kill(err)
}

func (c *conn) noise(text []byte) { c.server.noise(text) }

// kill makes the connection unusable; calls under way end with err.
func (c *conn) kill(err error) {
	c.once.Do(func() {
		c.mu.Lock()
		c.reason = err
		close(c.dead)
		c.mu.Unlock()
	})
}

// close ends the connection and waits for all that it started, even if another goroutine began closing it.
func (c *conn) close(err error) {
	c.kill(err)
	c.mu.Lock()
	first := !c.closing
	c.closing = true
	c.mu.Unlock()
	if !first {
		<-c.closed
		return
	}
	c.wire.close()
	c.cancel()
	c.work.Wait()
	close(c.closed)
}

// spawn runs f unless the connection is being closed.
func (c *conn) spawn(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closing {
		c.work.Go(f)
	}
}
