// Package masked takes the secrets out of events before a sink keeps or sends
// them. The texts of one event are looked at together: what is found in one is
// taken out of all. Texts that were seen a moment ago are not looked at again, for
// most events say the same few things.
//
// It knows runtime/redact and runtime/event; runtime/timeline and
// runtime/event/tracing use it.
package masked

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/event"
	"github.com/compactor-mcp/compactor/runtime/quote"
	"github.com/compactor-mcp/compactor/runtime/rawjson"
	"github.com/compactor-mcp/compactor/runtime/redact"
)

// Bounds of what is remembered, and of one value.
const (
	mostSeen  = 1024
	longSeen  = 512
	longValue = 16 << 10
)

// withheld stands where it cannot be known what a text holds.
const withheld = "[withheld]"

// Masker masks events. One goroutine uses it.
type Masker struct {
	redactor func() *redact.Redactor
	last     *redact.Redactor
	seen     map[string][]string
}

// New returns a masker with the redactor of the configuration in force; nil is the
// built-in one.
func New(redactor func() *redact.Redactor) *Masker {
	if redactor == nil {
		redactor = redact.Default
	}
	return &Masker{redactor: redactor}
}

// Text is a text of an event with the name that counts for it.
type Text struct{ Name, Value string }

// Event returns the event without secrets. Its attributes are texts and numbers
// then; identifiers of our own stay as they are.
func (m *Masker) Event(e event.Event) event.Event {
	e.Detail = nil
	texts := []Text{{"name", e.Name}, {"stage", e.Stage}, {"role", e.Role}, {"server", e.Server}, {"tool", e.Tool},
		{"outcome", e.Outcome}, {"code", e.Code}, {"msg", e.Message}, {"error", e.Error}}
	attrs := make([]slog.Attr, len(e.Attrs))
	var at []int
	for i, a := range e.Attrs {
		a.Value = a.Value.Resolve()
		attrs[i] = a
		if value, may := textOf(a.Value); may {
			texts, at = append(texts, Text{a.Key, value}), append(at, i)
		}
	}
	out := m.texts(texts)
	for i, to := range []*string{&e.Name, &e.Stage, &e.Role, &e.Server, &e.Tool, &e.Outcome, &e.Code, &e.Message, &e.Error} {
		*to = out[i]
	}
	for n, i := range at {
		attrs[i].Value = slog.StringValue(out[n+9])
	}
	e.Attrs = attrs
	return e
}

// textOf is a value as a text where it may hold a secret.
func textOf(v slog.Value) (string, bool) {
	switch v.Kind() {
	case slog.KindBool, slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindDuration, slog.KindTime:
		return "", false
	case slog.KindAny:
		if _, own := v.Any().(event.ID); own {
			return "", false
		}
		return fmt.Sprint(v.Any()), true
	}
	return v.String(), true
}

// texts masks texts together.
func (m *Masker) texts(list []Text) []string {
	r := m.redactor()
	if r != m.last || len(m.seen) >= mostSeen {
		m.last, m.seen = r, map[string][]string{}
	}
	key := keyOf(list)
	if out, ok := m.seen[key]; ok && key != "" {
		return out
	}
	out := mask(list, r)
	if key != "" {
		m.seen[key] = out
	}
	return out
}

// keyOf is what tells texts from others; "" where they are too long to remember.
func keyOf(list []Text) string {
	var b strings.Builder
	for _, t := range list {
		if b.Len()+len(t.Name)+len(t.Value) > longSeen {
			return ""
		}
		b.WriteString(strconv.Itoa(len(t.Name)) + "," + strconv.Itoa(len(t.Value)) + ":" + t.Name + t.Value)
	}
	return b.String()
}

func mask(list []Text, r *redact.Redactor) []string {
	out := make([]string, len(list))
	var members []rawjson.Member
	var at []int
	for i, t := range list {
		if t.Value == "" {
			continue
		}
		if len(t.Value) > longValue { // half a secret is not recognised
			out[i] = "(" + strconv.Itoa(len(t.Value)) + " bytes, left out)"
			continue
		}
		members = append(members, rawjson.Member{Name: strings.ToValidUTF8(t.Name, "?"), Value: rawjson.Quote(strings.ToValidUTF8(t.Value, "�"))})
		at = append(at, i)
	}
	raw, _ := r.JSON(rawjson.Join(members), redact.Frame{Clean: quote.Controls})
	clean, err := rawjson.Members(raw)
	for n, i := range at {
		out[i] = withheld
		if err == nil && len(clean) == len(members) {
			if said, err := rawjson.Text(clean[n].Value); err == nil {
				out[i] = said
			}
		}
	}
	return out
}
