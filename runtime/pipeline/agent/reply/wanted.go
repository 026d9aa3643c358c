package reply

import (
	"math"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

const maxWanted = 80 // bytes of a list of choices

// describeWanted describes the values that a scalar's schema accepts in a few words.
func describeWanted(s *schema.Schema) string {
	if len(s.Enum) > 0 {
		return "one of " + formatChoices(s.Enum)
	}
	switch s.Type {
	case schema.Integer:
		return "a whole number" + describeLimits(s)
	case schema.Number:
		return "a number" + describeLimits(s)
	case schema.Boolean:
		return "true or false"
	}
	return "text"
}

func describeLimits(s *schema.Schema) string {
	switch {
	case s.Min != nil && s.Max != nil:
		return " " + formatFloat(*s.Min) + ".." + formatFloat(*s.Max)
	case s.Min != nil:
		return " from " + formatFloat(*s.Min)
	case s.Max != nil:
		return " up to " + formatFloat(*s.Max)
	}
	return ""
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// formatChoices formats an enumeration; consecutive whole numbers become 1..8.
func formatChoices(enum []any) string {
	words := make([]string, 0, len(enum))
	row := len(enum) > 2
	first, _ := asFloat(nodeOf(enum[0], 0).toValue())
	for i, e := range enum {
		n := nodeOf(e, 0)
		v, ok := asFloat(n.toValue())
		row = row && ok && v == first+float64(i) && v == math.Trunc(v)
		words = append(words, quote(n))
	}
	if row {
		return words[0] + ".." + words[len(words)-1]
	}
	return contract.Shorten(strings.Join(words, ", "), maxWanted)
}
