package server

import (
	"context"
	"encoding/json"
)

// Forwarder is a Backend that serves more than tools; responses of other servers are passed on verbatim.
//
// A client that subscribes to a resource in the stateless era has no session. Each of its subscriptions gets a session
// of its own: Forward receives resources/subscribe for each resource with it, and SessionEnded (see SessionEnder) ends
// them all. In the handshake era they end with resources/unsubscribe and with the client's session.
type Forwarder interface {
	// Offers returns what there is besides tools. It is called together with Tools, at the start and after each change.
	Offers() Offers
	// Forward answers one request with its whole result, an object. What the client's era requires or does not know is
	// added and left out, as in Reply.Raw; lists and contents without ttlMs and cacheScope get those of our own tool
	// list, except that contents may not be cached. The context and panics are as in Call. An RPCError reaches the
	// client unchanged, any other error as an internal error in words.
	Forward(ctx context.Context, f Forward) (json.RawMessage, error)
}

// Offers are the kinds of things a Forwarder serves. Requests for anything else are rejected without calling it.
type Offers struct {
	Resources         bool // resources/list, resources/templates/list, resources/read
	ResourceSubscribe bool // and resources/subscribe, resources/unsubscribe
	Prompts           bool // prompts/list, prompts/get
	Completions       bool // completion/complete
}

// Forward is a request that is not about tools.
type Forward struct {
	Method    string          // one of the methods that Offers names
	Params    json.RawMessage // as sent, an object without duplicate names or empty; see Meta
	Session   string          // as in Call
	Client    Client
	Stateless bool     // as in Call
	LogLevel  string   // as in Call
	Note      NoteFunc // as in Call
	Ask       AskFunc  // as in Call; nil if the client cannot be asked
}

// Noticer is a Backend that tells clients about more than changed tools.
type Noticer interface {
	// OnNotice registers a function that passes on a note that belongs to no request. The function does not wait for
	// clients and may be called from any goroutine. stop ends the registration.
	OnNotice(tell func(Notice)) (stop func())
}

// Notice is a note that belongs to no request, one of these:
//
//   - notifications/resources/list_changed and notifications/prompts/list_changed, to all listeners;
//   - notifications/resources/updated, to those that subscribed to its uri or to something it is part of;
//   - notifications/message, in the handshake era, to those that asked for its level;
//   - notifications/elicitation/complete, in the handshake era, to the session named.
//
// Any other is dropped, and so is one of a kind that is not offered, or of more than 64 KiB. A slow client receives
// several notes of the same change once, with the last state.
type Notice struct {
	Method   string
	Params   json.RawMessage // an object or empty
	Sessions []string        // the only recipients, as in Forward; nil for all
	// Profiles reports whether clients with a profile may receive the note; nil for all.
	Profiles func(profile string) bool
}
