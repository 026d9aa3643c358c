package service_test

import (
	"strings"
	"testing"
)

// What a session has looked for comes on its list, before anything was learnt.
func TestWhatWasLookedForIsListed(t *testing.T) {
	tool := func(name, says string) string {
		return `{"name":"` + name + `","description":"` + says + `","inputSchema":{"type":"object"}}`
	}
	svc := newFleet(t, map[string]string{
		"files":   tool("list", "List a directory.") + "," + tool("read", "Read a file."),
		"mail":    tool("draft", "Begin a letter.") + "," + tool("send", "Send a letter."),
		"tracker": tool("close_ticket", "Close a ticket.") + "," + tool("watch", "Follow a ticket."),
	}).behind(t, `gateway: {surface: "both", selection: {min_tools: 2, max_tools: 3, room: 1}}`)
	f := newFace(t, svc)
	if first := string(f.ask("tools/list", `{}`)); strings.Contains(first, "tracker__close_ticket") || strings.Count(first, `__`) == 0 {
		t.Fatalf("before anything was said: %s", first)
	}
	f.ask("tools/call", `{"name":"search_tools","arguments":{"query":"close ticket"}}`)
	if now := string(f.ask("tools/list", `{}`)); !strings.Contains(now, "tracker__close_ticket") {
		t.Errorf("what was looked for is not listed: %s", now)
	}
	f.ask("tools/call", `{"name":"search_tools","arguments":{"query":"send a letter"}}`)
	if now := string(f.ask("tools/list", `{}`)); !strings.Contains(now, "mail__send") || !strings.Contains(now, `"files__`) && !strings.Contains(now, "tracker__close_ticket") {
		t.Errorf("what was looked for last: %s", now)
	}
}
