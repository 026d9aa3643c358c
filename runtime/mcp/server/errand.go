package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// pendingCall is a request of the stateless era whose backend may ask the client. That era has no requests to clients:
// instead the response says what is wanted, and the backend waits. When the client repeats the request with that and
// the same requestState, the response is the backend's, or what it wants next.
type pendingCall struct {
	server  *Server
	face    *face
	session string
	method  string
	subject json.RawMessage // what the request is about
	offers  map[string]json.RawMessage

	ctx    context.Context // of the backend: it outlives the requests
	cancel context.CancelCauseFunc
	done   chan struct{} // closed once a is set
	a      answer

	mu        sync.Mutex
	notes     *notes // of the current round; nil between rounds
	made      int
	questions []*question // not answered yet
	wake      chan struct{}
}

// question is a request for the client to answer.
type question struct {
	name, method string
	params       json.RawMessage
	answer       chan json.RawMessage
	failed       chan error
}

const (
	// gatherTime is how long a backend may take to ask further questions for the same round.
	gatherTime = 5 * time.Millisecond
	// maxRound limits the questions of one round, in bytes; the rest waits for the next. No question may be longer.
	maxRound = 4 << 20
)

// subjects are the methods whose response may be a request for input, and the member of their params that says what
// they are about.
var subjects = map[mcp.MCPMethod]string{mcp.MethodToolsCall: "name", mcp.MethodPromptsGet: "name", mcp.MethodResourcesRead: "uri"}

// newErrand returns a new pendingCall, or nil if the client cannot be asked at all.
func (s *Server) newErrand(ctx context.Context, sess *session, r *request) *pendingCall {
	subject, can := subjects[mcp.MCPMethod(r.method)]
	offers := asksOffered(r.caps)
	if !r.modern || !can || offers == nil {
		return nil
	}
	e := &pendingCall{server: s, face: r.face, session: sess.id, method: r.method, subject: slices.Clone(r.param(subject)), offers: offers,
		done: make(chan struct{}), wake: make(chan struct{}, 1)}
	e.ctx, e.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	return e
}

// run starts work and follows it for the first request. n is closed when it returns.
func (e *pendingCall) run(ctx context.Context, n *notes, work func(context.Context) answer) answer {
	e.setNotes(n)
	e.server.errands.work.Go(func() {
		defer close(e.done)
		defer e.cancel(nil)
		defer func() {
			if p := recover(); p != nil {
				e.server.log.Error("panic", "method", e.method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				e.a = failed(internalProblem(e.method).rpc())
			}
		}()
		e.a = work(e.ctx)
	})
	return e.follow(ctx, n)
}

// follow waits for the answer, or for questions to the client.
func (e *pendingCall) follow(ctx context.Context, n *notes) answer {
	defer n.close()
	defer e.setNotes(nil)
	for {
		select {
		case <-e.done:
			return e.a
		case <-ctx.Done():
			e.cancel(context.Cause(ctx))
			<-e.done
			return e.a
		case <-e.wake:
			waitFor(gatherTime, e.done, ctx.Done())
		}
		if a, wants := e.suspend(); wants {
			return a
		}
	}
}

// suspend suspends the pendingCall and returns the response with its questions; false if there are none, or it is done.
func (e *pendingCall) suspend() (answer, bool) {
	wanted := e.nextQuestions()
	select {
	case <-e.done:
		return answer{}, false
	default:
	}
	if len(wanted) == 0 {
		return answer{}, false
	}
	var requests []rawjson.Member
	for _, q := range wanted {
		request := []rawjson.Member{{Name: "method", Value: rawjson.Quote(q.method)}}
		if len(q.params) > 0 {
			request = append(request, rawjson.Member{Name: "params", Value: q.params})
		}
		requests = append(requests, rawjson.Member{Name: q.name, Value: rawjson.Join(request)})
	}
	state := e.server.errands.keep(e)
	if state == "" {
		for _, q := range wanted {
			e.drop(q)
			q.failed <- errManyErrands
		}
		return answer{}, false
	}
	result, err := e.face.surface.Load().fitResult(rawjson.Join([]rawjson.Member{
		{Name: resultTypeKey, Value: rawjson.Quote(string(mcp.ResultTypeInputRequired))},
		{Name: "inputRequests", Value: rawjson.Join(requests)},
		{Name: "requestState", Value: rawjson.Quote(state)},
	}), true)
	if err != nil { // the params were checked before
		return failed(internalProblem(e.method).rpc()), true
	}
	return answer{result: result}, true
}

// nextQuestions returns the questions of the next round.
func (e *pendingCall) nextQuestions() []*question {
	e.mu.Lock()
	defer e.mu.Unlock()
	size := 0
	for i, q := range e.questions {
		if size += len(q.params); size > maxRound {
			return slices.Clone(e.questions[:i])
		}
	}
	return slices.Clone(e.questions)
}

// ask implements AskFunc for the pendingCall.
func (e *pendingCall) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if err := checkAskable(e.offers, method, params); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(params) > maxRound {
		return nil, fmt.Errorf("the params of %s are over the limit of %d bytes", method, maxRound)
	}
	q := &question{method: method, params: slices.Clone(params), answer: make(chan json.RawMessage, 1), failed: make(chan error, 1)}
	e.mu.Lock()
	if waiting := e.pendingBytes(); waiting+len(params) > 3*maxRound {
		e.mu.Unlock()
		return nil, fmt.Errorf("questions of %d bytes wait for the client already", waiting)
	}
	e.made++
	q.name = "ask-" + strconv.Itoa(e.made)
	e.questions = append(e.questions, q)
	e.mu.Unlock()
	defer e.drop(q)
	e.wakeFollower()
	select {
	case raw := <-q.answer:
		return raw, nil
	case err := <-q.failed:
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-e.ctx.Done():
		return nil, e.ctx.Err()
	}
}

// pendingBytes returns the total size of the pending questions. mu must be held.
func (e *pendingCall) pendingBytes() (size int) {
	for _, q := range e.questions {
		size += len(q.params)
	}
	return size
}

// drop removes a question. A response that arrives later is ignored.
func (e *pendingCall) drop(q *question) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.questions = slices.DeleteFunc(e.questions, func(o *question) bool { return o == q })
}

// wakeFollower wakes the goroutine in follow to check the questions.
func (e *pendingCall) wakeFollower() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// deliver delivers the client's responses. Questions without a response are asked again.
func (e *pendingCall) deliver(responses json.RawMessage) {
	members, _ := rawjson.Members(responses) // none if it is not an object
	given, _ := byName(members)
	e.mu.Lock()
	e.questions = slices.DeleteFunc(e.questions, func(q *question) bool {
		raw := given[q.name]
		if rawjson.Of(raw) != rawjson.Object {
			return false
		}
		q.answer <- slices.Clone(raw)
		return true
	})
	e.mu.Unlock()
	e.wakeFollower()
}

// setNotes sets the notes of the current round before its work continues. Between rounds there is no stream for notes, and
// they are dropped.
func (e *pendingCall) setNotes(n *notes) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notes = n
}

func (e *pendingCall) currentNotes() *notes {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.notes
}

func (e *pendingCall) progress(p Progress) {
	if n := e.currentNotes(); n != nil {
		n.progress(p)
	}
}

func (e *pendingCall) log(l Log) {
	if n := e.currentNotes(); n != nil {
		n.log(l)
	}
}

func (e *pendingCall) passNote(method string, params json.RawMessage) {
	if n := e.currentNotes(); n != nil {
		n.passNote(method, params)
	}
}

var errManyErrands = errors.New("too many calls are waiting for client input")
