package rawjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Text decodes a JSON string.
func Text(data []byte) (string, error) {
	data = trimSpace(data)
	if len(data) < 2 || data[0] != '"' || data[len(data)-1] != '"' {
		return "", ErrSyntax
	}
	inside := data[1 : len(data)-1]
	if isPlain(inside) {
		return string(inside), nil
	}
	if s, ok := unescape(inside); ok {
		return s, nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return "", ErrSyntax
	}
	return s, nil
}

// unescape decodes the inside of a valid string. Results of tools are long texts with an escape per
// line: encoding/json passes over them three times, byte by byte.
func unescape(in []byte) (string, bool) {
	if !utf8.Valid(in) {
		return "", false
	}
	out := make([]byte, 0, len(in))
	for len(in) > 0 {
		run := bytes.IndexByte(in, '\\')
		if run < 0 {
			run = len(in)
		}
		if !isSound(in[:run]) {
			return "", false
		}
		out = append(out, in[:run]...)
		if in = in[run:]; len(in) == 0 {
			break
		}
		var n int
		if out, n = appendEscaped(out, in); n == 0 {
			return "", false
		}
		in = in[n:]
	}
	return string(out), true
}

// isSound reports whether bytes may occur in a string unescaped.
func isSound(in []byte) bool {
	for _, c := range in {
		if c < 0x20 || c == '"' {
			return false
		}
	}
	return true
}

// escapes are the characters with a one-letter escape.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendEscaped appends the character of the escape at the start of in, and returns the length of the
// escape; 0 for none. An unpaired surrogate becomes U+FFFD, as in encoding/json.
func appendEscaped(out, in []byte) ([]byte, int) {
	if len(in) < 2 {
		return out, 0
	}
	if c := escapes[in[1]]; c != 0 {
		return append(out, c), 2
	}
	r, ok := parseUnit(in)
	if !ok {
		return out, 0
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r), 6
	}
	if low, ok := parseUnit(in[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return utf8.AppendRune(out, pair), 12
		}
	}
	return utf8.AppendRune(out, utf8.RuneError), 6
}

// parseUnit parses `\uXXXX`.
func parseUnit(in []byte) (rune, bool) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(in[2:6]), 16, 16)
	return rune(n), err == nil
}
