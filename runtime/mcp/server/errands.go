package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

const (
	// errandTime is how long a client may take to come back with its answers, which may come from people.
	errandTime = 10 * time.Minute
	// maxErrands limits the number of suspended errands of all clients together.
	maxErrands = 256
)

// errForgotten cancels a pendingCall whose client did not come back.
var errForgotten = errors.New("the client did not come again")

// errands holds the suspended errands, by their key in requestState: it cannot be guessed, reveals nothing, and is
// valid once.
type errands struct {
	prefix string // marks our own states: a backend has others
	most   int    // maximum per session
	work   sync.WaitGroup

	mu    sync.Mutex
	by    map[string]*waitingErrand
	ended bool
}

type waitingErrand struct {
	*pendingCall
	timer *time.Timer
}

func newErrands(most int) *errands {
	return &errands{prefix: "errand:" + rand.Text() + ":", most: most, by: map[string]*waitingErrand{}}
}

// keep suspends a pendingCall and returns its state; "" if there are too many.
func (t *errands) keep(e *pendingCall) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	most := t.most
	if e.session == "" { // any number of clients, one of which must not take all places
		most = maxErrands / 2
	}
	if t.ended || len(t.by) >= maxErrands || t.countOf(e.session) >= most {
		return ""
	}
	key := rand.Text()
	t.by[key] = &waitingErrand{e, time.AfterFunc(errandTime, func() {
		if t.remove(key) != nil {
			e.cancel(errForgotten)
		}
	})}
	return t.prefix + key
}

// countOf returns the number of errands of a session.
func (t *errands) countOf(session string) (n int) {
	for _, w := range t.by {
		if w.session == session {
			n++
		}
	}
	return n
}

func (t *errands) remove(key string) *pendingCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.by[key]
	if w == nil {
		return nil
	}
	w.timer.Stop()
	delete(t.by, key)
	return w.pendingCall
}

// takeMatching returns the pendingCall that a request continues, if the session and the subject are the same; else nil.
func (t *errands) takeMatching(key string, sess *session, r *request) *pendingCall {
	t.mu.Lock()
	w := t.by[key]
	same := w != nil && w.session == sess.id && w.face.profile == r.face.profile && w.method == r.method && bytes.Equal(w.subject, r.param(subjects[mcp.MCPMethod(r.method)]))
	t.mu.Unlock()
	if !same {
		return nil
	}
	return t.remove(key)
}

// end ends the suspended errands of a session.
func (t *errands) end(session string, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, w := range t.by {
		if session == w.session {
			t.forget(key, w, why)
		}
	}
}

// close ends all suspended errands, lets none be suspended any more, and waits for their work, at most limit.
func (t *errands) close(limit time.Duration) (all bool) {
	t.mu.Lock()
	t.ended = true
	for key, w := range t.by {
		t.forget(key, w, errStopping)
	}
	t.mu.Unlock()
	done := make(chan struct{})
	go func() { t.work.Wait(); close(done) }()
	return waitFor(limit, done, nil)
}

// forget ends one errand. mu must be held.
func (t *errands) forget(key string, w *waitingErrand, why error) {
	w.timer.Stop()
	delete(t.by, key)
	w.cancel(why)
}

// takeUp answers a request with which a client returns to one of our errands; false for any other request.
func (s *Server) takeUp(ctx context.Context, sess *session, r *request, out sink) (answer, bool) {
	if _, can := subjects[mcp.MCPMethod(r.method)]; !can || !r.modern {
		return answer{}, false
	}
	key, ours := strings.CutPrefix(textOf(r.param("requestState")), s.errands.prefix)
	if !ours {
		return answer{}, false
	}
	responses := r.param("inputResponses")
	if rawjson.Duplicate(responses) != "" {
		return failed(invalidParams("inputResponses: a name is given twice")), true
	}
	e := s.errands.takeMatching(key, sess, r)
	if e == nil {
		return failed(invalidParams("requestState: what it belongs to has ended, or is another request; send the request again without it")), true
	}
	n := s.newNotes(ctx, sess, r, out)
	e.setNotes(n)
	e.deliver(responses)
	return e.follow(ctx, n), true
}
