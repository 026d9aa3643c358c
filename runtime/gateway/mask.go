package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// masker removes from a server's output what must not be passed on: secrets (found by their form and by field names),
// the values of the server's own variables, and characters that a reader would obey without seeing them.
type masker struct {
	redactor *redact.Redactor // nil finds nothing
	secrets  []secret
	login    *oauth.Source       // its tokens change while a call runs; nil: no login
	clean    func(string) string // nil keeps all characters
}

func (reg *registry) masker(e *serverEntry) *masker {
	e.mu.Lock()
	defer e.mu.Unlock()
	return &masker{redactor: reg.opt.Redactor(), secrets: e.secrets, login: e.login, clean: foreignText}
}

// now returns the masker with the current tokens.
func (m *masker) now() *masker {
	if m.login == nil {
		return m
	}
	out := *m
	out.login, out.secrets = nil, nil
	for _, v := range m.login.Secrets() {
		for _, s := range encodedForms(v) {
			out.secrets = append(out.secrets, secret{"token", s})
		}
	}
	sortSecrets(out.secrets)
	out.secrets = append(out.secrets, m.secrets...)
	return &out
}

// maskText masks one text.
func (m *masker) maskText(s string) string {
	m = m.now()
	s = m.maskOnce(s)
	if m.clean == nil {
		return s
	}
	if clean := m.clean(s); clean != s {
		return m.maskOnce(clean)
	}
	return s
}

func (m *masker) maskOnce(s string) string {
	s = m.maskKnown(s)
	if m.redactor != nil {
		s, _ = m.redactor.Redact(s)
	}
	return s
}

// maskKnown masks the values of the server's variables.
func (m *masker) maskKnown(s string) string {
	for _, x := range m.secrets {
		if len(x.value) > len(s) { // most strings are short
			continue
		}
		s = strings.ReplaceAll(s, x.value, "[REDACTED:"+x.name+"]")
	}
	return s
}

var errGarbled = errors.New("the server's result is not a JSON object")

// result masks a result. Bytes around masked parts are unchanged. A result that takes too much work to search, or whose
// call ends first, is withheld.
func (m *masker) result(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	if rawjson.Of(raw) != rawjson.Object || !json.Valid(raw) {
		return nil, &upstream.Error{Code: CodeExecution, Message: "its result is not a JSON object; report it to the server's author", Err: errGarbled}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m = m.now()
	out, err := m.maskMessage(ctx, m.maskAcross(raw))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, &upstream.Error{Code: CodeExecution, Message: "its result of " + strconv.Itoa(len(raw)) + " bytes is withheld: " + err.Error() + "; ask the tool for less at once", Err: err}
	}
	return out, nil
}

// maskForeign masks a result like result and removes the marks that only the gateway may set.
func (m *masker) maskForeign(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	raw, err := m.result(ctx, raw)
	return removeOwnMarks(raw, false), err
}

// maskMessage masks a result or the params of a request, where images, audio and files are passed as data at the places
// that the protocol defines.
func (m *masker) maskMessage(ctx context.Context, raw json.RawMessage) (json.RawMessage, error) {
	return m.maskJSON(ctx, raw, true)
}

// maskValue masks any other JSON, which is much smaller. If it takes too much work to search, it is replaced by a note.
func (m *masker) maskValue(raw json.RawMessage) json.RawMessage {
	out, _ := m.maskJSON(context.Background(), raw, false)
	return out
}

func (m *masker) maskJSON(ctx context.Context, raw json.RawMessage, message bool) (json.RawMessage, error) {
	switch {
	case len(raw) == 0:
		return raw, nil
	case !json.Valid(raw): // its contents cannot be known
		return rawjson.Quote(""), nil
	}
	m = m.now()
	f := redact.Frame{Clean: m.clean, Message: message}
	if len(m.secrets) > 0 {
		f.Known = m.maskKnown
	}
	out, _, err := m.redactor.JSON(ctx, raw, f)
	return out, err
}

// maskDefinitions masks the tools of a list. They are pinned by what the server sent, with only the values of its own
// variables masked, so that no pattern of the user's changes a tool's hash.
func (m *masker) maskDefinitions(raws []json.RawMessage) []offered {
	own, all := *m, *m
	own.redactor, own.clean, all.clean = nil, nil, nil // trust.Clean reports what it removes
	out := make([]offered, len(raws))
	for i, raw := range raws {
		raw = own.maskValue(raw)
		out[i] = offered{raw: raw, shown: all.maskValue(raw)}
	}
	return out
}

// maskRecalled masks the definitions of a stored list.
func (m *masker) maskRecalled(raws []json.RawMessage, hashes map[string]string) []offered {
	out := m.maskDefinitions(raws)
	for i := range out {
		out[i].hash = hashes[rawjson.GetText(out[i].raw, "name")]
	}
	return out
}

// maskRefusals masks the names of tools that cannot be offered: a name may be anything.
func (m *masker) maskRefusals(list []refusal) {
	seen := *m
	seen.clean = nil // the text is escaped when it is shown
	for i, r := range list {
		list[i] = refusal{seen.maskText(r.Name), seen.maskText(r.Why)}
	}
}

// maskAsks masks a server's questions to the chat client during a call.
func (m *masker) maskAsks(ask asking) asking {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		params, err := m.maskMessage(ctx, params)
		if err != nil {
			return nil, err
		}
		return ask(ctx, method, removeOwnMarks(params, false))
	}
}

// asking forwards a server's request to the chat client.
type asking = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)

// maskNotes masks a server's notifications during a call.
func (m *masker) maskNotes(send func(string, json.RawMessage)) func(upstream.Note) {
	if send == nil {
		return nil
	}
	return func(n upstream.Note) { send(n.Method, removeOwnMarks(m.maskValue(n.Params), false)) }
}

// maskError masks the text of an error.
func (m *masker) maskError(err error) error {
	var rpc *upstream.RPCError
	var own *upstream.Error
	switch {
	case errors.As(err, &rpc):
		return &upstream.RPCError{Code: rpc.Code, Message: m.maskText(rpc.Message), Data: removeOwnMarks(m.maskValue(rpc.Data), true)}
	case errors.As(err, &own):
		return &upstream.Error{Code: own.Code, Server: own.Server, Message: m.maskText(own.Message), Err: own.Err}
	}
	return err
}

// echoInput returns a caller's input in a form that an error may repeat.
func (reg *registry) echoInput(s string) string {
	return sanitize.Line(readable((&masker{redactor: reg.opt.Redactor()}).maskText(s)))
}
