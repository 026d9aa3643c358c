package upstream

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// Note is a note of the server about one request: progress or a log line.
type Note struct {
	Method string
	Params json.RawMessage // an object, without progressToken; nil if there was none
}

// Limits of the notes of one request; further notes are dropped.
const (
	maxNote       = 64 << 10 // bytes of one note
	maxNoteQueue  = 1 << 20  // bytes queued
	maxNoteSecond = 1000     // notes per second
)

// notes is the queue between a wire and the caller of one request. A nil queue accepts none.
type notes struct {
	give func(Note)
	wake chan struct{}

	mu     sync.Mutex
	queue  []Note
	size   int
	seen   int
	second time.Time
	count  int // in this second
}

func newNotes(give func(Note)) *notes { return &notes{give: give, wake: make(chan struct{}, 1)} }

func (n *notes) ready() <-chan struct{} {
	if n == nil {
		return nil
	}
	return n.wake
}

func (n *notes) hasSeen() bool {
	if n == nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen > 0
}

func (n *notes) add(note Note) {
	if n == nil || len(note.Params) > maxNote {
		return
	}
	// The parts of a message alias all of it; a queued note must not keep whole messages in memory.
	note.Params = append(json.RawMessage(nil), note.Params...)
	n.mu.Lock()
	defer n.mu.Unlock()
	if now := time.Now(); now.Sub(n.second) >= time.Second {
		n.second, n.count = now, 0
	}
	if n.count++; n.count > maxNoteSecond || n.size+len(note.Params) > maxNoteQueue {
		return
	}
	n.seen++
	n.size += len(note.Params)
	n.queue = append(n.queue, note)
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

func (n *notes) deliver() {
	if n == nil {
		return
	}
	n.mu.Lock()
	queue := n.queue
	n.queue, n.size = nil, 0
	n.mu.Unlock()
	for _, note := range queue {
		n.give(note)
	}
}

// handleNote handles a note of the server.
func (c *conn) handleNote(m message, via *call) {
	switch mcp.MCPMethod(m.method) {
	case mcp.MethodNotificationProgress:
		if call := c.lookup(keyOf(rawjson.Get(m.params, "progressToken"))); call != nil {
			c.heard.Add(1)
			if call.progressed != nil {
				call.progressed()
			}
			call.notes.add(Note{m.method, withoutMember(m.params, "progressToken")})
		}
	case mcp.MethodNotificationMessage:
		c.handleLog(m, via)
	case mcp.MethodNotificationCancelled:
		c.cancelRequest(string(rawjson.Get(m.params, "requestId")))
	case mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationResourcesListChanged, mcp.MethodNotificationPromptsListChanged:
		what := strings.TrimSuffix(strings.TrimPrefix(m.method, "notifications/"), "/list_changed")
		if what == "tools" {
			c.changes.Add(1)
		}
		c.server.queueChange(what)
	case mcp.MethodNotificationResourceUpdated:
		if uri := rawjson.GetText(m.params, "uri"); uri != "" && len(uri) <= maxURI {
			c.server.queueChange("resource:" + uri)
		}
	}
}

// maxURI limits the URI of a changed resource, in bytes.
const maxURI = 4 << 10

// isStanding reports whether a request stays open as long as the connection.
func isStanding(method string) bool { return method == string(mcp.MethodSubscriptionsListen) }

// withoutMember returns an object without one member.
func withoutMember(params json.RawMessage, name string) json.RawMessage {
	var rest []rawjson.Member
	rawjson.Each(params, func(n string, value json.RawMessage) bool {
		if n != name {
			rest = append(rest, rawjson.Member{Name: n, Value: value})
		}
		return true
	})
	return rawjson.Join(rest)
}
