package gateway

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// What only we say of what passes: a member of results that were made short, and of
// their _meta; names in _meta that begin so; and lines of texts, our notes (sanitize.Unmarked).
const (
	SummaryMember = "_summarized"
	ownMeta       = "compactor/"
)

// foreignText is a text of a server as it may be read.
func foreignText(text string) string { return sanitize.Unmarked(sanitize.Controls(text)) }

// unforged is what a server sends without what only we say, at any depth; meta says
// that names of ours could stand in it as in a _meta, as in the data of an error. It
// comes behind the masks, which may take out of a name what hides it.
func unforged(raw json.RawMessage, meta bool) json.RawMessage {
	var out []byte
	from := 0
	var metas []bool // for each open bracket: whether it is that of a _meta
	s := rawjson.Scan(raw)
	for {
		t, ok := s.Next()
		if !ok {
			break
		}
		switch {
		case t.First == '{' || t.First == '[':
			metas = append(metas, meta && t.First == '{')
		case t.First == '}' || t.First == ']':
			metas = metas[:len(metas)-1]
		case t.Name:
			name, _ := rawjson.Text(raw[t.Start:t.End])
			if _, own := cutPrefixFold(name, ownMeta); strings.EqualFold(name, SummaryMember) || own && metas[len(metas)-1] {
				out = append(out, raw[from:t.Start]...)
				out, from = behind(out, raw, passOver(&s))
				break
			}
			meta = strings.EqualFold(name, "_meta")
			continue
		}
		meta = false
	}
	if from == 0 {
		return raw
	}
	return append(out, raw[from:]...)
}

// passOver reads a value and returns its end.
func passOver(s *rawjson.Scanner) int {
	depth := s.Depth()
	for {
		if t, ok := s.Next(); !ok || s.Depth() <= depth {
			return t.End
		}
	}
}

// behind takes a comma out with the member that stood behind out and ended before at:
// the next one, else the one before. It returns where the rest begins.
func behind(out, raw []byte, at int) ([]byte, int) {
	rest := bytes.TrimLeft(raw[at:], " \t\r\n")
	if next, ok := bytes.CutPrefix(rest, []byte(",")); ok {
		return out, len(raw) - len(bytes.TrimLeft(next, " \t\r\n"))
	}
	return bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), at
}
