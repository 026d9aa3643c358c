package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/clocktest"
)

// Sessions of the dashboard name tools too. A purge deletes them, also from the memory of
// a running serve, whose session goes on without the names that it had.
func TestSessionsOfTheDashboardAreForgotten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cue  string
		kept bool
	}{"kept": {"", true}, "not kept": {"timeline: enabled: false\n", false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, binary := frontDir(t, c.cue+"gateway: surface: \"proxy\"\nservers: e: {command: \"toolserver\", args: [\"shelf\", \"alpha\", \"beta\"]}\n")
			s := serveAPIIn(t, dir, apiToken)
			client := (&profileClient{t: t, url: s.base, name: "one", headers: bearer(apiToken)}).begin()
			client.waitTools("e__alpha", "e__beta") // the API knows them earlier
			call := func(tool string) {
				t.Helper()
				if text, ok := client.call(tool, map[string]any{}); !ok {
					t.Fatal(text)
				}
			}
			call("e__alpha")
			if !c.kept {
				s.end()
				if timelineHas(t, dir, "alpha") {
					t.Error("it is kept")
				}
				return
			}
			clocktest.Until(t, "the call is on the disk", func() bool { return timelineHas(t, dir, "alpha") })
			if out := output(t, binary, dir, "data", "show"); !regexp.MustCompile(`(?m)^\d+ sessions? of the dashboard, the oldest used last on `).MatchString(out) {
				t.Error(out)
			}
			if out := output(t, binary, dir, "data", "purge", "--all"); !regexp.MustCompile(`(?m)^deleted \d+ sessions? of the dashboard from `).MatchString(out) {
				t.Error(out)
			}
			if timelineHas(t, dir, "alpha") {
				t.Error("it is kept after a purge")
			}
			call("e__beta")
			s.end()
			if timelineHas(t, dir, "alpha") || !timelineHas(t, dir, "beta") {
				t.Error("a session that goes on has what was deleted, or nothing")
			}
		})
	}
}

// timelineHas reports whether a file of a timeline below a directory has a text.
func timelineHas(t *testing.T, dir, text string) (has bool) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(d.Name(), "-timeline.db") {
			return nil // a journal may have gone meanwhile
		}
		body, err := os.ReadFile(path)
		has = has || err == nil && bytes.Contains(body, []byte(text))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return has
}
