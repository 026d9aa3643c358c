package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// What a server says must not steer the terminal of who calls its tool; a file
// gets every byte.
func TestAResultDoesNotSteerTheTerminal(t *testing.T) {
	steering := "\x1b]0;title\x07red\x1b[31m\u009b1m\u202e\U000e0041end"
	text, _ := json.Marshal(steering)
	result := json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `},{"type":"resource","resource":{"uri":"a:b","text":` + string(text) +
		`}},{"type":"resource_link","uri":` + string(text) + `},{"type":"image","mimeType":` + string(text) + `}]}`)
	for _, format := range []string{"text", "json"} {
		var out bytes.Buffer
		a := &app{out: newTerminal(&out, 0, 0, false)}
		if err := a.printResult(result, format); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String(), "\x1b\x07\u009b\u202e\U000e0041") || strings.Count(out.String(), "end") != 4 {
			t.Errorf("%s: a terminal is given %q", format, out.String())
		}
	}
	var out bytes.Buffer
	if err := (&app{out: &out}).printResult(result, "text"); err != nil || !strings.Contains(out.String(), steering) {
		t.Errorf("a file is given %q, %v", out.String(), err)
	}
}
