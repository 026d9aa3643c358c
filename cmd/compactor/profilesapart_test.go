package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/api"
)

// first is the tool that a search puts first.
func (c *profileClient) first(query string) string {
	c.t.Helper()
	text, ok := c.call("search_tools", map[string]any{"query": query})
	if !ok {
		c.t.Fatal(text)
	}
	at, best := len(text), ""
	for _, name := range []string{"notes__note_in", "notes__note_up"} {
		if i := strings.Index(text, name); i >= 0 && i < at {
			at, best = i, name
		}
	}
	return best
}

// What clients of one profile call often comes first in searches of that profile, and of
// those that learn from it, also after a restart; for all others nothing changes.
func TestProfilesCountApart(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	cue := strings.Replace(profilesCUE(t, pids), `"read_note"`, `"note_in","note_up","read_note"`, 1) + `
profiles: alone: servers: ["notes"]
profiles: child: {servers: ["notes"], learn_from: ["banking"]}
profiles: heir: {servers: ["notes"], learn_from: [""]}
`
	dir, _ := frontDir(t, cue)
	var often string
	s := serveAPIIn(t, dir, apiToken)
	open := func(profile string) *profileClient {
		headers := []string{"Authorization", "Bearer " + apiToken}
		if profile != "" {
			headers = append(headers, "Compactor-Profile", profile)
		}
		return (&profileClient{t: t, url: s.base, name: "other", headers: headers}).begin()
	}
	s.awaitTool("notes__note_up")
	before := open("banking").first("note")
	for _, name := range []string{"notes__note_in", "notes__note_up"} {
		if name != before {
			often = name
		}
	}
	for range 12 {
		if text, ok := open("banking").call(often, map[string]any{}); !ok {
			t.Fatal(text)
		}
	}
	look := func(when string) {
		t.Helper()
		for profile, want := range map[string]string{"banking": often, "child": often, "alone": before, "heir": before, "": before} {
			if got := open(profile).first("note"); got != want {
				t.Errorf("%s: %q finds %s first, want %s", when, profile, got, want)
			}
		}
		var all api.Tools
		s.Ask("GET", "/tools", nil).JSON(t, &all)
		if i := slices.IndexFunc(all.Tools, func(x api.Tool) bool { return x.Name == often }); i < 0 || all.Tools[i].Uses != 12 {
			t.Errorf("%s: its user is told of %+v", when, all.Tools[max(i, 0)])
		}
	}
	look("at once")
	s.end()
	s = serveAPIIn(t, dir, apiToken)
	s.awaitTool("notes__note_up")
	look("after a restart")
	for range 12 {
		if text, ok := open("").call(often, map[string]any{}); !ok {
			t.Fatal(text)
		}
	}
	for profile, want := range map[string]string{"heir": often, "": often, "alone": before} {
		if got := open(profile).first("note"); got != want {
			t.Errorf("%q finds %s first, want %s", profile, got, want)
		}
	}
}

// A tool is found by what a profile calls it, with the sessions of that profile or of all,
// and sessions come in pages.
func TestProfilesByTheirNames(t *testing.T) {
	t.Parallel()
	cue := profilesCUE(t, filepath.Join(t.TempDir(), "pids")) + `
profiles: desk: {servers: ["notes"], tools: notes: {write_note: rename: "jot", read_note: rename: "twice"}}
profiles: shelf: {servers: ["notes"], tools: notes: write_note: rename: "twice"}
`
	s := serveAPI(t, cue, apiToken)
	s.awaitTool("notes__read_note")
	call := func(profile, tool string, times int) {
		t.Helper()
		for range times {
			c := (&profileClient{t: t, url: s.base, name: "other", headers: []string{"Authorization", "Bearer " + apiToken, "Compactor-Profile", profile}}).begin()
			c.tools()
			if text, ok := c.call(tool, map[string]any{}); !ok {
				t.Fatal(text)
			}
		}
	}
	call("reading", "notes__look_up", 3)
	call("banking", "notes__read_note", 2)
	call("desk", "notes__jot", 1)
	for _, c := range []struct {
		path, tool     string
		calls, session int
	}{
		{"notes__look_up/stats", "notes__look_up", 5, 6}, // no other profile calls a tool so
		{"notes__look_up/stats?profile=reading", "notes__look_up", 3, 3},
		{"notes__read_note/stats?profile=banking", "notes__read_note", 2, 2},
		{"notes__read_note/stats", "notes__read_note", 5, 6},
		{"notes__jot/stats", "notes__jot", 1, 6},
		{"notes__twice/stats?profile=shelf", "notes__twice", 0, 0},
	} {
		var st api.Stats
		s.Ask("GET", "/tools/"+c.path, nil).JSON(t, &st)
		if st.Tool != c.tool || st.Server != "notes" || st.Calls != c.calls || st.Sessions != c.session || st.ShownUsed != st.Used {
			t.Errorf("%s: %+v", c.path, st)
		}
	}
	for path, want := range map[string]string{
		"/tools/notes__twice/stats":                    api.ToolUnknown, // two call different tools so
		"/tools/notes__look_up/stats?profile=banking":  api.ToolUnknown,
		"/tools/pay__send_money/stats?profile=reading": api.ToolUnknown,
		"/tools/notes__read_note/stats?profile=readin": api.ProfileUnknown,
		"/tools?profile=readin":                        api.ProfileUnknown,
		"/sessions?before=x":                           api.BadRequest,
		"/sessions?before=-5.a":                        api.BadRequest,
	} {
		if code := s.Ask("GET", path, nil).Code(); code != want {
			t.Errorf("%s: %q, want %q", path, code, want)
		}
	}
	var tools api.Tools
	answer := s.Ask("GET", "/tools?profile=reading", nil)
	answer.JSON(t, &tools)
	i := slices.IndexFunc(tools.Tools, func(x api.Tool) bool { return x.Name == "notes__look_up" })
	if text := string(answer.Body); i < 0 || tools.Tools[i].Uses != 3 || strings.Contains(text, "pay__") {
		t.Errorf("tools of a profile: %s", text)
	}

	var ids []string
	before := ""
	for range 9 {
		var page api.Sessions
		s.Ask("GET", "/sessions?most=4&before="+before, nil).JSON(t, &page)
		for _, x := range page.Sessions {
			ids = append(ids, x.ID)
		}
		if before = page.Next; before == "" {
			break
		}
		if len(page.Sessions) != 4 {
			t.Errorf("a page of %d, and more to come", len(page.Sessions))
		}
	}
	var all api.Sessions
	s.Ask("GET", "/sessions?most=1000", nil).JSON(t, &all)
	var whole []string
	for _, x := range all.Sessions {
		whole = append(whole, x.ID)
	}
	if !slices.Equal(ids, whole) || len(ids) != 6 || all.Next != "" || all.Sessions[0].Profile != "desk" {
		t.Errorf("in pages %v, at once %v", ids, whole)
	}
}

// end ends it as a person does, and waits until what it counted is kept.
func (s *apiServer) end() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		s.t.Fatal("it does not end")
	}
}
