package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// plain prints a string without quotes and anything else unchanged.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s + "\n"
	}
	return string(raw) + "\n"
}

// generic prints objects as "key: value" lines, lists of objects as one line each, and
// nested values indented. Keys keep their order.
func generic(raw json.RawMessage) string {
	var b strings.Builder
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	writeValue(&b, d, "", "")
	return b.String()
}

func writeValue(b *strings.Builder, d *json.Decoder, indent, label string) {
	t, err := d.Token()
	if err != nil {
		return
	}
	switch t {
	case json.Delim('{'):
		if label != "" {
			fmt.Fprintf(b, "%s%s:\n", indent, label)
			indent += "  "
		}
		for d.More() {
			key, _ := d.Token()
			writeValue(b, d, indent, sanitize.Line(fmt.Sprint(key)))
		}
		_, _ = d.Token()
	case json.Delim('['):
		writeList(b, d, indent, label)
	default:
		writeScalar(b, t, indent, label)
	}
}

func writeList(b *strings.Builder, d *json.Decoder, indent, label string) {
	if label != "" {
		fmt.Fprintf(b, "%s%s:\n", indent, label)
		indent += "  "
	}
	for d.More() {
		var item json.RawMessage
		if d.Decode(&item) != nil {
			return
		}
		b.WriteString(indent + indentRest(oneLine(item), indent+"    ") + "\n")
	}
	_, _ = d.Token()
}

func writeScalar(b *strings.Builder, t json.Token, indent, label string) {
	text := fmt.Sprint(t)
	if t == nil {
		text = "-"
	}
	switch {
	case label == "":
		fmt.Fprintf(b, "%s%s\n", indent, text)
	case strings.Contains(text, "\n"):
		fmt.Fprintf(b, "%s%s:\n%s\n", indent, label, strings.TrimRight(text, "\n"))
	default:
		fmt.Fprintf(b, "%s%s: %s\n", indent, label, text)
	}
}

// oneLine formats a list element: scalars unchanged, objects as their values in order, so
// that grep's matches look like grep's.
func oneLine(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if len(raw) == 0 || raw[0] != '{' {
		return string(raw)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	_, _ = d.Token()
	var parts []string
	for d.More() {
		_, _ = d.Token()
		var v json.RawMessage
		if d.Decode(&v) != nil {
			break
		}
		if text := oneLine(v); text != "" && text != "null" && text != "[]" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "  ")
}
