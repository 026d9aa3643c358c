package server

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

func subscriptionMeta(subscription json.RawMessage) map[string]any {
	return map[string]any{mcp.MetaKeySubscriptionID: subscription}
}

// serveListen serves subscriptions/listen: an acknowledgement, then a note for each change until the client or the server
// ends it.
func (s *Server) serveListen(ctx context.Context, sess *session, r *request, out sink) answer {
	var want mcp.SubscriptionFilter
	if raw := r.param("notifications"); raw != nil && json.Unmarshal(raw, &want) != nil {
		return failed(invalidParams("notifications: must be an object such as {\"toolsListChanged\": true}"))
	}
	if len(want.ResourceSubscriptions) > maxFollows {
		return failed(invalidParams(fmt.Sprintf("notifications: at most %d resources can be subscribed to at a time", maxFollows)))
	}
	l := s.newSubscription(sess, r, want)
	s.hub.join(l) // before the acknowledgement: from then on no change may be missed
	defer s.hub.leave(l)
	if len(want.ResourceSubscriptions) > 0 && r.face.surface.Load().offers.canSubscribe() {
		defer s.sessionEnded(l.id)
		s.subscribeAll(ctx, sess, r, l, want.ResourceSubscriptions)
	}
	ack := encodeNotification(mcp.MethodNotificationSubscriptionsAcknowledged, map[string]any{
		"_meta": subscriptionMeta(r.id.raw), "notifications": l.granted,
	})
	if err := out.send(ctx, ack); err != nil {
		return answer{silent: true}
	}
	if !l.granted.IsEmpty() {
		s.followChanges(ctx, l, nil, out)
	}
	if context.Cause(ctx) == errCancelled {
		return answer{silent: true}
	}
	return s.listenEnd(r)
}

// newSubscription returns a subscriber for those of the wanted changes that are offered.
func (s *Server) newSubscription(sess *session, r *request, want mcp.SubscriptionFilter) *subscriber {
	offers := r.face.surface.Load().offers
	l := &subscriber{id: newID(), owner: sess.id, tag: r.id.raw, granted: mcp.SubscriptionFilter{
		ToolsListChanged:     want.ToolsListChanged,
		ResourcesListChanged: want.ResourcesListChanged && offers.Resources,
		PromptsListChanged:   want.PromptsListChanged && offers.Prompts,
	}}
	l.setProfile(sess.asked, r.sender(sess).Name, r.face.profile)
	return l
}

// subscribeAll subscribes to resources, one by one; those that fail are not granted.
func (s *Server) subscribeAll(ctx context.Context, sess *session, r *request, l *subscriber, uris []string) {
	for _, uri := range uris {
		isNew, _ := l.follow(uri)
		if !isNew || ctx.Err() != nil {
			continue
		}
		_, err := s.relayForward(ctx, r.face, Forward{Method: string(mcp.MethodResourcesSubscribe), Session: l.id, Client: r.sender(sess),
			Params: rawjson.Join([]rawjson.Member{{Name: "uri", Value: rawjson.Quote(uri)}}),
			Note:   func(string, json.RawMessage) {}})
		if err != nil {
			l.unfollow(uri)
			continue
		}
		l.granted.ResourceSubscriptions = append(l.granted.ResourceSubscriptions, uri)
	}
}

// beginSubscribe registers what a resources/subscribe or resources/unsubscribe of a session requests, so that no update is
// missed while the backend is called; settle reverts it on failure.
func (l *subscriber) beginSubscribe(r *request) (settle func(error), bad *rpcError) {
	method, uri := mcp.MCPMethod(r.method), textOf(r.param("uri"))
	switch {
	case method != mcp.MethodResourcesSubscribe && method != mcp.MethodResourcesUnsubscribe:
		return func(error) {}, nil
	case uri == "" || len(uri) > maxURI:
		return nil, invalidParams(fmt.Sprintf("uri: must be a text of 1 to %d bytes", maxURI))
	case method == mcp.MethodResourcesUnsubscribe:
		return func(error) { l.unfollow(uri) }, nil
	}
	isNew, ok := l.follow(uri)
	if !ok {
		return nil, invalidParams(fmt.Sprintf("at most %d resources can be subscribed to at a time: unsubscribe from some", maxFollows))
	}
	return func(err error) {
		if err != nil && isNew {
			l.unfollow(uri)
		}
	}, nil
}

// followChanges passes changes on until ctx ends, over is closed (nil never is) or the client is gone.
func (s *Server) followChanges(ctx context.Context, l *subscriber, over <-chan struct{}, out sink) {
	beat := time.NewTicker(s.opt.Beat)
	defer beat.Stop()
	for {
		select {
		case <-l.wake:
			for _, frame := range l.takeFrames() {
				if out.send(ctx, frame) != nil {
					return
				}
			}
		case <-beat.C:
			if out.beat() != nil {
				return
			}
		case <-ctx.Done():
			return
		case <-over:
			return
		}
	}
}

func (s *Server) listenEnd(r *request) answer {
	meta := subscriptionMeta(r.id.raw)
	meta[mcp.MetaKeyServerInfo] = r.face.surface.Load().info
	result, err := rawjson.Marshal(map[string]any{"resultType": mcp.ResultTypeComplete, "_meta": meta})
	if err != nil {
		return failed(&rpcError{Code: mcp.INTERNAL_ERROR, Message: "internal error"})
	}
	return answer{result: result}
}
