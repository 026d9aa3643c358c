package server

import (
	"context"
	"encoding/json"
)

// Forwarder is a Backend that serves more than tools: what other servers answer passes as it is.
//
// A client that subscribes to a resource in the stateless era has no session. Each of its subscriptions is given one of
// its own: Forward is asked resources/subscribe for each resource under it, and SessionEnded (see SessionEnder) ends them
// all. In the handshake era they end with resources/unsubscribe and with the client's session.
type Forwarder interface {
	// Offers says what there is beside tools. It is read with Tools, at the start and after each change.
	Offers() Offers
	// Forward answers one request with its whole result, an object. What the client's era wants or does not know is added
	// and left out, as in Reply.Raw; lists and contents without ttlMs and cacheScope get those of our own tool list, and
	// contents may not be kept. The context and panics are as in Call. An RPCError reaches the client as it is, any other
	// as an internal error in words.
	Forward(ctx context.Context, f Forward) (json.RawMessage, error)
}

// Offers are the kinds of things a Forwarder serves. What it does not offer is refused without asking it.
type Offers struct {
	Resources         bool // resources/list, resources/templates/list, resources/read
	ResourceSubscribe bool // and resources/subscribe, resources/unsubscribe
	Prompts           bool // prompts/list, prompts/get
	Completions       bool // completion/complete
}

// Forward is one request that is not about tools.
type Forward struct {
	Method    string          // one of those that Offers names
	Params    json.RawMessage // as sent, an object without duplicate names or empty; see Meta
	Session   string          // as in Call
	Client    Client
	Stateless bool     // as in Call
	LogLevel  string   // as in Call
	Note      NoteFunc // as in Call
	Ask       AskFunc  // as in Call; nil where no client can be asked
}

// Noticer is a Backend that tells clients of more than changed tools.
type Noticer interface {
	// OnNotice registers a function that passes on a note which belongs to no request. It does not wait for clients and
	// may be called from any goroutine. stop ends the registration.
	OnNotice(tell func(Notice)) (stop func())
}

// Notice is a note that belongs to no request: one of
//
//   - notifications/resources/list_changed and notifications/prompts/list_changed, to all who hear of changes;
//   - notifications/resources/updated, to those who subscribed to its uri or to what that is part of;
//   - notifications/message, in the handshake era, to those who have asked for its level;
//   - notifications/elicitation/complete, in the handshake era, to the session named.
//
// Any other is dropped, and so is one of a kind that is not offered, or of more than 64 KiB. A client that is slow to read
// hears of the same change once, and of the last state.
type Notice struct {
	Method   string
	Params   json.RawMessage // an object or empty
	Sessions []string        // the only ones to be told, as in Forward; nil for all
	// Profiles reports whether those who are served with a profile may be told; nil for all.
	Profiles func(profile string) bool
}
