// Package charset reads text in encodings other than UTF-8.
package charset

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Names of encodings: of text that Decode returns as it came, and of text that nothing tells the encoding of.
const (
	UTF8        = "UTF-8"
	Windows1252 = "Windows-1252"
)

// Decode returns text as UTF-8, and the name of the encoding it came in. UTF-16 is known by its byte order mark or its
// zero bytes, others by what the text says of itself or by their letters. In the rest every byte that is not UTF-8 is read
// as Windows-1252, and letters of UTF-8 beside it stay what they are: files are pasted together.
//
// text is data itself where that is valid UTF-8. It is nil, and name "", where data looks like UTF-16 and holds what no
// text does.
func Decode(data []byte) (text []byte, name string) {
	if from := wide(data); from != nil {
		text, err := from.NewDecoder().Bytes(data)
		if err != nil || !printable(text) {
			return nil, ""
		}
		return text, "UTF-16"
	}
	if utf8.Valid(data) {
		return data, UTF8
	}
	if from, name := declared(data); from != nil {
		if text, ok := decodeAll(from, data); ok {
			return text, name
		}
	}
	if !isMixed(data) {
		if from, name := detect(data); from != nil {
			if text, ok := decodeAll(from, data); ok {
				return text, name
			}
		}
	}
	return decodeBytes(data), Windows1252
}

// IsWide reports whether data, a file from its beginning, may be UTF-16.
func IsWide(data []byte) bool {
	return wide(data) != nil
}

// isMixed reports whether a good part of the letters beyond ASCII are UTF-8, which few of another encoding are by chance.
func isMixed(data []byte) bool {
	letters, broken := 0, 0
	for _, r := range string(data) {
		switch {
		case r == utf8.RuneError:
			broken++
		case r >= utf8.RuneSelf:
			letters++
		}
	}
	return letters >= broken
}

// decodeAll decodes data, and reports whether all of it could be but for a letter of a hundred.
func decodeAll(from encoding.Encoding, data []byte) ([]byte, bool) {
	text, err := from.NewDecoder().Bytes(data)
	return text, err == nil && bytes.Count(text, []byte("\ufffd")) <= len(text)/100
}

// decodeBytes reads each byte that is not UTF-8 as Windows-1252.
func decodeBytes(data []byte) []byte {
	text := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			r = charmap.Windows1252.DecodeByte(data[0])
		}
		text = utf8.AppendRune(text, r)
		data = data[n:]
	}
	return text
}

// wide returns the byte order of letters of two bytes each; nil where they are not.
func wide(data []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")): // UTF-32, which no editor saves
		return nil
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)
	case alternates(data, 1):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case alternates(data, 0):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// alternates reports whether data begins as UTF-16 without a mark does: at least half of the bytes at every second
// place, from one on, are zero, and no other byte is.
func alternates(data []byte, from int) bool {
	head := data[:min(len(data), 512)]
	zeros := 0
	for i, c := range head {
		if c != 0 {
			continue
		}
		if i%2 != from {
			return false
		}
		zeros++
	}
	return len(head) >= 4 && zeros > len(head)/4
}

// printable reports whether text holds the control characters of text alone, and few letters that could not be decoded.
func printable(text []byte) bool {
	broken := 0
	for _, r := range string(text) {
		switch {
		case r == utf8.RuneError:
			broken++
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != '\b' && r != '\x1b':
			return false
		}
	}
	return broken <= len(text)/100
}
