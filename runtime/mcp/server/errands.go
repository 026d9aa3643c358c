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
	// errandTime is how long a client may take to come again with what was asked for. People are asked too.
	errandTime = 10 * time.Minute
	// maxErrands bounds those that wait, of all clients together.
	maxErrands = 256
)

// errForgotten is why an errand ends whose client did not come again.
var errForgotten = errors.New("the client did not come again")

// errands are those that wait for their clients, by what is in requestState: it cannot be guessed, says nothing, and
// holds once.
type errands struct {
	prefix string // of our own states: a backend has others
	most   int    // of one session
	work   sync.WaitGroup

	mu    sync.Mutex
	by    map[string]*waitingErrand
	ended bool
}

type waitingErrand struct {
	*errand
	timer *time.Timer
}

func newErrands(most int) *errands {
	return &errands{prefix: "errand:" + rand.Text() + ":", most: most, by: map[string]*waitingErrand{}}
}

// keep lays an errand aside and gives its state; "" when there are too many.
func (t *errands) keep(e *errand) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	most := t.most
	if e.session == "" { // any number of clients, of whom one shall not take all places
		most = maxErrands / 2
	}
	if t.ended || len(t.by) >= maxErrands || t.of(e.session) >= most {
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

// of counts the errands of a session.
func (t *errands) of(session string) (n int) {
	for _, w := range t.by {
		if w.session == session {
			n++
		}
	}
	return n
}

func (t *errands) remove(key string) *errand {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.by[key]
	if w == nil {
		return nil
	}
	w.timer.Stop()
	delete(t.by, key)
	return w.errand
}

// take gives the errand that a request takes up, if it is of the same session and about the same.
func (t *errands) take(key string, sess *session, r *request) *errand {
	t.mu.Lock()
	w := t.by[key]
	same := w != nil && w.session == sess.id && w.face.profile == r.face.profile && w.method == r.method && bytes.Equal(w.subject, r.param(subjects[mcp.MCPMethod(r.method)]))
	t.mu.Unlock()
	if !same {
		return nil
	}
	return t.remove(key)
}

// end ends the errands of a session that wait.
func (t *errands) end(session string, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, w := range t.by {
		if session == w.session {
			t.forget(key, w, why)
		}
	}
}

// close ends all that wait, and lets none wait any more. It waits for their work, no longer than limit.
func (t *errands) close(limit time.Duration) (all bool) {
	t.mu.Lock()
	t.ended = true
	for key, w := range t.by {
		t.forget(key, w, errStopping)
	}
	t.mu.Unlock()
	done := make(chan struct{})
	go func() { t.work.Wait(); close(done) }()
	return within(limit, done, nil)
}

// forget ends one. mu is held.
func (t *errands) forget(key string, w *waitingErrand, why error) {
	w.timer.Stop()
	delete(t.by, key)
	w.cancel(why)
}

// takeUp answers a request with which a client comes again, having been asked for something by us; false for any other.
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
	e := s.errands.take(key, sess, r)
	if e == nil {
		return failed(invalidParams("requestState: what it belongs to has ended, or is another request; send the request again without it")), true
	}
	n := s.newNotes(ctx, sess, r, out)
	e.turn(n)
	e.give(responses)
	return e.follow(ctx, n), true
}
