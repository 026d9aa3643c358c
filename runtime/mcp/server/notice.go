package server

import (
	"encoding/json"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// toolsChanged tells the clients of a profile that the tool list changed.
func (s *Server) toolsChanged(profile string) {
	method := mcp.MethodNotificationToolsListChanged
	s.hub.publish(notification{key: method, method: method, serves: func(p string) bool { return p == profile }})
}

// passNotice passes on a note of the backend.
func (s *Server) passNotice(n Notice) {
	if got, ok := readNotice(n, s.allOffers()); ok {
		s.hub.publish(got)
	}
}

// allOffers returns what is offered to any client.
func (s *Server) allOffers() (o Offers) {
	for _, surf := range s.surfaces() {
		o.Resources, o.ResourceSubscribe = o.Resources || surf.offers.Resources, o.ResourceSubscribe || surf.offers.ResourceSubscribe
		o.Prompts, o.Completions = o.Prompts || surf.offers.Prompts, o.Completions || surf.offers.Completions
	}
	return o
}

// readNotice validates a foreign note; it returns false for one to drop.
func readNotice(n Notice, offers Offers) (notification, bool) {
	if len(n.Params) > maxNotice {
		return notification{}, false
	}
	out := notification{key: n.Method, method: n.Method, serves: n.Profiles}
	if n.Sessions != nil {
		out.to = make(map[string]bool, len(n.Sessions))
		for _, id := range n.Sessions {
			out.to[id] = id != "" // "" is the owner of all subscriptions without a session
		}
	}
	switch n.Method {
	case mcp.MethodNotificationResourcesListChanged:
		return out, offers.Resources
	case mcp.MethodNotificationPromptsListChanged:
		return out, offers.Prompts
	}
	if rawjson.Check(n.Params) != nil || rawjson.Duplicate(n.Params) != "" {
		return notification{}, false
	}
	fields, _, err := object(n.Params)
	if err != nil {
		return notification{}, false
	}
	out.params = withoutTag(n.Params, fields[metaKey])
	switch n.Method {
	case mcp.MethodNotificationResourceUpdated:
		out.uri = textOf(fields["uri"])
		out.key += " " + out.uri
		return out, out.uri != "" && offers.canSubscribe()
	case noteMessage:
		out.key, out.level = "", textOf(fields["level"])
		return out, levels[out.level]
	case noteElicited:
		out.key = ""
		return out, len(n.Sessions) > 0
	}
	return notification{}, false
}

// withoutTag removes from params the tag of the subscription through which they reached us.
func withoutTag(params, meta json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(meta)
	if err != nil {
		return params
	}
	kept := slices.DeleteFunc(members, func(m rawjson.Member) bool { return m.Name == mcp.MetaKeySubscriptionID })
	return withMember(params, metaKey, rawjson.Join(kept))
}
