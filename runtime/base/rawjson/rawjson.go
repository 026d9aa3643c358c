// Package rawjson walks JSON text without decoding its values: members keep their order, their duplicates and their
// exact bytes. encoding/json alone would lose all three, match keys ignoring case and round large numbers.
//
// Each, Members and Items split a value, one level at a time; Scan reads all its tokens in a single pass that depth
// does not slow down. The whole program walks JSON here: frames, arguments, messages of upstream servers, masking,
// replies. The exceptions: the output of a model is often not JSON, so runtime/pipeline/agent/reply parses it with its
// own bounds and guesses; comments in configuration files of chat clients are left to their readers.
//
// The package interprets nothing: what a member means is up to its users.
package rawjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Kind is the JSON type of a value, determined by its first byte.
type Kind byte

// The JSON types; Of returns Invalid for empty text or text that is not JSON.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// ErrSyntax reports that the text passed to Members or Items is not the expected JSON value.
var ErrSyntax = errors.New("not the expected json value")

// Member is one name and value of an object. Value aliases the text it was read from.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Check reports why data is not one valid JSON value in UTF-8, with the byte where it breaks; nil if it is.
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

// Of returns the type of a JSON value, determined by its first byte that is not space.
func Of(data []byte) Kind {
	i := skipSpace(data, 0)
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

// Members returns the members of the object in data, in their written order and with duplicates. The text must have
// passed Check; on other text it returns ErrSyntax or meaningless members, but never panics.
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

// Each calls fn with each member of the object in data, in their written order, until fn returns false. It stores
// nothing, so that an object of millions of members costs no memory, and reads broken text up to the break. It reports
// whether the object was well formed as far as it was read.
func Each(data []byte, fn func(name string, value json.RawMessage) bool) bool {
	err := eachElement(data, '{', '}', func(i int) (int, error) {
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
		colon := skipSpace(data, nameEnd)
		if colon >= len(data) || data[colon] != ':' {
			return 0, ErrSyntax
		}
		start := skipSpace(data, colon+1)
		end, err := skipValue(data, start)
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

// errEnough ends a walk whose callback asked for the end.
var errEnough = errors.New("enough")

// Get returns the first member with that name of the object in data, or nil.
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

// GetText returns the member with that name if it is a string, else "".
func GetText(data []byte, name string) string {
	s, _ := Text(Get(data, name))
	return s
}

// Items returns the values of the array in data, on the same conditions as Members.
func Items(data []byte) ([]json.RawMessage, error) {
	var out []json.RawMessage
	err := eachElement(data, '[', ']', func(i int) (int, error) {
		end, err := skipValue(data, i)
		if err != nil {
			return 0, err
		}
		out = append(out, json.RawMessage(data[i:end:end]))
		return end, nil
	})
	return out, err
}

// Quote encodes s as a JSON string, leaving <, > and & unescaped.
func Quote(s string) json.RawMessage { return AppendQuote(make([]byte, 0, len(s)+2), s) }

// AppendQuote appends s to b, encoded as by Quote.
func AppendQuote(b []byte, s string) []byte {
	if !isPlain(s) {
		data, _ := Marshal(s)
		return append(b, data...)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
