package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/format"
	cueliteral "cuelang.org/go/cue/literal"

	"compactor/runtime/lazyregexp"
	"compactor/runtime/schema"
)

// Show prints the effective configuration as CUE. What the user wrote carries
// the place it was written at, and, where a project has a layer too, whose it is.
func Show(cfg *Config) []byte {
	b := printer{whose: cfg.Source.whose}
	b.WriteString("package " + packageName + "\n")
	for _, f := range cfg.Source.tree.fieldsOrNone() {
		b.WriteString("\n")
		b.show(f, "")
	}
	out, err := format.Source(b.Bytes(), format.Simplify())
	if err != nil {
		return b.Bytes() // unformatted is better than nothing
	}
	return out
}

// printer writes nodes and says where they are from.
type printer struct {
	bytes.Buffer
	whose map[side]string // what is said of a layer; empty where there is one alone
}

func (b *printer) show(f nodeField, indent string) {
	b.WriteString(indent + label(f.name) + ": ")
	switch n := f.value; n.kind {
	case structNode:
		b.WriteString("{\n")
		for _, kid := range n.fields {
			b.show(kid, indent+"\t")
		}
		b.WriteString(indent + "}")
	case typeNode:
		b.WriteString(showType(n.typ, indent))
	default:
		b.WriteString(showValue(n, indent))
	}
	if n := f.value; n.kind != structNode && n.side.byHand() && !strings.Contains(showEnd(n, indent), "\n") {
		b.WriteString(" // from " + origin(n) + b.whose[n.side])
	}
	b.WriteString("\n")
}

// showEnd is what stands before a comment: one after a text block would be
// part of nothing.
func showEnd(n *node, indent string) string {
	if n.kind == typeNode {
		return showType(n.typ, indent)
	}
	return showValue(n, indent)
}

var plainLabel = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]*$`)

func label(name string) string {
	if plainLabel.MatchString(name) {
		return name
	}
	return cueliteral.String.Quote(name)
}

func showValue(n *node, indent string) string {
	switch n.kind {
	case listNode:
		parts := make([]string, len(n.items))
		for i, item := range n.items {
			parts[i] = showValue(item, indent)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case structNode:
		raw, _ := json.Marshal(n.plain())
		return string(raw)
	}
	if s, ok := n.scalar.(string); ok {
		return cueliteral.String.WithOptionalTabIndent(len(indent) + 1).Quote(s)
	}
	if n.scalar == nil {
		return "null"
	}
	return fmt.Sprint(n.scalar)
}

func showType(s *schema.Schema, indent string) string {
	switch s.Type {
	case schema.Object:
		var b strings.Builder
		b.WriteString("{\n")
		for _, f := range s.Fields {
			if f.Schema.Doc != "" {
				b.WriteString(indent + "\t// " + f.Schema.Doc + "\n")
			}
			mark := ""
			if !f.Required && f.Schema.Default == nil {
				mark = "?"
			}
			b.WriteString(indent + "\t" + label(f.Name) + mark + ": " + showType(f.Schema, indent+"\t") + "\n")
		}
		return b.String() + indent + "}"
	case schema.Array:
		return "[..." + showType(s.Items, indent) + "]"
	}
	return showScalarType(s)
}

func showScalarType(s *schema.Schema) string {
	parts := []string{map[string]string{schema.String: "string", schema.Integer: "int", schema.Number: "number", schema.Boolean: "bool", schema.Any: "_"}[s.Type]}
	if len(s.Enum) > 0 {
		var alternatives []string
		for _, e := range s.Enum {
			raw, _ := json.Marshal(e)
			alternatives = append(alternatives, string(raw))
		}
		parts = []string{strings.Join(alternatives, " | ")}
	}
	if s.Min != nil {
		parts = append(parts, fmt.Sprintf(">=%v", *s.Min))
	}
	if s.Max != nil {
		parts = append(parts, fmt.Sprintf("<=%v", *s.Max))
	}
	if s.Pattern != "" {
		parts = append(parts, "=~"+cueliteral.String.Quote(s.Pattern))
	}
	if s.Type == schema.String && s.MinLen != nil && *s.MinLen == 1 {
		parts = append(parts, `!=""`)
	}
	text := strings.Join(slices.Compact(parts), " & ")
	if s.Default != nil {
		raw, _ := json.Marshal(s.Default)
		text = "*" + string(raw) + " | " + text
	}
	return text
}
