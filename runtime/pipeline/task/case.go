package task

import (
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
)

// lead is what a prompt begins with, in about room tokens, and what of it is
// data: the role's prompt where its values are filled in, else what otherwise
// writes.
func (c *Case) lead(room int, otherwise func(room int) (text, shown string)) (text, shown string) {
	if c.Prompt != nil {
		return c.Prompt(room)
	}
	return otherwise(room)
}

// fit makes a value keep the role's output, or the task's where the role has none.
func (c *Case) fit(value map[string]any, out *schema.Schema, dropped int, useful bool) (map[string]any, int, bool) {
	if c.Out != nil {
		out = c.Out
	}
	if out == nil || !useful {
		return nil, dropped, false
	}
	got, err := reply.Fit(value, out)
	if err != nil {
		return nil, dropped, false
	}
	return got.Value, dropped, true
}

// TextOf is a value as a prompt shows it: a text as it is, anything else as JSON.
func TextOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(contract.Outside(v))
	if err != nil {
		return ""
	}
	return string(data)
}

// Cut is text in at most room tokens: what does not fit is left out of its middle,
// at the end of a line where there is one. What logs and results say last matters
// as what they say first.
func Cut(text string, room int) string {
	text = sanitize.Neutral(text)
	if model.Estimate(text) <= room {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	if len(lines) < 4 {
		return cutLine(text, room)
	}
	room -= 12
	first, last := 0, len(lines)
	for head, tail := room*2/3, room/3; first < last; {
		if n := model.Estimate(lines[first]) + 1; n <= head {
			head -= n
			first++
		} else if n := model.Estimate(lines[last-1]) + 1; n <= tail {
			tail -= n
			last--
		} else {
			break
		}
	}
	if first == 0 && last == len(lines) {
		return cutLine(text, room)
	}
	return strings.Join(lines[:first], "") + "…\n" + strings.Join(lines[last:], "")
}

// cutLine cuts a text without lines.
func cutLine(text string, room int) string {
	for model.Estimate(text) > room && len(text) > 32 { // below that the mark is longer than what it saves
		half := len(text) * 3 / 8
		text = strings.ToValidUTF8(text[:half], "") + "…" + strings.ToValidUTF8(text[len(text)-half:], "")
	}
	return text
}

// Roughly is how many tokens texts have at most together.
func Roughly(texts ...string) int {
	n := 0
	for _, s := range texts {
		n += model.Estimate(s)
	}
	return n + 48 // roles and turn marks
}
