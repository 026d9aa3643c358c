package server

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// Limits for one subscriber.
const (
	maxNews    = 1024     // notes it has not read
	maxNotice  = 64 << 10 // bytes of a note's params
	maxFollows = 1024     // resources it is subscribed to
	maxURI     = 8 << 10  // bytes of a resource's name
)

// hub distributes changes to subscribers.
type hub struct {
	mu        sync.Mutex
	listeners map[*subscriber]struct{}
}

// subscriber receives changes: it is a session of the handshake era, or one subscription of the stateless era. Unread
// changes are queued: one note for each thing that changed, however often it did.
type subscriber struct {
	wake    chan struct{}
	id      string          // see Notice.Sessions
	owner   string          // of a subscription: the id of the session that made it, or ""
	sess    *session        // nil for a subscription
	tag     json.RawMessage // of a subscription: the id of the request that made it
	granted mcp.SubscriptionFilter

	mu      sync.Mutex
	follows map[string]struct{} // resources by uri
	due     []notification
	profile string // profile that it is served with, as decided by asked and client; see Server.meet
	asked   *Asked
	client  string
	served  bool // the profile is decided
	gone    bool // the profile no longer exists
}

// notification is a note of a change.
type notification struct {
	key    string // a later note replaces an unread one with the same key
	method string
	params json.RawMessage
	uri    string                    // of resources/updated
	to     map[string]bool           // sessions; nil for all
	level  string                    // of a log note
	serves func(profile string) bool // nil for all
}

func (h *hub) join(l *subscriber) *subscriber {
	l.wake = make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = map[*subscriber]struct{}{}
	}
	h.listeners[l] = struct{}{}
	return l
}

func (h *hub) leave(l *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, l)
}

// findSession returns the session with an id, or nil.
func (h *hub) findSession(id string) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		if l.id == id && l.sess != nil {
			return l.sess
		}
	}
	return nil
}

// publish queues a note for all subscribers that it concerns, without waiting for them.
func (h *hub) publish(n notification) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		if l.concerns(n) {
			l.put(n)
		}
	}
}

func (l *subscriber) concerns(n notification) bool {
	if n.to != nil && !n.to[l.id] && !n.to[l.owner] || n.serves != nil && !l.servesProfile(n.serves) {
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
		return l.followsURI(n.uri)
	case noteMessage:
		return l.sess != nil && l.sess.wantsLog(mcp.LoggingLevel(n.level))
	case noteElicited:
		return l.sess != nil && len(n.to) > 0
	}
	return false
}

// put adds a note to those due and wakes the reader.
func (l *subscriber) put(n notification) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.due, func(d notification) bool { return d.key == n.key }); n.key != "" && i >= 0 {
		l.due[i] = n // the reader is awake, or about to be
		return
	}
	if len(l.due) >= maxNews && n.params != nil { // notes without params are of only a few kinds
		return
	}
	l.due = append(l.due, n)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// takeFrames returns the due notes as frames.
func (l *subscriber) takeFrames() [][]byte {
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
			frames = append(frames, encodeNotification(n.method, nil))
		} else {
			frames = append(frames, encodeNotification(n.method, n.params))
		}
	}
	return frames
}

// follow subscribes to a resource; isNew reports whether it was not subscribed before, ok whether there is room for it.
func (l *subscriber) follow(uri string) (isNew, ok bool) {
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

func (l *subscriber) unfollow(uri string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.follows, uri)
}

// followsURI reports whether a resource is one subscribed to, or part of one: updates may be finer than subscriptions.
func (l *subscriber) followsURI(uri string) bool {
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

// withMeta returns an object with one member of its _meta set.
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
