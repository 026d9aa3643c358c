package sandbox

import "bytes"

// sniffed is the size of the part of a file that is checked first, in bytes.
const sniffed = 8 << 10

// IsBinary reports whether data, the beginning of a file, is not text in an encoding that extends ASCII: whether it
// holds a NUL byte, or starts with a byte order mark of UTF-16 or UTF-32 or with the magic bytes of an archive, image
// or executable format. All of data is searched for NUL, to catch a text that turns into bytes later on.
func IsBinary(data []byte) bool {
	if len(data) == 0 {
		return false
	}
	head := data[:min(len(data), sniffed)]
	return hasMagic(head) || bytes.IndexByte(head, 0) >= 0 || bytes.IndexByte(data[len(head):], 0) >= 0
}

// magics are the first bytes of formats that may have no NUL near their start. Formats that always do need no entry.
var magics = [][]byte{
	[]byte("%PDF-"), []byte("\xff\xfe"), []byte("\xfe\xff"),
	[]byte("PK\x03\x04"), []byte("PK\x05\x06"), []byte("\x1f\x8b"), []byte("7z\xbc\xaf\x27\x1c"),
	[]byte("\xfd7zXZ"), []byte("\x28\xb5\x2f\xfd"), []byte("Rar!\x1a\x07"), []byte("!<arch>\n"),
	[]byte("\x89PNG\r\n\x1a\n"), []byte("GIF87a"), []byte("GIF89a"), []byte("\xff\xd8\xff"),
	[]byte("wOFF"), []byte("wOF2"), []byte("OggS"), []byte("\x7fELF"), []byte("\xca\xfe\xba\xbe"),
	[]byte("\xfe\xed\xfa\xce"), []byte("\xfe\xed\xfa\xcf"), []byte("\xcf\xfa\xed\xfe"), []byte("\x1bLua"),
	[]byte("SQLite format 3"), []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
}

func hasMagic(head []byte) bool {
	if head[0] == 'B' {
		// bzip2 starts with letters that a text may start with; the magic of its first block, after them, is decisive.
		return len(head) > 9 && string(head[:3]) == "BZh" && string(head[4:10]) == "1AY&SY"
	}
	if head[0] == 'R' && len(head) > 11 && string(head[:4]) == "RIFF" {
		kind := string(head[8:12])
		return kind == "WEBP" || kind == "WAVE" || kind == "AVI "
	}
	for _, m := range magics {
		if head[0] == m[0] && bytes.HasPrefix(head, m) {
			return true
		}
	}
	return false
}
