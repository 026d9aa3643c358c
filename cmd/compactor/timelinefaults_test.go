package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// A file of sessions that cannot be used costs no call: that is said once, with what to
// do, and the dashboard shows what is in memory.
func TestATimelineThatCannotBeWritten(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"is no database": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("no database ", 900)), 0o600) },
		"is a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"was cut off":    func(path string) error { return os.WriteFile(path, []byte("SQLite format 3\x00\x10\x00"), 0o600) },
		"lies in a file": func(path string) error {
			return os.Symlink(filepath.Join(filepath.Dir(path), "compactor.cue", "x.db"), path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, binary := frontDir(t, "")
			cue := fmt.Sprintf("package compactor\ngateway: surface: \"proxy\"\nstore: url: %q\nservers: e: {command: \"toolserver\", args: [\"echo\", \"say\"]}\n", "sqlite:"+filepath.Join(dir, "s.db"))
			if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte(cue), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := spoil(filepath.Join(dir, "s-timeline.db")); err != nil {
				t.Skip(err)
			}
			client, errs, end := serveWeb(t, dir, binary)
			client.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
			client.awaitTool("e__say")
			for i := range 6 {
				if said := client.ask("tools/call", fmt.Sprintf(`{"name":"e__say","arguments":{"n":%d}}`, i)); !strings.Contains(said, fmt.Sprintf(`{\"n\":%d}`, i)) {
					t.Errorf("%.400s", said)
				}
			}
			clocktest.Until(t, "the session is shown", func() bool { return strings.Contains(client.page("/dashboard/"), "/dashboard/sessions/") })
			end()
			if said := errs.String(); strings.Count(said, "sessions are kept in memory alone") != 1 || !strings.Contains(said, "set store.url") {
				t.Errorf("%s", said)
			}
		})
	}
}
