// Package rawjson walks JSON text without decoding its values: members keep their order, their duplicates and their
// exact bytes. encoding/json alone would lose all three, match keys without regard to case and round large numbers.
//
// It judges nothing: what a member means is for its users, runtime/server (frames) and runtime/toolargs (arguments).
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
	err := each(data, '{', '}', func(i int) (int, error) {
		if i >= len(data) || data[i] != '"' {
			return 0, ErrSyntax
		}
		nameEnd, err := skip(data, i)
		if err != nil {
			return 0, err
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
		out = append(out, Member{Name: name, Value: json.RawMessage(data[start:end:end])})
		return end, nil
	})
	return out, err
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

// Text decodes a JSON string.
func Text(data []byte) (string, error) {
	data = trim(data)
	if len(data) < 2 || data[0] != '"' {
		return "", ErrSyntax
	}
	if plain(data[1 : len(data)-1]) {
		return string(data[1 : len(data)-1]), nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return "", ErrSyntax
	}
	return s, nil
}

// Quote encodes s as a JSON string, leaving <, > and & as they are.
func Quote(s string) json.RawMessage {
	if plain([]byte(s)) {
		return json.RawMessage(`"` + s + `"`)
	}
	data, _ := Marshal(s)
	return data
}
