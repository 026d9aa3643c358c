package server

import "encoding/json"

// Offers are the kinds of things that are served besides tools. Requests for anything else are rejected
// without calling Forward.
type Offers struct {
	Resources         bool // resources/list, resources/templates/list, resources/read
	ResourceSubscribe bool // and resources/subscribe, resources/unsubscribe
	Prompts           bool // prompts/list, prompts/get
	Completions       bool // completion/complete
}

// Forward is a request that is not about tools. Responses of other servers are passed on verbatim: what the client's
// era requires or does not know is added and left out, as in Reply.Raw; lists and contents without ttlMs and cacheScope
// get those of our own tool list, except that contents may not be cached. The context and panics are as in Call. An
// RPCError reaches the client unchanged, any other error as an internal error in words.
//
// A client that subscribes to a resource in the stateless era has no session. Each of its subscriptions gets a session
// of its own: Backend.Forward receives resources/subscribe for each resource with it, and Backend.SessionEnded ends them
// all. In the handshake era they end with resources/unsubscribe and with the client's session.
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
