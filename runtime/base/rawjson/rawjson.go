// Package rawjson walks JSON text without decoding its values: members keep their order, their duplicates and their
// exact bytes. encoding/json alone would lose all three, match keys without regard to case and round large numbers.
//
// Each, Members and Items take a value apart, a level at a time; Scan reads all tokens of one in a single pass that no
// depth makes slower. All of the program walks JSON here: frames and arguments, what upstream servers send, what is
// masked, and replies. What a model writes is often no JSON at all, and runtime/pipeline/agent/reply reads it with bounds and
// guesses of its own; comments in configuration files of chat clients are for their readers.
//
// It judges nothing: what a member means is for its users.
package rawjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Kind is the JSON type of a value, told by its first byte.
type Kind byte

// The JSON types; Invalid is what Of says of an empty or foreign text.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// ErrSyntax says that a text handed to Members or Items is not the JSON value it was taken for.
var ErrSyntax = errors.New("not the expected json value")

// Member is one name and value of an object. Value aliases the text it was read from.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Check reports why data is not one valid JSON value in UTF-8, with the byte where it breaks; nil when it is.
// encoding/json accepts broken UTF-8 inside strings and would replace it silently.
func Check(data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("not valid utf-8 at byte %d", badUTF8(data))
	}
	if json.Valid(data) {
		return nil
	}
	var any json.RawMessage
	err := json.Unmarshal(data, &any)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not valid json at byte %d: %s", syntax.Offset, syntax.Error())
	}
	return errors.New("not valid json")
}

func badUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

// Of tells the type of a JSON value by its first byte that is not space.
func Of(data []byte) Kind {
	i := space(data, 0)
	if i == len(data) {
		return Invalid
	}
	switch c := data[i]; {
	case c == 'n':
		return Null
	case c == 't' || c == 'f':
		return Bool
	case c == '"':
		return String
	case c == '[':
		return Array
	case c == '{':
		return Object
	case c == '-' || c >= '0' && c <= '9':
		return Number
	}
	return Invalid
}

// Members returns the members of the object in data, in the order written and with duplicates. The text must have
// passed Check; on other text it gives ErrSyntax or members of no meaning, but never panics.
func Members(data []byte) ([]Member, error) {
	var out []Member
	if !Each(data, func(name string, value json.RawMessage) bool {
		out = append(out, Member{Name: name, Value: value})
		return true
	}) {
		return out, ErrSyntax
	}
	return out, nil
}

// Each calls fn with each member of the object in data, in the order written, until fn says false. It keeps nothing, so
// that an object of millions of members costs no memory, and reads broken text up to the break. It reports whether the
// object was well formed as far as it was read.
func Each(data []byte, fn func(name string, value json.RawMessage) bool) bool {
	err := each(data, '{', '}', func(i int) (int, error) {
		if i >= len(data) || data[i] != '"' {
			return 0, ErrSyntax
		}
		nameEnd := stringEnd(data, i)
		if nameEnd < 0 {
			return 0, ErrSyntax
		}
		name, err := Text(data[i:nameEnd])
		if err != nil {
			return 0, err
		}
		colon := space(data, nameEnd)
		if colon >= len(data) || data[colon] != ':' {
			return 0, ErrSyntax
		}
		start := space(data, colon+1)
		end, err := skip(data, start)
		if err != nil {
			return 0, err
		}
		if !fn(name, json.RawMessage(data[start:end:end])) {
			return 0, errEnough
		}
		return end, nil
	})
	return err == nil || errors.Is(err, errEnough)
}

// errEnough ends a walk that was asked to end.
var errEnough = errors.New("enough")

// Get returns the first member of that name of the object in data, nil when there is none.
func Get(data []byte, name string) json.RawMessage {
	var found json.RawMessage
	Each(data, func(n string, value json.RawMessage) bool {
		if n == name {
			found = value
		}
		return found == nil
	})
	return found
}

// GetText returns the member of that name where it is a string, else "".
func GetText(data []byte, name string) string {
	s, _ := Text(Get(data, name))
	return s
}

// Items returns the values of the array in data, under the same terms as Members.
func Items(data []byte) ([]json.RawMessage, error) {
	var out []json.RawMessage
	err := each(data, '[', ']', func(i int) (int, error) {
		end, err := skip(data, i)
		if err != nil {
			return 0, err
		}
		out = append(out, json.RawMessage(data[i:end:end]))
		return end, nil
	})
	return out, err
}

// Quote encodes s as a JSON string, leaving <, > and & as they are.
func Quote(s string) json.RawMessage { return AppendQuote(make([]byte, 0, len(s)+2), s) }

// AppendQuote is Quote at the end of other bytes.
func AppendQuote(b []byte, s string) []byte {
	if !plain(s) {
		data, _ := Marshal(s)
		return append(b, data...)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
