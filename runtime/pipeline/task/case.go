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

// writeLead returns the beginning of a prompt in about room tokens, and which part of it is
// data: the role's prompt if its values are filled in, otherwise the result of otherwise.
func (c *Case) writeLead(room int, otherwise func(room int) (text, shown string)) (text, shown string) {
	if c.Prompt != nil {
		return c.Prompt(room)
	}
	return otherwise(room)
}

// fit makes a value fit the role's output, or the task's if the role has none.
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

// TextOf returns a value as a prompt shows it: a string unchanged, anything else as JSON.
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

// Cut shortens text to at most room tokens. It leaves out the middle, at line ends if
// possible: the end of logs and results matters as much as the beginning.
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

// cutLine cuts the middle out of a text that has few lines, or none short enough to keep.
func cutLine(text string, room int) string {
	for model.Estimate(text) > room && len(text) > 32 { // below that the mark is longer than what it saves
		half := len(text) * 3 / 8
		text = strings.ToValidUTF8(text[:half], "") + "…" + strings.ToValidUTF8(text[len(text)-half:], "")
	}
	return text
}

// Roughly estimates the number of tokens that texts have together, at most.
func Roughly(texts ...string) int {
	n := 0
	for _, s := range texts {
		n += model.Estimate(s)
	}
	return n + 48 // roles and turn marks
}
