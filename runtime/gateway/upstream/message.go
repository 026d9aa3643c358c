package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// message is one JSON-RPC message from a server. Its parts alias the received bytes; a null part is nil.
type message struct {
	id      json.RawMessage
	method  string
	params  json.RawMessage
	result  json.RawMessage
	failure json.RawMessage
	bad     error // why it is unusable; id may still say which request it answers
}

// errNoMessage is returned for text that is not a JSON object, or one unrelated to the protocol.
var errNoMessage = errors.New("not a message of the protocol")

// parse reads one message. The error is errNoMessage for text that was never meant as one.
func parse(data []byte) (message, error) {
	data = bytes.Trim(bytes.TrimPrefix(data, []byte(byteOrder)), " \t\r\n")
	if len(data) == 0 || data[0] != '{' {
		return message{}, errNoMessage
	}
	bad := checkMessage(data)
	m := message{bad: bad}
	ids := 0
	// Of a broken message the members before the break are read: one of them may be the id.
	rawjson.Each(data, func(name string, value json.RawMessage) bool {
		switch name {
		case "id":
			ids++
			m.id = nonNull(value)
		case "method":
			m.method, _ = rawjson.Text(value)
		case "params":
			m.params = nonNull(value)
		case "result":
			m.result = nonNull(value)
		case "error":
			m.failure = nonNull(value)
		}
		return true
	})
	if ids > 1 { // the request it answers is ambiguous
		m.id = nil
	}
	if m.method == "" && m.result == nil && m.failure == nil && m.id == nil {
		return m, errNoMessage
	}
	return m, nil
}

// nonNull returns a value, nil for null: many servers write all members of an answer, even absent ones.
func nonNull(value json.RawMessage) json.RawMessage {
	if rawjson.Of(value) == rawjson.Null {
		return nil
	}
	return value
}

// keyOf reads an integer such as one of our ids, which some servers return as a string or as 1.0.
func keyOf(raw json.RawMessage) string {
	text := string(raw)
	if s, err := rawjson.Text(raw); err == nil {
		text = s
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return text
}

// answer reads m as the answer to a request: the result, the server's error, or an error if it is neither.
func (m message) answer() (json.RawMessage, error) {
	switch {
	case m.bad != nil:
		return nil, &useless{m.bad}
	case m.result != nil && m.failure != nil:
		return nil, &useless{errors.New("the message holds both a result and an error")}
	case m.failure != nil:
		return nil, rpcError(m.failure)
	case rawjson.Of(m.result) != rawjson.Object:
		return nil, &useless{errors.New("the result is not an object")}
	}
	return m.result, nil
}

// useless marks an answer that arrived and cannot be used.
type useless struct{ why error }

func (e *useless) Error() string { return "the answer cannot be used: " + e.why.Error() }

func rpcError(raw json.RawMessage) error {
	if rawjson.Of(raw) != rawjson.Object {
		return &useless{errors.New("the error is not an object")}
	}
	code, err := strconv.Atoi(keyOf(rawjson.Get(raw, "code")))
	if err != nil {
		return &useless{errors.New("the error's code is not an integer")}
	}
	message := rawjson.GetText(raw, "message")
	if message == "" {
		message = "the server gave no reason"
	}
	return &RPCError{Code: code, Message: message, Data: nonNull(rawjson.Get(raw, "data"))}
}

// encode writes one of our messages: a request with an id, a note without, params unchanged.
func encode(id int64, method string, params json.RawMessage) []byte {
	b := make([]byte, 0, len(params)+len(method)+64)
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != 0 {
		b = append(b, `,"id":`...)
		b = strconv.AppendInt(b, id, 10)
	}
	b = append(b, `,"method":`...)
	b = append(b, rawjson.Quote(method)...)
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// encodeReply writes our answer to a request of the server: a result, or an error.
func encodeReply(id json.RawMessage, result json.RawMessage, failure *RPCError) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if failure == nil {
		b = append(b, `,"result":`...)
		b = append(b, result...)
		return append(b, '}')
	}
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, int64(failure.Code), 10)
	b = append(b, `,"message":`...)
	b = append(b, rawjson.Quote(failure.Message)...)
	if failure.Data != nil {
		b = append(b, `,"data":`...)
		b = append(b, failure.Data...)
	}
	return append(b, `}}`...)
}
