package task

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// What a prompt says of the calls around a text.
const (
	aboutMost  = 400 // tokens of all of it: the text itself matters more
	aboutCalls = 5   // before the one that gave the text
	aboutBytes = 240 // of the arguments of one
	aboutText  = 80  // of one text among them
)

// about is a line for the call that gave the text and for each of the last calls
// before it, in about room tokens: the oldest go first where that is too little.
func (c *Case) about(room int) string {
	var about struct {
		call
		Recent []call `json:"recent"`
	}
	if raw, err := json.Marshal(contract.Outside(c.Input["about"])); err != nil || json.Unmarshal(raw, &about) != nil {
		return "" // not of this form: the text is summarized without it
	}
	var lines []string
	if line := about.line(); line != "" {
		lines = append(lines, "now: "+line)
	}
	for _, call := range slices.Backward(about.Recent[max(0, len(about.Recent)-aboutCalls):]) {
		if line := call.line(); line != "" {
			lines = append(lines, "before: "+line)
		}
	}
	for len(lines) > 0 && Roughly(strings.Join(lines, "\n")) > room {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// call is one call of a tool, as a session's conversation has it.
type call struct {
	Server    string          `json:"server"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Outcome   string          `json:"outcome"`
}

// line is a call on one line: tool, arguments, and its outcome where that is no success.
func (c call) line() string {
	line := c.Tool
	if c.Server != "" && !strings.HasPrefix(line, c.Server) {
		line = strings.TrimSuffix(c.Server+"."+line, ".")
	}
	if args := string(shortTexts(c.Arguments)); line != "" && args != "{}" && args != "null" {
		line += " " + contract.Shorten(args, aboutBytes)
	}
	if line != "" && c.Outcome != "" && c.Outcome != "ok" {
		line += " → " + c.Outcome
	}
	return strings.Join(strings.Fields(line), " ")
}

// shortTexts are arguments whose long texts are cut, so that what stands behind them is told too.
func shortTexts(raw json.RawMessage) json.RawMessage {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	for name, v := range args {
		if text, err := rawjson.Text(v); err == nil && len(text) > aboutText {
			args[name] = rawjson.Quote(contract.Shorten(text, aboutText))
		}
	}
	if out, err := rawjson.Marshal(args); err == nil {
		return out
	}
	return raw
}
