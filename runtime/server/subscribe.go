package server

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"compactor/runtime/server/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// hub tells everybody who listens that the tool list changed. A listener that is slow is told once, however often it
// changed: the note says no more than "ask again".
type hub struct {
	mu        sync.Mutex
	listeners map[chan struct{}]struct{}
}

// join returns a channel that receives after each change.
func (h *hub) join() chan struct{} {
	wake := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = map[chan struct{}]struct{}{}
	}
	h.listeners[wake] = struct{}{}
	return wake
}

func (h *hub) leave(wake chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, wake)
}

func (h *hub) wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for wake := range h.listeners {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// listChanged is the note, tagged with the subscription it belongs to in the stateless era.
func listChanged(subscription json.RawMessage) []byte {
	if subscription == nil {
		return note(mcp.MethodNotificationToolsListChanged, nil)
	}
	return note(mcp.MethodNotificationToolsListChanged, map[string]any{"_meta": subscriptionMeta(subscription)})
}

func subscriptionMeta(subscription json.RawMessage) map[string]any {
	return map[string]any{mcp.MetaKeySubscriptionID: subscription}
}

// listen serves subscriptions/listen: an acknowledgement, then a note for each change until the client or the server
// ends it.
func (s *Server) listen(ctx context.Context, r *request, out sink) answer {
	var want mcp.SubscriptionFilter
	if raw := r.param("notifications"); raw != nil && json.Unmarshal(raw, &want) != nil {
		return failed(invalidParams("notifications: must be an object such as {\"toolsListChanged\": true}"))
	}
	granted := mcp.SubscriptionFilter{ToolsListChanged: want.ToolsListChanged}
	wake := s.hub.join() // before the acknowledgement: from then on no change may be missed
	defer s.hub.leave(wake)
	ack := note(mcp.MethodNotificationSubscriptionsAcknowledged, map[string]any{
		"_meta": subscriptionMeta(r.id.raw), "notifications": granted,
	})
	if err := out.send(ctx, ack); err != nil {
		return answer{silent: true}
	}
	if !granted.IsEmpty() {
		s.follow(ctx, wake, r.id.raw, out)
	}
	if context.Cause(ctx) == errCancelled {
		return answer{silent: true}
	}
	return s.listenEnd(r)
}

// follow passes changes on until ctx ends or the client is gone.
func (s *Server) follow(ctx context.Context, wake <-chan struct{}, subscription json.RawMessage, out sink) {
	beat := time.NewTicker(s.opt.Beat)
	defer beat.Stop()
	for {
		select {
		case <-wake:
			if out.send(ctx, listChanged(subscription)) != nil {
				return
			}
		case <-beat.C:
			if out.beat() != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *Server) listenEnd(r *request) answer {
	meta := subscriptionMeta(r.id.raw)
	meta[mcp.MetaKeyServerInfo] = s.surface.Load().info
	result, err := rawjson.Marshal(map[string]any{"resultType": mcp.ResultTypeComplete, "_meta": meta})
	if err != nil {
		return failed(&rpcError{Code: mcp.INTERNAL_ERROR, Message: "internal error"})
	}
	return answer{result: result}
}
