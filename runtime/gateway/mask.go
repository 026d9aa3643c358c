package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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
	return m.value(raw), nil
}

// Pictures, sounds and files are data, not text: masking would break them.
var binary = map[string]bool{"data": true, "blob": true}

// bracket is an object or a list that value is in the middle of.
type bracket struct {
	list bool
	key  bool   // the next string is a name
	name string // of the member being read
	data bool   // it holds a picture, a sound or a file
	held []edit // what to mask unless it does
}

// edit puts a text in the place of bytes.
type edit struct {
	start, end int
	with       json.RawMessage
}

// value masks the strings of a JSON value, names of members too. What has
// nothing to mask is returned as it is, and bytes around what is masked stay.
// It is one pass, for a walk by levels reads deep values once for each level.
func (m *masker) value(raw json.RawMessage) json.RawMessage {
	var edits []edit
	stack := []bracket{{list: true}}
	for i := 0; i < len(raw); i++ {
		in := &stack[len(stack)-1]
		switch raw[i] {
		case '{', '[':
			stack = append(stack, bracket{list: raw[i] == '[', key: raw[i] == '{'})
		case '}', ']':
			if !in.data {
				edits = append(edits, in.held...)
			}
			if len(stack) > 1 {
				stack = stack[:len(stack)-1]
			}
		case ',':
			in.key = !in.list
		case '"':
			end := stringEnd(raw, i)
			edits = m.str(raw[i:end], i, in, edits)
			i = end - 1
		}
	}
	return apply(raw, edits)
}

// str masks one string, a name or a value.
func (m *masker) str(quoted json.RawMessage, at int, in *bracket, edits []edit) []edit {
	text, err := rawjson.Text(quoted)
	if err != nil { // no string of JSON: what it holds cannot be known
		return append(edits, edit{at, at + len(quoted), rawjson.Quote("")})
	}
	isName := in.key
	if isName {
		in.key, in.name = false, text
		in.data = in.data || text == "mimeType" || text == "blob"
	}
	masked := m.text(text)
	if masked == text {
		return edits
	}
	e := edit{at, at + len(quoted), rawjson.Quote(masked)}
	if !isName && binary[in.name] && !in.list {
		in.held = append(in.held, e)
		return edits
	}
	return append(edits, e)
}

// apply makes the edits, which do not overlap.
func apply(raw json.RawMessage, edits []edit) json.RawMessage {
	if len(edits) == 0 {
		return raw
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, raw[at:e.start]...), e.with...)
		at = e.end
	}
	return append(out, raw[at:]...)
}

// stringEnd is where the JSON string that starts at i ends.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// asks masks what a server asks the chat client while a call runs.
func (m *masker) asks(ask asking) asking {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		return ask(ctx, method, m.value(params))
	}
}

// asking puts a server's request to the chat client.
type asking = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)

// notes masks what a server says while a call runs.
func (m *masker) notes(send func(string, json.RawMessage)) func(upstream.Note) {
	if send == nil {
		return nil
	}
	return func(n upstream.Note) { send(n.Method, m.value(n.Params)) }
}

// fault masks the words of an error.
func (m *masker) fault(err error) error {
	var rpc *upstream.RPCError
	var own *upstream.Error
	switch {
	case errors.As(err, &rpc):
		return &upstream.RPCError{Code: rpc.Code, Message: m.text(rpc.Message), Data: m.value(rpc.Data)}
	case errors.As(err, &own):
		return &upstream.Error{Code: own.Code, Server: own.Server, Message: m.text(own.Message), Err: own.Err}
	}
	return err
}
