package server

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// asks are the requests of ours that one session's client has yet to answer. Their ids are our own: they have nothing to
// do with those of the client's requests, nor with another session's.
type asks struct {
	mu      sync.Mutex
	made    int
	waiting map[string]chan message // by the id's key
	over    bool                    // no response can come any more
}

// open enters a request; a closed answer says that none can come.
func (a *asks) open() (name string, answer chan message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer = make(chan message, 1)
	if a.over {
		close(answer)
		return "", answer
	}
	if a.waiting == nil {
		a.waiting = map[string]chan message{}
	}
	a.made++
	name = "ask-" + strconv.Itoa(a.made)
	a.waiting["s"+name] = answer
	return name, answer
}

// drop forgets a request. A response that comes later is nobody's.
func (a *asks) drop(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, "s"+name)
}

// answered takes a response of the client. One that is late, comes twice or was never asked for is not heard.
func (a *asks) answered(m message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if answer := a.waiting[m.id.key]; answer != nil {
		delete(a.waiting, m.id.key)
		answer <- m
	}
}

// close ends all waiting: the client's side of the connection has ended.
func (a *asks) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for key, answer := range a.waiting {
		delete(a.waiting, key)
		close(answer)
	}
}

// withdrawTime is how long a client may take to hear that it need not answer.
const withdrawTime = time.Second

// ask sends one request on the stream of the call and waits for its response, until ctx or the call ends; then the client
// hears that it need not answer. The error is a context's or errGone.
func (n *notes) ask(ctx context.Context, a *asks, method string, params json.RawMessage) (message, error) {
	if err := ctx.Err(); err != nil {
		return message{}, err
	}
	name, answer := a.open()
	defer a.drop(name)
	if name == "" || !n.send(n.ctx, demand(name, method, params)) {
		if n.ctx.Err() != nil {
			return message{}, n.ctx.Err()
		}
		return message{}, errGone
	}
	var err error
	select {
	case m, ok := <-answer:
		if !ok {
			return message{}, errGone
		}
		return m, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-n.ctx.Done():
		err = n.ctx.Err()
	}
	n.withdraw(name)
	return message{}, err
}

// withdraw tells the client that a request of ours need not be answered. The call may be over for us: its context does
// not count here.
func (n *notes) withdraw(name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), withdrawTime)
	defer cancel()
	n.send(ctx, note(string(mcp.MethodNotificationCancelled), map[string]string{"requestId": name, "reason": "the answer is no longer needed"}))
}

// demand encodes a request of ours; nil when it cannot be.
func demand(name, method string, params json.RawMessage) []byte {
	body, err := rawjson.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      string          `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, name, method, params})
	if err != nil {
		return nil
	}
	return body
}
