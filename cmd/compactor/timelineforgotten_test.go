package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
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

// What happened while the timeline was off does not come to the disk when a reload turns
// it on, whether it was on before or not.
func TestWhatTheTimelineDidNotKeepStaysUnkept(t *testing.T) {
	t.Parallel()
	for name, begins := range map[string]string{"off": "false", "on": "true"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const cue = "gateway: surface: \"proxy\"\nservers: e: {command: \"toolserver\", args: [\"shelf\", \"alpha\", \"beta\", \"gamma\"]}\ntimeline: enabled: "
			dir, binary := frontDir(t, cue+begins+"\n")
			s := serveAPIIn(t, dir, apiToken)
			newClient := func(name string) *profileClient {
				c := (&profileClient{t: t, url: s.base, name: name, headers: bearer(apiToken)}).begin()
				c.waitTools("e__alpha", "e__beta", "e__gamma")
				return c
			}
			call := func(c *profileClient, tool string) {
				t.Helper()
				if text, ok := c.call(tool, map[string]any{}); !ok {
					t.Fatal(text)
				}
			}
			reloads := 0
			reload := func(enabled string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte("package compactor\n"+cue+enabled+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				reloads++
				clocktest.Until(t, "the configuration is read again", func() bool {
					log, _ := os.ReadFile(filepath.Join(dir, "log"))
					return strings.Count(string(log), "configuration reloaded") >= reloads
				})
			}
			first := newClient("one")
			if begins == "true" {
				call(first, "e__gamma")
				clocktest.Until(t, "the call is on the disk", func() bool { return timelineHas(t, dir, `"gamma"`) })
				reload("false")
			}
			meanwhile := newClient("two")
			call(meanwhile, "e__alpha")
			browser, at := letIn(t, binary, frontEnv(dir))
			clocktest.Until(t, "the call is in memory", func() bool { // it comes there a moment later
				_, text := seenBy(t, browser, at)
				return strings.Contains(text, "alpha")
			})
			reload("true")
			for _, c := range []*profileClient{first, meanwhile} {
				clocktest.Until(t, "a call is on the disk again", func() bool {
					call(c, "e__beta")
					return timelineHas(t, dir, `"beta"`)
				})
			}
			s.end()
			if timelineHas(t, dir, `"alpha"`) || timelineHas(t, dir, "e: alpha") { // lists of tools have "e__alpha"
				t.Error("what was not to be kept is kept")
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
