package server

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// Bounds of what is kept for one listener.
const (
	maxNews    = 1024     // notes it has not read
	maxNotice  = 64 << 10 // bytes of the params of one
	maxFollows = 1024     // resources it is subscribed to
	maxURI     = 8 << 10  // bytes of the name of one
)

// hub tells those who listen what changed.
type hub struct {
	mu        sync.Mutex
	listeners map[*listener]struct{}
}

// listener is somebody who hears of changes: a session of the handshake era, or one subscription of the stateless era.
// What it has not read waits: one note for each thing that changed, however often it did.
type listener struct {
	wake    chan struct{}
	id      string          // see Notice.Sessions
	owner   string          // of a subscription: the id of the session that made it; "" where there is none
	sess    *session        // nil for a subscription
	tag     json.RawMessage // of a subscription: the id of the request that made it
	granted mcp.SubscriptionFilter

	mu      sync.Mutex
	follows map[string]struct{} // resources by uri
	due     []news
	profile string // that it is served with, settled by asked and client; see Server.meet
	asked   *Asked
	client  string
	served  bool // that is settled
	gone    bool // there is no such profile any more
}

// news is one note of a change.
type news struct {
	key    string // notes of the same key replace each other
	method string
	params json.RawMessage
	uri    string                    // of resources/updated
	to     map[string]bool           // sessions; nil for all
	level  string                    // of a log note
	serves func(profile string) bool // nil for all
}

func (h *hub) join(l *listener) *listener {
	l.wake = make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = map[*listener]struct{}{}
	}
	h.listeners[l] = struct{}{}
	return l
}

func (h *hub) leave(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, l)
}

// session finds the one of that id.
func (h *hub) session(id string) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		if l.id == id && l.sess != nil {
			return l.sess
		}
	}
	return nil
}

// tell leaves the note with all whom it concerns. It does not wait for them.
func (h *hub) tell(n news) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		if l.concerns(n) {
			l.put(n)
		}
	}
}

func (l *listener) concerns(n news) bool {
	if n.to != nil && !n.to[l.id] && !n.to[l.owner] || n.serves != nil && !l.has(n.serves) {
		return false
	}
	switch n.method {
	case mcp.MethodNotificationToolsListChanged:
		return l.sess != nil || l.granted.ToolsListChanged
	case mcp.MethodNotificationResourcesListChanged:
		return l.sess != nil || l.granted.ResourcesListChanged
	case mcp.MethodNotificationPromptsListChanged:
		return l.sess != nil || l.granted.PromptsListChanged
	case mcp.MethodNotificationResourceUpdated:
		return l.hears(n.uri)
	case noteMessage:
		return l.sess != nil && l.sess.wantsLog(mcp.LoggingLevel(n.level))
	case noteElicited:
		return l.sess != nil && len(n.to) > 0
	}
	return false
}

// put adds a note to those due and wakes the reader.
func (l *listener) put(n news) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.due, func(d news) bool { return d.key == n.key }); n.key != "" && i >= 0 {
		l.due[i] = n // the reader is awake, or about to be
		return
	}
	if len(l.due) >= maxNews && n.params != nil { // of the others there are only a few kinds
		return
	}
	l.due = append(l.due, n)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// take gives what is due as frames.
func (l *listener) take() [][]byte {
	l.mu.Lock()
	due := l.due
	l.due = nil
	l.mu.Unlock()
	frames := make([][]byte, 0, len(due))
	for _, n := range due {
		if l.tag != nil {
			n.params = withMeta(n.params, mcp.MetaKeySubscriptionID, l.tag)
		}
		if n.params == nil {
			frames = append(frames, note(n.method, nil))
		} else {
			frames = append(frames, note(n.method, n.params))
		}
	}
	return frames
}

// follow subscribes to a resource; isNew tells whether it was not before, ok whether there is room for it.
func (l *listener) follow(uri string) (isNew, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, is := l.follows[uri]; is {
		return false, true
	}
	if len(l.follows) >= maxFollows {
		return false, false
	}
	if l.follows == nil {
		l.follows = map[string]struct{}{}
	}
	l.follows[uri] = struct{}{}
	return true, true
}

func (l *listener) unfollow(uri string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.follows, uri)
}

// hears reports whether a resource is one subscribed to, or part of one: what is told may be finer than what was asked.
func (l *listener) hears(uri string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.follows) == 0 {
		return false
	}
	if _, is := l.follows[uri]; is {
		return true
	}
	for i := range len(uri) {
		if !strings.Contains("/?#", uri[i:i+1]) {
			continue
		}
		if _, is := l.follows[uri[:i]]; is {
			return true
		}
		if _, is := l.follows[uri[:i+1]]; is {
			return true
		}
	}
	return false
}

// withMeta is the object with one member of its _meta set.
func withMeta(params json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	if params == nil {
		params = json.RawMessage("{}")
	}
	fields, _, _ := object(params)
	meta := fields[metaKey]
	if rawjson.Of(meta) != rawjson.Object {
		meta = json.RawMessage("{}")
	}
	return withMember(params, metaKey, withMember(meta, name, value))
}
