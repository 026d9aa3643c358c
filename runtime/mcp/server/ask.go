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

// asks holds the requests to one session's client that have no response yet. Their ids are our own, unrelated to the
// ids of the client's requests and of other sessions.
type asks struct {
	mu      sync.Mutex
	made    int
	waiting map[string]chan message // by the id's key
	over    bool                    // no more responses can arrive
}

// register registers a request; a closed answer channel means that there can be no response.
func (a *asks) register() (name string, answer chan message) {
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

// drop forgets a request. A response that arrives later is ignored.
func (a *asks) drop(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, "s"+name)
}

// deliver handles a response of the client. A late, repeated or unknown response is ignored.
func (a *asks) deliver(m message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if answer := a.waiting[m.id.key]; answer != nil {
		delete(a.waiting, m.id.key)
		answer <- m
	}
}

// close ends all pending requests: the client's side of the connection has ended.
func (a *asks) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for key, answer := range a.waiting {
		delete(a.waiting, key)
		close(answer)
	}
}

// withdrawTime limits how long telling the client that no response is needed may take.
const withdrawTime = time.Second

// ask sends a request on the stream of the call and waits for the response until ctx or the call ends; in that case it
// tells the client that no response is needed. The error is a context's error or errGone.
func (n *notes) ask(ctx context.Context, a *asks, method string, params json.RawMessage) (message, error) {
	if err := ctx.Err(); err != nil {
		return message{}, err
	}
	name, answer := a.register()
	defer a.drop(name)
	if name == "" || !n.send(n.ctx, encodeRequest(name, method, params)) {
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

// withdraw tells the client that one of our requests needs no response. It ignores the cancellation of the call's
// context, since the call may be over already.
func (n *notes) withdraw(name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), withdrawTime)
	defer cancel()
	n.send(ctx, encodeNotification(string(mcp.MethodNotificationCancelled), map[string]string{"requestId": name, "reason": "the answer is no longer needed"}))
}

// encodeRequest encodes one of our requests; nil if that is impossible.
func encodeRequest(name, method string, params json.RawMessage) []byte {
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
