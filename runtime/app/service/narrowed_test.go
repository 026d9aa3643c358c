package service_test

import (
	"fmt"
	"strings"
	"testing"
)

// What narrows a search or a list may be left out, and counts where it is given.
func TestWhatNarrowsTheMetaToolsArrives(t *testing.T) {
	b := withLake(t, `toolRules: [{pattern: ["wait"], enabled: false}, {pattern: ["keys"], tags: ["secret"]}]`)
	for _, c := range []struct{ tool, args, has, lacks string }{
		{"search_tools", `{"query":"echo again or show keys"}`, "lake__keys", "lake__wait"},
		{"search_tools", `{"query":"echo again or show keys","limit":1}`, "lake__", `},{`},
		{"search_tools", `{"query":"wait"}`, "nothing fits", "lake__wait"},
		{"search_tools", `{"query":"wait","include_disabled":true}`, "lake__wait", "nothing fits"},
		{"search_tools", `{"query":"echo","server":"sea"}`, "there is no server sea", "lake__"},
		{"list_tools", `{}`, "lake__echo", "lake__wait"},
		{"list_tools", `{"offset":1}`, "lake__keys", "lake__echo"},
		{"list_tools", `{"tag":"secret"}`, "lake__keys", "lake__echo"},
		{"list_tools", `{"server":"sea"}`, "there is no server sea", "lake__"},
		{"get_tool_details", `{"tool":"echo"}`, "lake__echo", "sea"},
		{"get_tool_details", `{"tool":"echo","server":"sea"}`, "sea", "Say it again"},
	} {
		got, err := ask(t, b, c.tool, c.args)
		if got = fmt.Sprint(got, err); !strings.Contains(got, c.has) || strings.Contains(got, c.lacks) {
			t.Errorf("%s %s: %s", c.tool, c.args, got)
		}
	}
}
