package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/format"
	cueliteral "cuelang.org/go/cue/literal"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Mask returns texts at a path of the configuration in a form that may be shown: one
// value, or the elements of a list.
type Mask func(path, texts []string) []string

// Show prints the effective configuration as CUE. Values that the user wrote are
// annotated with their location and, if a project has a layer too, with whose they are. A
// nil mask shows everything.
func Show(cfg *Config, mask Mask) []byte {
	b := printer{whose: cfg.Source.layerOwner, mask: orAll(mask)}
	b.WriteString("package " + packageName + "\n")
	for _, f := range cfg.Source.tree.fieldsOrNone() {
		b.WriteString("\n")
		b.writeField(f, []string{f.name}, "")
	}
	out, err := format.Source(b.Bytes(), format.Simplify())
	if err != nil {
		return b.Bytes() // unformatted is better than nothing
	}
	return out
}

// orAll returns mask, or one that shows everything if it is nil.
func orAll(mask Mask) Mask {
	if mask == nil {
		return func(_, texts []string) []string { return texts }
	}
	return mask
}

// printer writes nodes and their origins.
type printer struct {
	bytes.Buffer
	whose func(side) string // describes the layer that a value is from
	mask  Mask
}

func (b *printer) writeField(f nodeField, path []string, indent string) {
	b.WriteString(indent + quoteLabel(f.name) + ": ")
	if n := f.value; n.kind == structNode {
		b.WriteString("{\n")
		for _, kid := range n.fields {
			b.writeField(kid, append(path[:len(path):len(path)], kid.name), indent+"\t")
		}
		b.WriteString(indent + "}\n")
		return
	}
	text := b.maskedText(f.value, path, indent)
	b.WriteString(text)
	// A comment after a text block would be part of nothing.
	if n := f.value; n.side.byHand() && !strings.Contains(text, "\n") {
		b.WriteString(" // from " + origin(n) + b.whose(n.side))
	}
	b.WriteString("\n")
}

// maskedText returns a value as CUE, masked.
func (b *printer) maskedText(n *node, path []string, indent string) string {
	if n.kind == typeNode {
		return b.mask(path, []string{showType(n.typ, indent)})[0]
	}
	return showValue(b.maskTexts(n, path), indent)
}

// maskTexts returns a copy of a value with its texts masked.
func (b *printer) maskTexts(n *node, path []string) *node {
	out := *n
	switch n.kind {
	case listNode:
		out.items = make([]*node, len(n.items))
		texts := b.mask(path, n.texts())
		for i, item := range n.items {
			kid := *b.maskTexts(item, path)
			if _, isText := item.scalar.(string); isText && item.kind == scalarNode {
				kid.scalar = texts[i]
			}
			out.items[i] = &kid
		}
	case structNode:
		out.fields = slices.Clone(n.fields)
		for i, f := range n.fields {
			out.fields[i].value = b.maskTexts(f.value, append(path[:len(path):len(path)], f.name))
		}
	case scalarNode:
		if text, ok := n.scalar.(string); ok {
			out.scalar = b.mask(path, []string{text})[0]
		}
	}
	return &out
}

var plainLabel = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]*$`)

func quoteLabel(name string) string {
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
	text := showBareType(s, indent)
	if s.Nullable {
		text += " | null"
	}
	return text
}

func showBareType(s *schema.Schema, indent string) string {
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
			b.WriteString(indent + "\t" + quoteLabel(f.Name) + mark + ": " + showType(f.Schema, indent+"\t") + "\n")
		}
		if s.Open != nil {
			b.WriteString(indent + "\t[string]: " + showType(s.Open, indent+"\t") + "\n")
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
