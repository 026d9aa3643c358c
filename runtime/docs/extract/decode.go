package extract

import (
	"bytes"
	"unicode/utf8"

	htmlcharset "golang.org/x/net/html/charset"

	"github.com/compactor-mcp/compactor/runtime/charset"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// Decode returns a text as UTF-8 without its byte order mark; notes tell of an encoding that had to be guessed. What is
// not text is ErrBinary.
func Decode(data []byte) (text string, notes []string, err error) {
	out, name, err := decode(data)
	if err == nil && name != charset.UTF8 && !charset.IsWide(data) {
		notes = []string{"it is not UTF-8; letters beyond ASCII are read as " + name}
	}
	return out, notes, err
}

// decodePage is Decode for a page, which may say its encoding.
func decodePage(data []byte) (string, error) {
	if !charset.IsWide(data) && !sandbox.IsBinary(data) && !utf8.Valid(data) {
		from, _, _ := htmlcharset.DetermineEncoding(data[:min(len(data), 1024)], "")
		out, err := from.NewDecoder().Bytes(data)
		if err != nil {
			return "", ErrDamaged
		}
		data = out
	}
	text, _, err := decode(data)
	return text, err
}

func decode(data []byte) (text, name string, err error) {
	if !charset.IsWide(data) && sandbox.IsBinary(data) {
		return "", "", ErrBinary
	}
	out, name := charset.Decode(data)
	if name == "" {
		return "", "", ErrBinary
	}
	return string(bytes.TrimPrefix(out, []byte("\xef\xbb\xbf"))), name, nil
}
