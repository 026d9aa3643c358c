package eventlog

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// newRecord converts an event to a masked log record.
func newRecord(e event.Event, r *redact.Redactor) slog.Record {
	attrs := attrsOf(e)
	message := e.Message
	if message == "" {
		message = e.Kind.String()
	}
	attrs = maskAttrs(append([]slog.Attr{slog.String(messageKey, message)}, attrs...), r)
	out := slog.NewRecord(e.Time, levelOf(e), attrs[0].Value.String(), 0)
	out.AddAttrs(attrs[1:]...)
	return out
}

const messageKey = "msg"

// attrsOf returns the members of a line: those that are set, in a fixed order.
func attrsOf(e event.Event) []slog.Attr {
	var out []slog.Attr
	text := func(key, value string) {
		if value != "" {
			out = append(out, slog.String(key, value))
		}
	}
	id := func(key, value string) {
		if value != "" {
			out = append(out, slog.Any(key, event.ID(value)))
		}
	}
	number := func(key string, value int) {
		if value != 0 {
			out = append(out, slog.Int(key, value))
		}
	}
	if e.Kind != event.Note {
		text("kind", e.Kind.String())
	}
	if e.Phase != event.End {
		text("phase", e.Phase.String())
	}
	text("name", e.Name)
	id("trace_id", e.Trace)
	id("session_id", e.Session)
	id(callKey(e.Kind), e.Call)
	id("parent", e.Parent)
	text("stage", e.Stage)
	text("role", e.Role)
	text("server", e.Server)
	text("tool", e.Tool)
	out = append(out, e.Attrs...)
	number("tokens_in", e.TokensIn)
	number("tokens_out", e.TokensOut)
	number("bytes", e.Bytes)
	if e.Call != "" && e.Phase == event.End {
		out = append(out, slog.Int64("ms", e.Elapsed.Milliseconds()))
	}
	text("outcome", e.Outcome)
	text("code", e.Code)
	text("error", e.Error)
	number("dropped", e.Dropped)
	return out
}

// callKey returns the key for the identifier of a call: for tool calls, the conventional one.
func callKey(k event.Kind) string {
	if k == event.Upstream || k == event.Builtin {
		return "tool_call_id"
	}
	return "call"
}

// maskAttrs returns attributes without secrets. They are masked together: a secret found in
// one is removed from all. Values other than texts, numbers and booleans become their
// JSON.
func maskAttrs(attrs []slog.Attr, r *redact.Redactor) []slog.Attr {
	members := make([]rawjson.Member, 0, len(attrs))
	at := make([]int, 0, len(attrs))
	for i, a := range attrs {
		a.Value = a.Value.Resolve()
		attrs[i] = a
		if raw := textOf(a.Value); raw != nil {
			members = append(members, rawjson.Member{Name: strings.ToValidUTF8(a.Key, "?"), Value: raw})
			at = append(at, i)
		}
	}
	out, _, _ := r.JSON(context.Background(), rawjson.Join(members), redact.Frame{Clean: sanitize.Controls})
	clean, err := rawjson.Members(out)
	if err != nil || len(clean) != len(members) { // its contents are unknown
		clean = nil
	}
	for n, i := range at {
		value := "[withheld]"
		if clean != nil {
			if value = string(clean[n].Value); rawjson.Of(clean[n].Value) == rawjson.String {
				value, _ = rawjson.Text(clean[n].Value)
			}
			attrs[i].Key = clean[n].Name
		}
		attrs[i].Value = slog.StringValue(value)
	}
	return attrs
}

// textOf returns a value's JSON if it may hold a secret; nil if it cannot.
func textOf(v slog.Value) json.RawMessage {
	switch v.Kind() {
	case slog.KindBool, slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindDuration, slog.KindTime:
		return nil
	case slog.KindAny:
		switch x := v.Any().(type) {
		case event.ID:
			return nil
		case error:
			return quoted(x.Error())
		}
		raw, err := rawjson.Marshal(v.Any())
		if err != nil {
			return quoted("(no JSON)")
		}
		return boundText(raw)
	}
	return quoted(v.String())
}

// longest limits the text of one attribute, in bytes. A longer one is left out: half a
// secret is not recognized.
const longest = 16 << 10

func quoted(text string) json.RawMessage {
	return boundText(rawjson.Quote(strings.ToValidUTF8(text, "�")))
}

func boundText(raw json.RawMessage) json.RawMessage {
	if len(raw) > longest {
		return rawjson.Quote("(" + strconv.Itoa(len(raw)) + " bytes, left out)")
	}
	return raw
}
