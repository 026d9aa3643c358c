// Package masked removes secrets from events before a sink keeps or sends them. The texts
// of one event are masked together: a secret found in one is removed from all. Texts seen
// recently are not examined again, because most events say the same few things.
//
// It knows runtime/safety/redact and runtime/base/event; runtime/observe/timeline and
// runtime/observe/tracing use it.
package masked

import (
	"context"
	"encoding/binary"
	"log/slog"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// Limits of what is remembered, and of one value.
const (
	maxSeen   = 1024
	longSeen  = 512
	longValue = 16 << 10
)

// withheld replaces a text whose contents cannot be determined.
const withheld = "[withheld]"

// Masker masks events. It must be used by one goroutine only.
type Masker struct {
	redactor func() *redact.Redactor
	last     *redact.Redactor
	seen     map[string][]string
	key      []byte // reused buffer
}

// New returns a masker with the redactor of the current configuration; nil means the
// built-in one.
func New(redactor func() *redact.Redactor) *Masker {
	if redactor == nil {
		redactor = redact.Default
	}
	return &Masker{redactor: redactor}
}

// text is a text of an event with the name used for masking it.
type text struct {
	name, value string
	json        bool // value is JSON
}

// Event returns the event without secrets. Its attributes become texts and numbers;
// identifiers of our own stay unchanged.
func (m *Masker) Event(e event.Event) event.Event {
	e.Detail = nil
	texts := []text{{name: "name", value: e.Name}, {name: "stage", value: e.Stage}, {name: "role", value: e.Role}, {name: "server", value: e.Server}, {name: "tool", value: e.Tool},
		{name: "outcome", value: e.Outcome}, {name: "code", value: e.Code}, {name: "msg", value: e.Message}, {name: "error", value: e.Error}}
	attrs := make([]slog.Attr, len(e.Attrs))
	var at []int
	for i, a := range e.Attrs {
		a.Value = a.Value.Resolve()
		attrs[i] = a
		if t, may := textOf(a.Value); may {
			t.name = a.Key
			texts, at = append(texts, t), append(at, i)
		}
	}
	out := m.maskTexts(texts)
	for i, to := range []*string{&e.Name, &e.Stage, &e.Role, &e.Server, &e.Tool, &e.Outcome, &e.Code, &e.Message, &e.Error} {
		*to = out[i]
	}
	for n, i := range at {
		attrs[i].Value = slog.StringValue(out[n+9])
	}
	e.Attrs = attrs
	return e
}

// textOf returns a value as a text if it may hold a secret.
func textOf(v slog.Value) (t text, may bool) {
	switch v.Kind() {
	case slog.KindBool, slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindDuration, slog.KindTime:
		return text{}, false
	case slog.KindAny:
		switch x := v.Any().(type) {
		case event.ID:
			return text{}, false
		case error:
			return text{value: x.Error()}, true
		}
		raw, err := rawjson.Marshal(v.Any())
		if err != nil {
			return text{value: "(no JSON)"}, true
		}
		return text{value: string(raw), json: true}, true
	}
	return text{value: v.String()}, true
}

// maskTexts masks texts together.
func (m *Masker) maskTexts(list []text) []string {
	r := m.redactor()
	if r != m.last || len(m.seen) >= maxSeen {
		m.last, m.seen = r, map[string][]string{}
	}
	key := m.keyOf(list)
	if out, ok := m.seen[string(key)]; ok && key != nil {
		return out
	}
	out := mask(list, r)
	if key != nil {
		m.seen[string(key)] = out
	}
	return out
}

// keyOf returns a key that identifies texts; nil if they are too long to remember.
func (m *Masker) keyOf(list []text) []byte {
	b := m.key[:0]
	for _, t := range list {
		if len(b)+len(t.name)+len(t.value) > longSeen {
			return nil
		}
		b = binary.AppendUvarint(b, uint64(len(t.name)))
		b = append(b, t.name...)
		b = binary.AppendUvarint(b, uint64(len(t.value)))
		b = append(b, t.value...)
	}
	m.key = b
	return b
}

func mask(list []text, r *redact.Redactor) []string {
	out := make([]string, len(list))
	var members []rawjson.Member
	var at []int
	for i, t := range list {
		if t.value == "" {
			continue
		}
		if len(t.value) > longValue { // half a secret is not recognized
			out[i] = "(" + strconv.Itoa(len(t.value)) + " bytes, left out)"
			continue
		}
		value := []byte(t.value)
		if !t.json {
			value = rawjson.Quote(strings.ToValidUTF8(t.value, "�"))
		}
		members = append(members, rawjson.Member{Name: strings.ToValidUTF8(t.name, "?"), Value: value})
		at = append(at, i)
	}
	raw, _, _ := r.JSON(context.Background(), rawjson.Join(members), redact.Frame{Clean: sanitize.Controls})
	clean, err := rawjson.Members(raw)
	for n, i := range at {
		out[i] = withheld
		if err == nil && len(clean) == len(members) {
			if said, err := rawjson.Text(clean[n].Value); err == nil {
				out[i] = said
			} else {
				out[i] = string(clean[n].Value)
			}
		}
	}
	return out
}
