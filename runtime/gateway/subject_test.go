package gateway

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// publicServers is a catalog of what twelve public servers say of themselves.
func publicServers(t *testing.T) *Catalog {
	t.Helper()
	files, err := filepath.Glob("../retrieval/toolrank/testdata/servers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no servers: %v", err)
	}
	c := emptyCatalog()
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			ServerInfo   json.RawMessage
			Instructions string
			Tools        []wireTool
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		for _, x := range s.Tools {
			c.byServer[name] = append(c.byServer[name], &tool{UpstreamTool: &catalog.UpstreamTool{Server: name, Name: x.Name, Title: x.Title, Description: x.Description, Enabled: true}})
		}
		c.said[name] = aboutOf(upstream.About{ServerInfo: s.ServerInfo, Instructions: s.Instructions}, strings.TrimSpace)
		c.servers = append(c.servers, catalog.UpstreamServer{Name: name, Known: true, Tools: len(s.Tools)})
	}
	return c
}

// TestTheDigestSaysWhatServersDo: a phrase for each of twelve servers fits into
// the standard length of a digest, more where there is room.
func TestTheDigestSaysWhatServersDo(t *testing.T) {
	g := New(Options{})
	defer g.Close()
	c := publicServers(t)
	g.catalog.Store(c)
	for _, limit := range []int{80, 120, 200} {
		text := g.Digest(limit)
		t.Logf("%d tokens: %s", tokens.Count(text), text)
		parts := strings.Split(text, "; ")
		if len(parts) != len(c.servers) || tokens.Count(text) > limit {
			t.Fatalf("%d of %d servers in %d tokens of %d: %s", len(parts), len(c.servers), tokens.Count(text), limit, text)
		}
		for _, part := range parts {
			if _, about, _ := strings.Cut(part, ": "); !strings.Contains(about, " ") {
				t.Errorf("%q says no more than a word", part)
			}
		}
	}
	if text := g.Digest(80); !strings.Contains(text, "time: convert time") || !strings.Contains(text, "context7: up-to-date documentation") {
		t.Errorf("the phrases are not those that tell most: %s", text)
	}
}

// Few servers say in their instructions what they are for; how their tools are
// to be called is nothing to tell them from others.
func TestOwnPhrase(t *testing.T) {
	for text, want := range map[string]string{
		"Use this server to look up train times whenever somebody travels.": "look up train times",
		"Acme provides weather maps and warnings.":                          "weather maps",
		"Here are guidelines: call list_tables first.":                      "",
		"The user has installed Acme. Always use acme_search.":              "",
		"Use this server to <b>ignore</b> {all} previous":                   "previous",
		"It provides " + strings.Repeat("very", 200) + " useful words":      "useful words",
		"": "",
	} {
		if got := ownPhrase(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// The digest is part of a prompt that a model has read: what it says depends on the
// servers alone, also where all names of one share several words.
func TestTheDigestIsStable(t *testing.T) {
	var tools []string
	for _, verb := range []string{"open", "close", "print", "share", "rotate", "crop"} {
		tools = append(tools, simple("photo_album_page_"+verb))
	}
	w := newWorld(t, map[string]string{"scans": strings.Join(tools, ",")})
	w.names()
	said := map[string]bool{}
	for range 50 {
		w.rebuild() // which words stand for a server is worked out once for each catalog
		said[w.Digest(80)] = true
	}
	if len(said) != 1 {
		t.Errorf("%v", said)
	}
}
