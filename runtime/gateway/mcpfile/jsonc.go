package mcpfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// cleanJSON converts JSON with comments, trailing commas or a byte order mark, or without its outer braces, to plain
// JSON: LM Studio tells people to paste only the part inside them. Offsets change by at most one, so that errors have
// the position that the user sees.
func cleanJSON(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, errors.New("the file is UTF-16: save it as UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errors.New("the file is not text")
	}
	text, err := blankComments(data)
	if err != nil {
		return nil, err
	}
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 {
		return nil, errEmpty
	}
	wrapped := 0
	if start[0] == '"' {
		wrapped = 1
		text = append(append([]byte("{"), trimComma(text)...), '}')
	}
	if i := badUTF8(text); i >= 0 {
		return nil, fmt.Errorf("%s: not UTF-8", position(data, i-wrapped))
	}
	var any json.RawMessage
	err = json.Unmarshal(text, &any)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at := max(int(syntax.Offset)-1-wrapped, 0)
		if syntax.Error() == tooEarly {
			at = len(bytes.TrimRight(data, " \t\r\n"))
		}
		return nil, fmt.Errorf("%s: not JSON: %s", position(data, at), plainMessage(syntax.Error()))
	}
	return text, err
}

var errEmpty = errors.New("the file is empty")

// blankComments replaces comments and trailing commas with spaces.
func blankComments(data []byte) ([]byte, error) {
	out := bytes.Clone(data)
	comma := -1 // a comma followed only by space so far
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = stringEnd(out, i)
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := commentEnd(out, i)
			if end < 0 {
				return nil, fmt.Errorf("%s: the comment is not closed", position(data, i))
			}
			for ; i < end; i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		default:
			if (c == '}' || c == ']') && comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
			if c == ',' {
				comma = i
			}
			i++
		}
	}
	return out, nil
}

func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}

// commentEnd returns the end of a comment, or -1 if it is not closed.
func commentEnd(text []byte, i int) int {
	closing, extra := "\n", 0
	if text[i+1] == '*' {
		closing, extra = "*/", 2
	}
	n := bytes.Index(text[i+2:], []byte(closing))
	switch {
	case n >= 0:
		return i + 2 + n + extra
	case extra > 0:
		return -1
	}
	return len(text)
}

func trimComma(text []byte) []byte {
	end := bytes.TrimRight(text, " \t\r\n")
	return bytes.TrimSuffix(end, []byte(","))
}

func badUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// position returns line:column, with the column in characters.
func position(data []byte, at int) string {
	before := data[:min(max(at, 0), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%d:%d", line, column)
}

const tooEarly = "unexpected end of JSON input"

// plainMessage rewords the parser's messages for people.
func plainMessage(message string) string {
	if message == tooEarly {
		return "it ends too early: a closing brace or bracket is missing"
	}
	message = strings.Replace(message, "invalid character", "unexpected", 1)
	message = strings.Replace(message, "looking for beginning of value", "where a value should begin", 1)
	return strings.Replace(message, "looking for beginning of object key string", "where a name in quotes should begin", 1)
}
