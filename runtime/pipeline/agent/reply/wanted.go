package reply

import (
	"math"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

const maxWanted = 80 // bytes of a list of choices

// wanted describes the values that a scalar's schema accepts in a few words.
func wanted(s *schema.Schema) string {
	if len(s.Enum) > 0 {
		return "one of " + choices(s.Enum)
	}
	switch s.Type {
	case schema.Integer:
		return "a whole number" + limits(s)
	case schema.Number:
		return "a number" + limits(s)
	case schema.Boolean:
		return "true or false"
	}
	return "text"
}

func limits(s *schema.Schema) string {
	switch {
	case s.Min != nil && s.Max != nil:
		return " " + short(*s.Min) + ".." + short(*s.Max)
	case s.Min != nil:
		return " from " + short(*s.Min)
	case s.Max != nil:
		return " up to " + short(*s.Max)
	}
	return ""
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// choices formats an enumeration; consecutive whole numbers become 1..8.
func choices(enum []any) string {
	words := make([]string, 0, len(enum))
	row := len(enum) > 2
	first, _ := asFloat(nodeOf(enum[0], 0).plain())
	for i, e := range enum {
		n := nodeOf(e, 0)
		v, ok := asFloat(n.plain())
		row = row && ok && v == first+float64(i) && v == math.Trunc(v)
		words = append(words, quote(n))
	}
	if row {
		return words[0] + ".." + words[len(words)-1]
	}
	return contract.Shorten(strings.Join(words, ", "), maxWanted)
}
