package session

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// The outcomes of a call; any other outcome is the code of its error.
const (
	OK     = "ok"
	Failed = "failed" // as reported by the tool itself
)

// Call is one finished call of a tool. Expressions refer to its parts by their json tags.
type Call struct {
	Tool   string `json:"tool" doc:"name in the list of tools"`
	Server string `json:"server" doc:"the upstream server whose tool it is; empty for a tool of the configuration"`
	// Arguments are masked by the caller of Add.
	Arguments json.RawMessage `json:"arguments" doc:"an object, masked; long texts end in …, and what is too large is left out"`
	Outcome   string          `json:"outcome" doc:"ok, failed where the tool says so itself, or the code of the error"`
	Tokens    int             `json:"tokens" doc:"of the result, about; 0 where there is none"`
}

func (c Call) size() int {
	return len(c.Tool) + len(c.Server) + len(c.Arguments) + len(c.Outcome) + overhead
}

// Add keeps a finished call, and counts the use of its tool.
func (s *Session) Add(c Call) {
	if s == nil {
		return
	}
	c.Tool, c.Server, c.Outcome = cutName(c.Tool), cutName(c.Server), cutName(c.Outcome)
	c.Arguments = boundArguments(c.Arguments)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.count(c.Tool)
	s.keepCall(c)
	s.fresh.calls++
}

// keepCall adds a call and drops the oldest as needed. mu is held.
func (s *Session) keepCall(c Call) {
	s.calls = append(s.calls, c)
	s.callBytes += c.size()
	first := 0
	for len(s.calls)-first > maxCalls || s.callBytes > maxCallsBytes {
		s.callBytes -= s.calls[first].size()
		first++
	}
	s.calls = slices.Delete(s.calls, 0, first)
}

// Tokens estimates the size of a result in tokens. A large result is estimated from its beginning.
func Tokens(result []byte) int {
	n := len(result)
	if n <= MaxRead {
		return tokens.Estimate(string(result))
	}
	return int(float64(tokens.Estimate(string(result[:MaxRead]))) * float64(n) / MaxRead)
}

// nothing replaces arguments that are not kept.
var nothing = json.RawMessage("{}")

// boundArguments returns a copy of arguments within the limit of one call: always an object, so
// that an expression may read its members. If it is too large, long texts are cut, and
// then the largest members are left out.
func boundArguments(raw json.RawMessage) json.RawMessage {
	if len(raw) > MaxRead || rawjson.Of(raw) != rawjson.Object || rawjson.Check(raw) != nil {
		return nothing
	}
	if small := compact(raw); len(small) <= maxArguments {
		return small
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var members map[string]any
	if d.Decode(&members) != nil {
		return nothing
	}
	sizes, total := make(map[string]int, len(members)), 0
	for k, v := range members {
		members[k] = shortenTexts(v)
		part, err := rawjson.Marshal(members[k])
		if err != nil {
			return nothing
		}
		sizes[k] = len(rawjson.Quote(k)) + len(part) + len(":,")
		total += sizes[k]
	}
	largest := slices.SortedFunc(maps.Keys(members), func(a, b string) int {
		return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b))
	})
	for _, k := range largest {
		if total <= maxArguments-len("{}") {
			break
		}
		total -= sizes[k]
		delete(members, k)
	}
	out, err := rawjson.Marshal(members)
	if err != nil {
		return nothing
	}
	return slices.Clone(out)
}

// maxText limits a text within arguments that are too large, in bytes.
const maxText = 200

func shortenTexts(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) <= maxText {
			return v
		}
		end := maxText
		for !utf8.RuneStart(v[end]) {
			end--
		}
		return strings.Clone(v[:end]) + "…"
	case []any:
		for i := range v {
			v[i] = shortenTexts(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = shortenTexts(v[k])
		}
	}
	return v
}

// compact returns JSON without white space between its tokens, in newly allocated memory.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return nothing
	}
	return slices.Clone(b.Bytes())
}
