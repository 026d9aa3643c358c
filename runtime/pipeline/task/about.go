package task

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Limits of the description of the calls around a text.
const (
	aboutMost  = 400 // tokens in total: the text itself matters more
	aboutCalls = 5   // calls before the one that returned the text
	aboutBytes = 240 // of one call's arguments
	aboutText  = 80  // of one text among the arguments
)

// describeCalls describes the call that returned the text and each of the last calls before it, a
// line each, in about room tokens: the oldest are dropped first if they do not fit.
func (c *Case) describeCalls(room int) string {
	var about struct {
		call
		Recent []call `json:"recent"`
	}
	if raw, err := json.Marshal(contract.Outside(c.Input["about"])); err != nil || json.Unmarshal(raw, &about) != nil {
		return "" // has another form: the text is summarized without it
	}
	var lines []string
	if line := about.formatLine(); line != "" {
		lines = append(lines, "now: "+line)
	}
	for _, call := range slices.Backward(about.Recent[max(0, len(about.Recent)-aboutCalls):]) {
		if line := call.formatLine(); line != "" {
			lines = append(lines, "before: "+line)
		}
	}
	for len(lines) > 0 && Roughly(strings.Join(lines, "\n")) > room {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// call is one tool call as recorded in a session's conversation.
type call struct {
	Server    string          `json:"server"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Outcome   string          `json:"outcome"`
}

// formatLine formats a call on one line: tool, arguments, and its outcome unless that is success.
func (c call) formatLine() string {
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

// shortTexts cuts long texts among the arguments, so that the arguments after them are shown too.
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
