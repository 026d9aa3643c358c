package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// parts are the only members that earlier versions pinned: what a model reads, what decides how the tool is called, and
// what a client relies on when it asks for consent.
var parts = []string{"annotations", "description", "inputSchema", "name", "outputSchema", "title"}

// named are all members defined by the protocol.
var named = append([]string{"_meta", "execution", "icons"}, parts...)

// Hash returns the SHA-256, in hex, of the canonical JSON of a tool: of all its members, since all of them reach
// clients. The order of members, white space, escapes and the spelling of numbers do not matter: 1, 1.0 and 10e-1 are
// the same number, and every digit of a large one counts. A member that is null counts as absent.
//
// A definition that two readers could read differently is an error: invalid JSON or UTF-8, a duplicate member or one
// that differs from a protocol member only in case, half of a surrogate pair. So is one over MaxSize or MaxDepth or
// without a name.
func Hash(tool json.RawMessage) (string, error) {
	found, err := readTool(tool)
	if err != nil {
		return "", err
	}
	return hashMembers(found)
}

// Earlier returns the hash that earlier versions gave a tool, of its name, title, description, schemas and annotations
// alone; "" if it has no other members, because the hash is the same then.
func Earlier(tool json.RawMessage) string {
	some, others := divideMembers(tool)
	if len(others) == 0 {
		return ""
	}
	hash, _ := hashMembers(some)
	return hash
}

// Bare returns a tool without the members that Earlier leaves out.
func Bare(tool json.RawMessage) json.RawMessage {
	some, _ := divideMembers(tool)
	return rawjson.Join(some)
}

// divideMembers separates the parts of a tool from its other members.
func divideMembers(tool json.RawMessage) (some, others []rawjson.Member) {
	rawjson.Each(tool, func(name string, value json.RawMessage) bool {
		switch m := (rawjson.Member{Name: name, Value: value}); {
		case rawjson.Of(value) == rawjson.Null:
		case slices.Contains(parts, name):
			some = append(some, m)
		default:
			others = append(others, m)
		}
		return true
	})
	return some, others
}

func hashMembers(members []rawjson.Member) (string, error) {
	var c canon
	if c.object(members); c.err != nil {
		return "", c.err
	}
	digest := sha256.Sum256(c.out)
	return hex.EncodeToString(digest[:]), nil
}

// readTool checks a tool and returns its members.
func readTool(tool json.RawMessage) ([]rawjson.Member, error) {
	members, err := checkTool(tool)
	if err != nil {
		return nil, err
	}
	if rawjson.GetText(tool, "name") == "" {
		return nil, errors.New("the tool has no name")
	}
	return slices.DeleteFunc(members, func(m rawjson.Member) bool { return rawjson.Of(m.Value) == rawjson.Null }), nil
}

// checkTool returns the members of a tool whose text is valid and unambiguous.
func checkTool(tool json.RawMessage) ([]rawjson.Member, error) {
	if len(tool) > MaxSize {
		return nil, fmt.Errorf("the tool definition has %d bytes; at most %d are read", len(tool), MaxSize)
	}
	if rawjson.Deeper(tool, MaxDepth) { // before anything that recurses
		return nil, fmt.Errorf("the tool definition nests deeper than %d levels", MaxDepth)
	}
	if err := rawjson.Check(tool); err != nil {
		return nil, fmt.Errorf("the tool definition is %w", err)
	}
	if path := rawjson.Duplicate(tool); path != "" {
		return nil, fmt.Errorf("%s is there twice", quoteForeign(path))
	}
	if at := loneSurrogate(tool); at >= 0 {
		return nil, fmt.Errorf("the tool definition has half of a surrogate pair at byte %d", at)
	}
	members, err := rawjson.Members(tool)
	if err != nil {
		return nil, errors.New("the tool definition is not an object")
	}
	for _, m := range members {
		for _, part := range named {
			if m.Name != part && strings.EqualFold(m.Name, part) {
				return nil, fmt.Errorf("%s differs from %s in case only; readers disagree on which is meant", quoteForeign(m.Name), part)
			}
		}
	}
	return members, nil
}

// loneSurrogate returns the position of an escape for half a surrogate pair, or -1. Decoders disagree on its meaning,
// and Go's would treat all of them alike.
func loneSurrogate(data []byte) int {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		unit, ok := escapedUnit(data, i)
		switch {
		case !ok || unit < 0xD800 || unit > 0xDFFF:
			i++
		case unit >= 0xDC00:
			return i
		default:
			if low, ok := escapedUnit(data, i+6); !ok || low < 0xDC00 || low > 0xDFFF {
				return i
			}
			i += 11
		}
	}
	return -1
}

// escapedUnit reads \uXXXX at i.
func escapedUnit(data []byte, i int) (uint16, bool) {
	if i+6 > len(data) || data[i] != '\\' || data[i+1] != 'u' {
		return 0, false
	}
	var unit [2]byte
	if _, err := hex.Decode(unit[:], data[i+2:i+6]); err != nil {
		return 0, false
	}
	return uint16(unit[0])<<8 | uint16(unit[1]), true
}
