package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"compactor/runtime/gateway/upstream"
	"compactor/runtime/server/rawjson"
)

// masker takes secrets out of what one server says: those that any text is
// searched for, and the values of its own variables.
type masker struct {
	mask    func(string) string
	secrets []secret
}

func (g *Gateway) masker(e *entry) *masker {
	e.mu.Lock()
	defer e.mu.Unlock()
	return &masker{mask: g.opt.Mask, secrets: e.secrets}
}

func (m *masker) text(s string) string {
	for _, x := range m.secrets {
		s = strings.ReplaceAll(s, x.value, "[REDACTED:"+x.name+"]")
	}
	return m.mask(s)
}

var errGarbled = errors.New("the server's result is not a JSON object")

// result masks the strings of a result. Bytes around them stay as they are.
func (m *masker) result(raw json.RawMessage) (json.RawMessage, error) {
	if rawjson.Of(raw) != rawjson.Object {
		return nil, &upstream.Error{Code: CodeExecution, Message: "its result is not a JSON object; report it to the server's author", Err: errGarbled}
	}
	return m.value(raw, ""), nil
}

// Pictures, sounds and files are data, not text: masking would break them.
var binary = map[string]bool{"data": true, "blob": true}

// value masks one JSON value. What has nothing to mask is returned as it is, not
// written anew.
func (m *masker) value(raw json.RawMessage, name string) json.RawMessage {
	switch rawjson.Of(raw) {
	case rawjson.String:
		return m.quoted(raw, name)
	case rawjson.Object:
		members, err := rawjson.Members(raw)
		if err != nil {
			return raw
		}
		data := isData(members)
		return m.parts(raw, len(members), func(i int) (json.RawMessage, json.RawMessage) {
			key := members[i].Name
			if !data && binary[key] {
				key = "" // text that happens to be called so
			}
			return rawjson.Quote(members[i].Name), m.part(members[i].Value, key)
		}, '{', '}', func(i int) json.RawMessage { return members[i].Value })
	case rawjson.Array:
		items, err := rawjson.Items(raw)
		if err != nil {
			return raw
		}
		return m.parts(raw, len(items), func(i int) (json.RawMessage, json.RawMessage) { return nil, m.part(items[i], name) }, '[', ']',
			func(i int) json.RawMessage { return items[i] })
	}
	return raw
}

func (m *masker) part(raw json.RawMessage, name string) json.RawMessage { return m.value(raw, name) }

// parts puts an object or a list together again if any of its parts has changed.
func (m *masker) parts(raw json.RawMessage, n int, at func(int) (key, value json.RawMessage), open, end byte, old func(int) json.RawMessage) json.RawMessage {
	keys, values := make([]json.RawMessage, n), make([]json.RawMessage, n)
	changed := false
	for i := range n {
		keys[i], values[i] = at(i)
		changed = changed || !bytes.Equal(values[i], old(i))
	}
	if !changed {
		return raw
	}
	var b bytes.Buffer
	b.WriteByte(open)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if keys[i] != nil {
			b.Write(keys[i])
			b.WriteByte(':')
		}
		b.Write(values[i])
	}
	b.WriteByte(end)
	return b.Bytes()
}

func (m *masker) quoted(raw json.RawMessage, name string) json.RawMessage {
	if binary[name] {
		return raw
	}
	text, err := rawjson.Text(raw)
	if err != nil {
		return raw
	}
	if masked := m.text(text); masked != text {
		return rawjson.Quote(masked)
	}
	return raw
}

// isData reports whether an object holds a picture, a sound or a file.
func isData(members []rawjson.Member) bool {
	for _, x := range members {
		if x.Name == "mimeType" || x.Name == "blob" {
			return true
		}
	}
	return false
}

// notes masks what a server says while a call runs.
func (m *masker) notes(send func(string, json.RawMessage)) func(upstream.Note) {
	if send == nil {
		return nil
	}
	return func(n upstream.Note) { send(n.Method, m.value(n.Params, "")) }
}

// fault masks the words of an error.
func (m *masker) fault(err error) error {
	var rpc *upstream.RPCError
	var own *upstream.Error
	switch {
	case errors.As(err, &rpc):
		return &upstream.RPCError{Code: rpc.Code, Message: m.text(rpc.Message), Data: m.value(rpc.Data, "")}
	case errors.As(err, &own):
		return &upstream.Error{Code: own.Code, Server: own.Server, Message: m.text(own.Message), Err: own.Err}
	}
	return err
}
