package extract

import (
	"bytes"
	"unicode/utf8"

	htmlcharset "golang.org/x/net/html/charset"

	"github.com/compactor-mcp/compactor/runtime/base/charset"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Decode returns a text as UTF-8 without its byte order mark; notes tell how it was read if it was
// not UTF. It returns ErrBinary if data is not text.
func Decode(data []byte) (text string, notes []string, err error) {
	text, name, err := decode(data)
	if err == nil && name != charset.UTF8 && name != charset.UTF16 {
		notes = []string{"it is not UTF-8; letters beyond ASCII are read as " + name}
	}
	return text, notes, err
}

// decodePage does the same as Decode for a page of HTML, which may declare its encoding in ways of its own.
func decodePage(data []byte) (string, error) {
	if !charset.IsUTF16(data) && !sandbox.IsBinary(data) && !utf8.Valid(data) {
		if enc, name, declared := htmlcharset.DetermineEncoding(data[:min(len(data), 1024)], ""); declared && name != "utf-8" {
			out, err := enc.NewDecoder().Bytes(data)
			if err != nil {
				return "", ErrDamaged
			}
			data = out
		}
	}
	text, _, err := decode(data)
	return text, err
}

// decode returns a text as UTF-8 and the name of its encoding.
func decode(data []byte) (text, name string, err error) {
	if !charset.IsUTF16(data) && sandbox.IsBinary(data) {
		return "", "", ErrBinary
	}
	out, name := charset.Decode(data)
	if name == "" {
		return "", "", ErrBinary
	}
	return string(bytes.TrimPrefix(out, []byte("\xef\xbb\xbf"))), name, nil
}
