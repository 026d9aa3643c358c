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

// cancelTime bounds telling the server of a cancelled request, and replies to its own.
const cancelTime = 5 * time.Second

// conn is one connection: requests of ours and of the server, over a wire.
type conn struct {
	wire    wire
	server  *Server
	about   About        // settled by the handshake
	number  int64        // see Edition
	changes atomic.Int64 // of the list of tools, that were announced

	mu          sync.Mutex
	calls       map[string]*call // by id; by progress token too, which is the same text
	nextID      int64
	closing     bool // spawn starts nothing more
	unsubscribe context.CancelFunc
	asks        map[string]context.CancelFunc // the server's requests under way, by id
	left        map[string]string             // owners of calls that may ask, that nobody waits for and that are not answered, by the call's id
	users       users
	replies     int // our answers to them that are not written yet

	dead   chan struct{} // closed when the connection is of no use any more
	closed chan struct{} // closed when close is done
	reason error         // why; set before dead is closed
	once   sync.Once
	work   sync.WaitGroup
	ctx    context.Context // of what this connection started
	cancel context.CancelFunc
	busy   int // requests under way, and what else keeps it open; guarded by server.mu
	idle   *time.Timer
	rented lease        // guarded by server.mu
	look   *start       // at whether the server still answers; nil: none; guarded by server.mu
	heard  atomic.Int64 // answers and progress that came
	late   atomic.Bool  // an answer came that nobody waited for any longer
}

func newConn(s *Server, w wire) *conn {
	c := &conn{wire: w, server: s, number: numbers.Add(1), calls: map[string]*call{}, asks: map[string]context.CancelFunc{}, left: map[string]string{}, dead: make(chan struct{}), closed: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// call is one request of ours.
type call struct {
	id         int64
	key        string
	method     string
	began      time.Time
	ask        func(context.Context, string, json.RawMessage) (json.RawMessage, error)
	notes      *notes // nil: none wanted
	need       need
	session    string // whose it is; "": of nobody that comes back
	frame      *frame
	progressed func()                   // nil: nobody wants to know
	own        atomic.Pointer[RPCError] // its error when the connection ends; nil: why that ended
	left       bool                     // it was sent, and nobody waits for the answer
	late       bool                     // which came all the same; guarded by conn.mu

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

// lostWith is the error of a call whose connection ended for a reason.
func (c *call) lostWith(reason error) error {
	if own := c.own.Load(); own != nil {
		return own
	}
	return reason
}

func (c *call) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// request is what exchange is given.
type request struct {
	method     string
	params     func(id int64) json.RawMessage // nil for none; may put the id in as a progress token
	header     map[string]string
	note       func(Note)
	progressed func()
	ask        func(context.Context, string, json.RawMessage) (json.RawMessage, error)
	need       need
	session    string
}

// errNotSent marks a request that never left, so that it may be asked again on another connection.
var errNotSent = errors.New("the request was not sent")

// exchange sends one request and returns its result. Notes are given in order, on this goroutine, before it returns.
func (c *conn) exchange(ctx context.Context, r request) (json.RawMessage, error) {
	call, err := c.begin(r)
	if err != nil {
		return nil, err
	}
	defer c.end(call)
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
			call.finish(nil, c.because(err))
		}
	})
	c.follow(ctx, call)
	if call.err == nil {
		return call.result, nil // the exchange ends by itself, so that its connection can be used again
	}
	if errors.Is(call.err, errLeft) {
		call.left = !f.takeBack()
		c.giveUp(ctx, call, f)
		stop()
		c.server.suspect(ctx, c, call)
		return nil, endOf(ctx)
	}
	stop()
	if f.takeBack() {
		return nil, errors.Join(errNotSent, call.err)
	}
	return nil, call.err
}

// because is why something failed: the end of the connection, if that came first, says more than what it caused.
func (c *conn) because(err error) error {
	select {
	case <-c.dead:
		return c.reason
	default:
		return err
	}
}

// errLeft ends a call whose caller does not wait any longer.
var errLeft = errors.New("call canceled by the client")

// follow hands out notes until the call is over.
func (c *conn) follow(ctx context.Context, call *call) {
	for {
		select {
		case <-call.notes.ready():
			call.notes.deliver()
		case <-call.done:
			c.linger(ctx, call)
			call.notes.deliver()
			return
		case <-ctx.Done():
			call.finish(nil, errLeft)
		case <-c.dead:
			call.finish(nil, call.lostWith(c.reason))
		}
	}
}

// lateNotes is how long notes may come after the answer they belong before. Servers built on mcp-go write notes and
// answers from different goroutines; on a common stream the last note of a burst often comes second.
const lateNotes = 10 * time.Millisecond

func (c *conn) linger(ctx context.Context, call *call) {
	if call.err != nil || !call.notes.any() || c.wire.exchanges() {
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

func (c *conn) begin(r request) (*call, error) {
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

func (c *conn) end(call *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, call.key)
	if isUse(call.method) {
		c.users.leave(call, time.Now())
	}
	if call.left && !call.late {
		c.leave(call)
	}
}

// giveUp tells the server that nobody waits for call any more. Where an exchange carries the call, its end says so.
func (c *conn) giveUp(ctx context.Context, call *call, f *frame) {
	if f.takeBack() || c.wire.exchanges() && c.modern() || isHandshake(call.method) {
		return
	}
	reason := "the caller does not wait any longer"
	if errors.Is(endOf(ctx), context.DeadlineExceeded) {
		reason = "it took too long"
	}
	params := json.RawMessage(`{"requestId":` + call.key + `,"reason":"` + reason + `"}`)
	c.later(string(mcp.MethodNotificationCancelled), encode(0, string(mcp.MethodNotificationCancelled), params), func() {})
}

// later sends a frame that nobody waits for, then calls done.
func (c *conn) later(method string, body []byte, done func()) {
	c.spawn(func() {
		defer done()
		ctx, stop := context.WithTimeout(c.ctx, cancelTime)
		defer stop()
		_ = c.wire.send(ctx, &frame{body: body, method: method})
	})
}

// notify sends a note and says whether it left.
func (c *conn) notify(ctx context.Context, method string, params json.RawMessage) error {
	return c.wire.send(ctx, &frame{body: encode(0, method, params), method: method})
}

func (c *conn) modern() bool { return c.about.Era == Stateless }

// take handles one message of the server.
func (c *conn) take(m message, via *call) {
	switch {
	case m.method != "" && m.id != nil:
		c.asked(m, via)
	case m.method != "":
		if m.bad == nil {
			c.noted(m, via)
		}
	case m.id != nil:
		key := keyOf(m.id)
		if call := c.lookup(key); call != nil && (via == nil || via == call) {
			c.heard.Add(1)
			call.finish(m.answer())
		} else {
			c.late.Store(true)
		}
		// Else it is an answer nobody waits for: late, given twice, or under a wrong id.
		c.settled(key)
	case via != nil && m.failure != nil: // an error of a server that could not read the id
		via.finish(m.answer())
	}
}

func (c *conn) lookup(key string) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[key]
}

// lost ends the connection because its wire has ended. The server takes it out before callers hear of it, so that Health
// does not call it ready after their error. The wire is closed by the server, not on the wire's own goroutine.
func (c *conn) lost(err error) {
	if !errors.Is(c.because(nil), errMute) { // else examine ends it, and takes it out when its program has ended
		c.server.died(c, err)
	}
	c.kill(err)
}

func (c *conn) noise(text []byte) { c.server.noise(text) }

// kill makes the connection useless; calls under way end with err.
func (c *conn) kill(err error) {
	c.once.Do(func() {
		c.mu.Lock()
		c.reason = err
		close(c.dead)
		c.mu.Unlock()
	})
}

// close ends the connection and waits for all it started, also when another began to.
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
