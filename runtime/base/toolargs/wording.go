package toolargs

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Limits of an error message, so that it stays cheap to read.
const (
	maxProblems = 8
	maxQuoted   = 40 // characters of a value
	maxNames    = 12
)

func signatureOf(n *node) string {
	if len(n.props) == 0 {
		if n.closed {
			return "no arguments"
		}
		return "an object"
	}
	var parts []string
	for i, p := range n.props {
		if i == maxNames {
			parts = append(parts, fmt.Sprintf("and %d more", len(n.props)-i))
			break
		}
		what := strings.TrimPrefix(strings.TrimPrefix(p.node.describeType(), "a "), "an ")
		for _, name := range n.required {
			if name == p.name {
				what += ", required"
			}
		}
		parts = append(parts, p.name+" ("+what+")")
	}
	return strings.Join(parts, ", ")
}

// describeType describes what the node accepts.
func (n *node) describeType() string {
	if len(n.enum) > 0 {
		return n.wantEnum()
	}
	var kinds []string
	for _, t := range n.types {
		if t != "null" {
			kinds = append(kinds, n.wantType(t))
		}
	}
	switch {
	case len(kinds) == 0 && len(n.types) > 0:
		return "null"
	case len(kinds) == 0:
		return "any value"
	}
	return strings.Join(kinds, " or ")
}

func (n *node) wantEnum() string {
	var names []string
	for i, e := range n.enum {
		if i == maxNames {
			names = append(names, fmt.Sprintf("... (%d values)", len(n.enum)))
			break
		}
		names = append(names, textOf(e))
	}
	if len(names) == 1 {
		return strconv.Quote(names[0])
	}
	return "one of " + strings.Join(names, ", ")
}

func (n *node) wantType(t string) string {
	switch t {
	case "string":
		return "a string" + spanText(n.length, "character") + n.wantPattern()
	case "integer":
		return "a whole number" + n.wantRange()
	case "number":
		return "a number" + n.wantRange()
	case "boolean":
		return "true or false"
	case "array":
		return "a list" + n.wantItems() + spanText(n.count, "item")
	case "object":
		return "an object" + n.wantMembers()
	}
	return t
}

func (n *node) wantPattern() string {
	if n.pattern == nil {
		return ""
	}
	return " matching " + shortenText(n.pattern.String())
}

func (n *node) wantMembers() string {
	var names []string
	for i, p := range n.props {
		if i == maxNames {
			names = append(names, "...")
			break
		}
		names = append(names, p.name)
	}
	if len(names) == 0 {
		return ""
	}
	return " with " + strings.Join(names, ", ")
}

func (n *node) wantItems() string {
	if n.items == nil || len(n.items.enum) == 0 && len(n.items.types) != 1 {
		return ""
	}
	if len(n.items.enum) > 0 {
		return " with " + n.items.describeType()
	}
	switch n.items.types[0] {
	case "integer":
		return " of whole numbers"
	case "boolean":
		return " of true or false"
	case "array":
		return " of lists"
	}
	return " of " + n.items.types[0] + "s"
}

// largest is the largest whole number that JavaScript counts exactly. Libraries write it if no bound was set.
const largest = "9007199254740991"

func (n *node) wantRange() string {
	low, high := "", ""
	if n.min != nil {
		low = n.min.text
	}
	if n.max != nil && n.max.text != largest {
		high = n.max.text
	}
	switch {
	case low != "" && high != "" && !n.min.exclusive && !n.max.exclusive:
		return " from " + low + " to " + high
	case low != "" && high != "":
		return " " + edgeText(n.min, "above ", "from ") + " and " + edgeText(n.max, "below ", "up to ")
	case low != "":
		return " " + edgeText(n.min, "above ", "from ")
	case high != "":
		return " " + edgeText(n.max, "below ", "up to ")
	}
	return ""
}

func edgeText(b *bound, exclusive, inclusive string) string {
	if b.exclusive {
		return exclusive + b.text
	}
	return inclusive + b.text
}

func spanText(limits [2]*int, unit string) string {
	low, high := limits[0], limits[1]
	switch {
	case low != nil && high != nil:
		return fmt.Sprintf(" of %d to %d %ss", *low, *high, unit)
	case low != nil && *low == 1:
		return " that is not empty"
	case low != nil:
		return fmt.Sprintf(" of at least %d %ss", *low, unit)
	case high != nil:
		return fmt.Sprintf(" of at most %d %ss", *high, unit)
	}
	return ""
}

// describeValue describes what was sent. Quoting makes control and bidirectional characters visible and harmless.
func describeValue(raw json.RawMessage) string {
	switch rawjson.Of(raw) {
	case rawjson.Null:
		return "null"
	case rawjson.Bool:
		return string(raw)
	case rawjson.Number:
		return "the number " + shortenText(string(raw))
	case rawjson.String:
		text := textOf(raw)
		if text == "" {
			return "an empty string"
		}
		return "the string " + strconv.Quote(shortenText(text))
	case rawjson.Array:
		items, _ := rawjson.Items(raw)
		return "a list of " + itoa(len(items))
	case rawjson.Object:
		return "an object"
	}
	return "nothing"
}

func shortenText(s string) string {
	runes := []rune(s)
	if len(runes) <= maxQuoted {
		return s
	}
	return string(runes[:maxQuoted]) + "..."
}

// safeName returns a name from the caller, made safe for a message.
func safeName(name string) string {
	quoted := strconv.Quote(shortenText(name))
	if strings.ContainsAny(quoted, "\\ ") || name == "" {
		return quoted
	}
	return quoted[1 : len(quoted)-1]
}

func itoa(i int) string { return strconv.Itoa(i) }
