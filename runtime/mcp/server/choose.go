package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// part is a tool as it appears in the lists, in each listVariant and for both eras. Equal forms share memory.
type part [looks]lists

func newPart(wire [looks]json.RawMessage) (p part) {
	for l, raw := range wire {
		if i := slices.IndexFunc(wire[:l], func(have json.RawMessage) bool { return bytes.Equal(have, raw) }); i >= 0 {
			p[l] = p[i]
			continue
		}
		p[l] = lists{legacy: compactJSON(forHandshake(raw)), modern: compactJSON(raw)}
	}
	return p
}

func compactJSON(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return slices.Clone(b.Bytes())
}

// listFor returns the result of tools/list for one session, and the names in it.
func (s *Server) listFor(ctx context.Context, f *face, who Session, as listVariant) (json.RawMessage, []string, error) {
	surf := f.surface.Load()
	if surf.parts == nil {
		return surf.listResult(who.Stateless, as), surf.names, nil
	}
	names := s.chosenTools(ctx, f, surf, who)
	if slices.Equal(names, surf.names) {
		return surf.listResult(who.Stateless, as), surf.names, nil
	}
	listed := make([][]byte, len(names))
	for i, name := range names {
		l := surf.parts[name][as]
		listed[i] = l.legacy
		if who.Stateless {
			listed[i] = l.modern
		}
	}
	frame, err := surf.marshalList([]json.RawMessage{}, who.Stateless, s.opt)
	if err != nil {
		return nil, nil, err
	}
	before, after, _ := bytes.Cut(frame, []byte(`"tools":[`)) // this cannot occur inside a string: its quotes would be escaped
	return slices.Concat(before, []byte(`"tools":[`), bytes.Join(listed, []byte(",")), after), names, nil
}

// chosenTools returns the names of the tools listed to a session. The surface has parts: the backend chooses.
func (s *Server) chosenTools(ctx context.Context, f *face, surf *surface, who Session) []string {
	names := []string{}
	for _, name := range f.backend.Choose(ctx, who) {
		if _, is := surf.parts[name]; is {
			names = append(names, name)
		}
	}
	return names
}

// recordPresented records the list that a session was shown, and informs the backend.
func (s *Server) recordPresented(sess *session, f *face, who Session, names []string) {
	sess.mu.Lock()
	sess.shown, sess.as, sess.at = names, who, f
	sess.mu.Unlock()
	f.backend.Presented(who, names)
}

// changes is a queue of sessions whose list may have changed. They are processed one after another, independently of
// the requests that caused the changes.
type changes struct {
	mu      sync.Mutex
	due     []string
	running bool
	closed  bool
	work    sync.WaitGroup
}

// onToolsChanged handles a change of the tools: of all sessions, or of one.
func (s *Server) onToolsChanged(id string) {
	if id == "" {
		s.refresh()
		return
	}
	c := &s.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || slices.Contains(c.due, id) {
		return
	}
	c.due = append(c.due, id)
	if !c.running {
		c.running = true
		c.work.Go(s.relist)
	}
}

func (c *changes) next() (id string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.due) == 0 || c.closed {
		c.running = false
		return "", false
	}
	id, c.due = c.due[0], c.due[1:]
	return id, true
}

func (c *changes) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.work.Wait()
}

// relist notifies queued sessions whose list differs from what they were shown.
func (s *Server) relist() {
	for id, ok := s.changes.next(); ok; id, ok = s.changes.next() {
		if sess := s.hub.findSession(id); sess != nil && s.listDiffers(sess) {
			method := mcp.MethodNotificationToolsListChanged
			s.hub.publish(notification{key: method, method: method, to: map[string]bool{id: true}})
		}
	}
}

// listDiffers reports whether a session would be shown another list now than it was. It reports each difference once.
func (s *Server) listDiffers(sess *session) (other bool) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in a list of tools", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			other = false
		}
	}()
	sess.mu.Lock()
	before, who, f := sess.shown, sess.as, sess.at
	sess.mu.Unlock()
	if before == nil || f.surface.Load().parts == nil {
		return false
	}
	now := s.chosenTools(s.life, f, f.surface.Load(), who)
	if s.life.Err() != nil || slices.Equal(before, now) {
		return false
	}
	sess.mu.Lock()
	defer sess.mu.Unlock()
	sess.shown = now
	return true
}
