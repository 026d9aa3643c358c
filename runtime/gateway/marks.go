package gateway

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Marks that only the gateway may set: a member of results that were shortened, and of their _meta; the prefix of names
// in _meta; and lines of texts, our notes (sanitize.Unmarked).
const (
	SummaryMember = "_summarized"
	ownMeta       = "compactor/"
)

// foreignText cleans a text of a server for display.
func foreignText(text string) string { return sanitize.Unmarked(sanitize.Controls(text)) }

// removeOwnMarks removes from a server's JSON, at any depth, the marks that only the gateway may set. meta says that raw
// itself counts as a _meta, in which our names could occur, such as the data of an error. It runs after masking, which
// may remove characters that hide a name.
func removeOwnMarks(raw json.RawMessage, meta bool) json.RawMessage {
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
				out, from = dropComma(out, raw, passOver(&s))
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

// passOver skips a value and returns its end.
func passOver(s *rawjson.Scanner) int {
	depth := s.Depth()
	for {
		if t, ok := s.Next(); !ok || s.Depth() <= depth {
			return t.End
		}
	}
}

// dropComma removes a comma along with the member that followed out and ended before at: the next comma, else the previous
// one. It returns the new out and where the rest begins.
func dropComma(out, raw []byte, at int) ([]byte, int) {
	rest := bytes.TrimLeft(raw[at:], " \t\r\n")
	if next, ok := bytes.CutPrefix(rest, []byte(",")); ok {
		return out, len(raw) - len(bytes.TrimLeft(next, " \t\r\n"))
	}
	return bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), at
}
