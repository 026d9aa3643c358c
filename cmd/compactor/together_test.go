package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// What clients do at one serve is known at another on the same store while both run: in searches, counts, lists, and what
// servers offer. What one profile does changes nothing for another.
func TestServesOfOneStoreLearnTogether(t *testing.T) {
	for _, kind := range []string{"a file", "a server"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel() // most of it is waiting for one to look
			url := ""
			if kind == "a server" {
				if os.Getenv("COMPACTOR_TEST_POSTGRES") == "" {
					t.Skip("COMPACTOR_TEST_POSTGRES is not set")
				}
				server := storetest.New(t)
				url = fmt.Sprintf("store: url: \"postgres://%s:${PG_PASSWORD}@127.0.0.1:%d/%s?sslmode=disable\"\n", storetest.User, server.Port, storetest.Database)
			}
			learnTogether(t, url)
		})
	}
}

func learnTogether(t *testing.T, url string) {
	board := filepath.Join(t.TempDir(), "board")
	post := func(names string) {
		if err := os.WriteFile(board, []byte(names), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	post("tell")
	dir, _ := frontDir(t, url+`gateway: {surface: "both", selection: {min_tools: 3, max_tools: 5}}
servers: e: {command: "toolserver", args: ["shelf", "note_in", "note_up", "alpha", "beta", "gamma", "delta", "eins", "zwei", "drei", "vier", "five", "six", "seven", "eight"]}
servers: f: {command: "toolserver", args: ["board", `+fmt.Sprintf("%q", board)+`]}
profiles: work: servers: ["e", "f"]
profiles: home: servers: ["e", "f"]
`)
	if err := os.WriteFile(filepath.Join(dir, "secrets.env"), []byte("PG_PASSWORD="+storetest.Password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := serveAPIIn(t, dir, apiToken)
	a.awaitTool("e__eight")
	a.awaitTool("f__tell")
	b := serveAPIIn(t, dir, apiToken) // has what the first was listed, and asks nobody
	b.awaitTool("f__tell")
	open := func(s *apiServer, profile string) *profileClient {
		return (&profileClient{t: t, url: s.base, name: "other", headers: []string{"Authorization", "Bearer " + apiToken, "Compactor-Profile", profile}}).begin()
	}
	call := func(c *profileClient, tools ...string) *profileClient {
		t.Helper()
		for _, tool := range tools {
			if text, ok := c.call(tool, map[string]any{}); !ok {
				t.Fatal(text)
			}
		}
		return c
	}
	// A session whose list is made for it, by what is known now.
	list := func(profile string) []string { return call(open(b, profile), "e__alpha").tools() }
	first := func(profile string) string {
		text, ok := open(b, profile).call("search_tools", map[string]any{"query": "note"})
		in, up := strings.Index(text, "e__note_in"), strings.Index(text, "e__note_up")
		if !ok || in < 0 || up < 0 {
			t.Fatal(text)
		}
		if in < up {
			return "e__note_in"
		}
		return "e__note_up"
	}
	before, shown := first("work"), list("work")
	often := map[string]string{"e__note_in": "e__note_up", "e__note_up": "e__note_in"}[before]
	liked := ""
	for _, name := range []string{"eight", "seven", "six", "five", "vier", "drei"} {
		if name = "e__" + name; !slices.Contains(shown, name) {
			liked = name
		}
	}
	for range 8 {
		call(open(a, "work"), "e__alpha", liked, often, often)
	}
	uses := func(profile string) int {
		var all api.Tools
		b.Ask("GET", "/tools?profile="+profile, nil).JSON(t, &all)
		return all.Tools[slices.IndexFunc(all.Tools, func(x api.Tool) bool { return x.Name == often })].Uses
	}
	clocktest.Until(t, "calls at the other are counted", func() bool { return uses("work") == 16 })
	clocktest.Until(t, "searches go by them", func() bool { return first("work") == often })
	clocktest.Until(t, "lists go by them", func() bool { return slices.Contains(list("work"), liked) })
	if n, got, list := uses("home"), first("home"), list("home"); n != 0 || got != before || slices.Contains(list, liked) {
		t.Errorf("another profile has %d calls, finds %s first and is listed %q", n, got, list)
	}
	sees := func(tool string) func() bool {
		return func() bool {
			var all api.Tools // of the profile that is called below: each takes over by itself
			b.Ask("GET", "/tools?profile=work", nil).JSON(t, &all)
			return slices.ContainsFunc(all.Tools, func(x api.Tool) bool { return x.Name == tool && x.Enabled })
		}
	}
	post("tell more")
	call(open(a, "work"), "f__tell")
	clocktest.Until(t, "what the other was listed is listed here", sees("f__more"))
	call(open(b, "work"), "f__more") // from here on it has a connection of its own
	post("tell more most")
	call(open(a, "work"), "f__tell")
	clocktest.Until(t, "what the other was listed is asked for here", sees("f__most"))
	if n := uses("work"); n != 16 {
		t.Errorf("%d calls are counted twice or never", n-16)
	}
}
