package trust

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// canon writes checked JSON in the canonical form that is hashed: no white space, members sorted by the bytes of their
// names, strings without needless escapes, numbers as written by canonicalNumber.
type canon struct {
	out []byte
	err error
}

func (c *canon) value(v json.RawMessage) {
	if c.err != nil {
		return
	}
	switch rawjson.Of(v) {
	case rawjson.Object:
		members, err := rawjson.Members(v)
		c.note(err)
		c.object(members)
	case rawjson.Array:
		c.array(v)
	case rawjson.String:
		s, err := rawjson.Text(v)
		c.note(err)
		c.out = append(c.out, rawjson.Quote(s)...)
	case rawjson.Number:
		s, err := canonicalNumber(string(v))
		c.note(err)
		c.out = append(c.out, s...)
	default: // null, true, false
		c.out = append(c.out, v...)
	}
}

func (c *canon) object(members []rawjson.Member) {
	slices.SortFunc(members, func(a, b rawjson.Member) int { return strings.Compare(a.Name, b.Name) })
	c.out = append(c.out, '{')
	for i, m := range members {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.out = append(append(c.out, rawjson.Quote(m.Name)...), ':')
		c.value(m.Value)
	}
	c.out = append(c.out, '}')
}

func (c *canon) array(v json.RawMessage) {
	items, err := rawjson.Items(v)
	c.note(err)
	c.out = append(c.out, '[')
	for i, item := range items {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.value(item)
	}
	c.out = append(c.out, ']')
}

func (c *canon) note(err error) {
	if c.err == nil {
		c.err = err
	}
}

// canonicalNumber writes a JSON number as its significant digits and a power of ten: 1500, 1.5e3 and 1500.0 become 15e2, and
// every zero is 0. It works on the text, so no digit is lost and a huge exponent costs nothing.
func canonicalNumber(s string) (string, error) {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	exponent := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(s[i+1:], 10, 32)
		if err != nil {
			return "", fmt.Errorf("number %.40s: its exponent is out of reach", sign+s)
		}
		exponent, s = int(e), s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	exponent -= len(fraction)
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", nil
	}
	trimmed := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed)
	if exponent == 0 {
		return sign + trimmed, nil
	}
	return sign + trimmed + "e" + strconv.Itoa(exponent), nil
}

// canonical returns the canonical text of a value, or the value unchanged if it has none.
func canonical(v json.RawMessage) string {
	var c canon
	if c.value(v); c.err != nil {
		return string(v)
	}
	return string(c.out)
}
