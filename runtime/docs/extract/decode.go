package extract

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// Decode returns the letters of a text as UTF-8: of UTF-8, UTF-16 and, where it is
// neither, Windows-1252, of which the notes tell. What is no text is ErrBinary.
func Decode(data []byte) (text string, notes []string, err error) {
	text, known, err := decode(data, func([]byte) encoding.Encoding { return charmap.Windows1252 })
	if !known {
		notes = []string{"it is not UTF-8; letters beyond ASCII are read as Windows-1252"}
	}
	return text, notes, err
}

// decodePage returns those of a page, which may say its encoding.
func decodePage(data []byte) (string, error) {
	text, _, err := decode(data, func(data []byte) encoding.Encoding {
		from, _, _ := charset.DetermineEncoding(data[:min(len(data), 1024)], "")
		return from
	})
	return text, err
}

// decode asks other for the encoding where the first bytes do not tell; known is false
// then.
func decode(data []byte, other func([]byte) encoding.Encoding) (text string, known bool, err error) {
	from, known := wide(data), true
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	switch {
	case from != nil:
	case sandbox.IsBinary(data):
		return "", true, ErrBinary
	case !utf8.Valid(data):
		from, known = other(data), false
	}
	if from != nil {
		out, err := from.NewDecoder().Bytes(data)
		if err != nil {
			return "", known, ErrDamaged
		}
		data = out
	}
	return string(bytes.ReplaceAll(bytes.ToValidUTF8(data, []byte("\ufffd")), []byte{0}, nil)), known, nil
}

// wide is the encoding of letters of two bytes each, nil where they are not.
func wide(data []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")): // four bytes each, which nobody writes
		return nil
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case zeros(data, 1):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros(data, 0):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// zeros reports letters of two bytes each without a mark: of the beginning most bytes
// at every second place, from one on, are 0, and none of the others.
func zeros(data []byte, from int) bool {
	head := data[:min(len(data), 512)]
	if len(head) < 4 {
		return false
	}
	zero := 0
	for i, c := range head {
		switch {
		case c != 0:
		case i%2 != from:
			return false
		default:
			zero++
		}
	}
	return zero > len(head)/4
}
