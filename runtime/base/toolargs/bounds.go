package toolargs

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// withinBounds reports whether a string or number of the right type is within the node's bounds. If any
// is set, every text matches the pattern, because implementations of patterns disagree.
func (n *node) withinBounds(raw json.RawMessage, any bool) bool {
	switch rawjson.Of(raw) {
	case rawjson.String:
		text := textOf(raw)
		return insideLimits(n.length, utf8.RuneCountInString(text)) && (any || n.pattern == nil || n.pattern.MatchString(text))
	case rawjson.Number:
		// A number too large for a float violates any bound that is set.
		f, err := strconv.ParseFloat(string(raw), 64)
		return (n.min == nil || err == nil && n.min.allowsMin(f)) && (n.max == nil || err == nil && n.max.allowsMax(f))
	}
	return true
}

func (n *node) countFits(items int) bool { return insideLimits(n.count, items) }

func insideLimits(limits [2]*int, n int) bool {
	return (limits[0] == nil || n >= *limits[0]) && (limits[1] == nil || n <= *limits[1])
}

func (b *bound) allowsMin(f float64) bool { return f > b.value || !b.exclusive && f == b.value }
func (b *bound) allowsMax(f float64) bool { return f < b.value || !b.exclusive && f == b.value }

func (n *node) takesNull() bool {
	return n.unjudged || len(n.types) == 0 && len(n.enum) == 0 || slices.Contains(n.types, "null") ||
		slices.ContainsFunc(n.enum, func(e json.RawMessage) bool { return string(e) == "null" })
}
