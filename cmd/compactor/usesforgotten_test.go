package main

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/api"
)

// Calls are counted over restarts until a person deletes the counts, which a running serve forgets at once; and not at
// all where the use of tools is not kept.
func TestCountsOfToolsAreForgotten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cue   string
		again int // after a restart
	}{"kept": {"", 3}, "not kept": {"usage: enabled: false\n", 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, binary := frontDir(t, c.cue+"gateway: surface: \"proxy\"\nservers: e: {command: \"toolserver\", args: [\"shelf\", \"alpha\", \"beta\"]}\n")
			var s *apiServer
			begin := func() {
				s = serveAPIIn(t, dir, apiToken)
				s.awaitTool("e__alpha")
			}
			uses := func() (n int) {
				var all api.Tools
				s.Ask("GET", "/tools", nil).JSON(t, &all)
				for _, tool := range all.Tools {
					n += tool.Uses
				}
				return n
			}
			begin()
			client := (&profileClient{t: t, url: s.base, name: "one", headers: bearer(apiToken)}).begin()
			client.waitTools("e__alpha", "e__beta") // the API knows them earlier
			for range 3 {
				if text, ok := client.call("e__alpha", map[string]any{}); !ok {
					t.Fatal(text)
				}
			}
			if n := uses(); n != 3 {
				t.Errorf("%d uses of 3", n)
			}
			s.end()
			begin()
			if n := uses(); n != c.again {
				t.Errorf("%d uses after a restart, want %d", n, c.again)
			}
			if c.again == 0 {
				return
			}
			if out := output(t, binary, dir, "data", "purge", "--all"); !strings.Contains(out, "deleted the counts of 1 tool ") {
				t.Error(out)
			}
			if n := uses(); n != 0 {
				t.Errorf("%d uses are known after a purge", n)
			}
		})
	}
}
