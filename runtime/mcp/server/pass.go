package server

import (
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// NoteFunc passes on a note of another server to the client whose request it belongs to. Its params stay unchanged:
//
//   - notifications/progress gets the client's own token, and only goes to a client that requested progress;
//   - notifications/message only goes to a client that wants that level;
//   - notifications/elicitation/complete only goes to a client of the handshake era.
//
// Any other, and one that cannot be parsed, is dropped.
type NoteFunc func(method string, params json.RawMessage)

const (
	noteProgress = string(mcp.MethodNotificationProgress)
	noteMessage  = string(mcp.MethodNotificationMessage)
	noteElicited = "notifications/elicitation/complete"
)

// passNote implements NoteFunc for one request.
func (n *notes) passNote(method string, params json.RawMessage) {
	if rawjson.Check(params) != nil {
		return
	}
	fields, twice, err := object(params)
	if err != nil || twice != "" {
		return
	}
	switch method {
	case noteProgress:
		if n.token != nil && rawjson.Of(fields["progress"]) == rawjson.Number {
			n.send(n.ctx, encodeNotification(method, withMember(params, "progressToken", n.token)))
		}
	case noteMessage:
		if n.wantsLevel(textOf(fields["level"])) {
			n.send(n.ctx, encodeNotification(method, params))
		}
	case noteElicited:
		if !n.modern {
			n.send(n.ctx, encodeNotification(method, params))
		}
	}
}

// withMember returns an object with one member replaced or added.
func withMember(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	members, _ := rawjson.Members(object)
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
			return rawjson.Join(members)
		}
	}
	return rawjson.Join(append(members, rawjson.Member{Name: name, Value: value}))
}
