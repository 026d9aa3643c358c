package reply

import (
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// Mismatch describes why a reply is unusable, in one short line that can be quoted to the
// model that wrote it.
type Mismatch struct {
	Field string // such as notes[0].id; "" for the reply as a whole
	Want  string // such as "one of 1..8"; "" if Got says it all
	Got   string // what was found instead, quoted
	Cut   bool   // the reply ended too early; more tokens may help, asking again will not
}

// Error formats messages such as: field notes[0].id: want one of 1..8, got "pool.go".
func (m *Mismatch) Error() string {
	text := m.Got
	if m.Want != "" {
		text = "want " + m.Want + ", got " + m.Got
	}
	if m.Field == "" {
		return text
	}
	return "field " + m.Field + ": " + text
}

// at is the path to a value, linked from the inside out, so that it is only formatted for an error.
type at struct {
	up    *at
	name  string
	index int // of a list element; -1 for a field
}

func (a *at) field(name string) *at { return &at{up: a, name: name, index: -1} }
func (a *at) element(i int) *at     { return &at{up: a, index: i} }

func (a *at) String() string {
	if a == nil {
		return ""
	}
	up := a.up.String()
	switch {
	case a.index >= 0:
		return up + "[" + strconv.Itoa(a.index) + "]"
	case up == "":
		return a.name
	}
	return up + "." + a.name
}

const maxQuote = 40 // bytes of a value in an error

// quote formats a value in one short line.
func quote(n node) string {
	switch n.kind {
	case text:
		return strconv.Quote(contract.Shorten(strings.Join(strings.Fields(n.text), " "), maxQuote))
	case number:
		return contract.Shorten(n.text, maxQuote)
	case boolean:
		return strconv.FormatBool(n.yes)
	case list:
		if len(n.items) == 0 {
			return "an empty list"
		}
		return "a list"
	case object:
		if len(n.keys) > 0 {
			return "one with " + quote(node{kind: text, text: n.keys[0]})
		}
		return "an object"
	case missing:
		return "nothing"
	}
	return "null"
}
