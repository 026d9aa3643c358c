// Package charset reads text in encodings other than UTF-8.
package charset

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	xunicode "golang.org/x/text/encoding/unicode"
)

// Names that Decode returns for encodings, in addition to those that are declared or detected.
const (
	UTF8        = "UTF-8" // the text is returned unchanged
	UTF16       = "UTF-16"
	Mixed       = "UTF-8 with Windows-1252"
	Windows1252 = "Windows-1252" // also if nothing identifies the encoding
)

// Decode returns text as UTF-8, and the name of its original encoding. UTF-16 is recognized by its byte order mark or
// its zero bytes, others by a declaration or by common letters. Anything else is read as Windows-1252. A text that is
// mostly UTF-8 stays UTF-8, and only its other bytes are read as Windows-1252: logs and dumps are pasted together.
//
// Lines are preserved. text is data itself if that is valid UTF-8. It is nil, and name "", if data looks like UTF-16
// but contains characters that no text has.
func Decode(data []byte) (text []byte, name string) {
	if enc := utf16Of(data); enc != nil {
		text, err := enc.NewDecoder().Bytes(data)
		if text = bytes.TrimRight(text, "\x00"); err != nil || !isPrintable(text) {
			return nil, ""
		}
		return text, UTF16
	}
	switch {
	case utf8.Valid(data):
		return data, UTF8
	case isMixed(data):
		return decodeBytes(data), Mixed
	}
	for _, find := range []func([]byte) (encoding.Encoding, string){declaredEncoding, detectEncoding} {
		if enc, name := find(data); enc != nil {
			if text, ok := decodeAll(enc, data); ok {
				return text, name
			}
		}
	}
	return decodeBytes(data), Windows1252
}

// IsUTF16 reports whether data, the beginning of a file, may be UTF-16.
func IsUTF16(data []byte) bool { return utf16Of(data) != nil }

// isMixed reports whether at least half of the characters beyond ASCII are UTF-8, which is rare by chance in another
// encoding.
func isMixed(data []byte) bool {
	whole, broken := 0, 0
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRune(data[i:])
		if size == 1 {
			broken++
		} else {
			whole++
		}
		i += size
	}
	return whole >= broken
}

// decodeAll decodes data, and reports whether that succeeded: no line was lost, and at most one in twenty characters
// beyond ASCII.
func decodeAll(enc encoding.Encoding, data []byte) ([]byte, bool) {
	text, err := enc.NewDecoder().Bytes(data)
	if err != nil || bytes.Count(text, []byte("\n")) != bytes.Count(data, []byte("\n")) {
		return nil, false
	}
	broken, beyond := 0, 0
	for _, r := range string(text) {
		switch {
		case r == utf8.RuneError:
			broken++
		case r >= utf8.RuneSelf:
			beyond++
		}
	}
	return text, broken*20 <= beyond
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

// utf16Of returns the UTF-16 encoding of data, or nil for other text.
func utf16Of(data []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")): // UTF-32, which no editor saves
		return nil
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return xunicode.UTF16(xunicode.LittleEndian, xunicode.ExpectBOM)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return xunicode.UTF16(xunicode.BigEndian, xunicode.ExpectBOM)
	case bytes.IndexByte(data[:min(len(data), maxZeros)], 0) < 0: // nearly every file, and a search reads thousands
		return nil
	case hasZeros(data, 1):
		return xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM)
	case hasZeros(data, 0):
		return xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM)
	}
	return nil
}

// maxZeros is how much of the beginning of a text is searched for zeros, in bytes.
const maxZeros = 512

// hasZeros reports whether data begins like UTF-16 without a mark: half of the bytes at every second offset, starting
// at from, are zero, and no other byte is.
func hasZeros(data []byte, from int) bool {
	head := data[:min(len(data), maxZeros)]
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

// isPrintable reports whether text has no zeros, and at most one in a hundred characters is a control character or
// could not be decoded.
func isPrintable(text []byte) bool {
	strange, all := 0, 0
	for _, r := range string(text) {
		all++
		switch r {
		case 0:
			return false
		case '\t', '\n', '\v', '\f', '\r', '\b', '\x1a', '\x1b':
			continue
		}
		if r == utf8.RuneError || unicode.IsControl(r) {
			strange++
		}
	}
	return strange*100 <= all
}
