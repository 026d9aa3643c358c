package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// A chat client pins a quote over MCP and finds it again; a program runs the same tools
// over HTTP, where they are described; the command line sees, exports and removes the
// pin. Readiness says what is indexed, and what is warm.
func TestPinsOverTheWire(t *testing.T) {
	t.Parallel()
	dir, binary := frontDir(t, `collections: guide: roots: ["handbook"], cache: indexes: 0`)
	_ = os.Mkdir(filepath.Join(dir, "handbook"), 0o755)
	if err := os.WriteFile(filepath.Join(dir, "handbook", "pools.md"), []byte("# Pools\n\nA pool keeps twelve connections open.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	s := serveAPIAt(t, dir, dir, apiToken)
	ready := func() (api.Check, int) {
		t.Helper()
		got := s.Ask("GET", "/readyz", nil)
		var r api.Readiness
		got.JSON(t, &r)
		for _, c := range r.Checks {
			if c.Name == "collection guide" {
				return c, got.Status
			}
		}
		t.Fatalf("%s", got.Body)
		return api.Check{}, 0
	}
	if c, status := ready(); c.Ready || status != 503 || !strings.Contains(c.Do, "compactor index --collection guide") {
		t.Errorf("not indexed: %d %+v", status, c)
	}
	if got := s.Ask("GET", "/healthz", nil); got.Status != 200 {
		t.Errorf("it does not live without an index: %d", got.Status)
	}
	run("index")
	if c, status := ready(); !c.Ready || status != 200 || c.Index != "cold" || !strings.Contains(c.Cause, "first search") {
		t.Errorf("cold: %d %+v", status, c)
	}

	c := connect(t, clienttest.HTTP(t, s.base+server.Path, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + apiToken})), false)
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, tool := range list.Tools {
		if tool.Name == "pin_highlight" {
			found = true
			if a := tool.Annotations; a.ReadOnlyHint == nil || *a.ReadOnlyHint || a.DestructiveHint == nil || *a.DestructiveHint {
				t.Errorf("a client is not told that it writes: %+v", a)
			}
		}
	}
	if !found {
		t.Fatal("pin_highlight is not listed")
	}
	call := func(tool string, args map[string]any, into any) {
		t.Helper()
		var req mcp.CallToolRequest
		req.Params.Name, req.Params.Arguments = tool, args
		res, err := c.CallTool(t.Context(), req)
		if err != nil || res.IsError {
			t.Fatalf("%s: %v %+v", tool, err, res)
		}
		raw, _ := json.Marshal(res.StructuredContent)
		if text, is := res.Content[0].(mcp.TextContent); is && string(raw) == "null" {
			raw = []byte(text.Text)
		}
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
	}
	var pin docs.Note
	call("pin_highlight", map[string]any{"id": "guide/pools.md", "quote": "twelve connections", "note": "ask Dana"}, &pin)
	if c, _ := ready(); !c.Ready || c.Index == "cold" && pin.ID == "" {
		t.Errorf("warm: %+v", c)
	}
	var hits docs.Hits
	call("search", map[string]any{"query": "twelve connections"}, &hits)
	if len(hits.Hits) != 2 || hits.Hits[0].Source != "notes" || hits.Hits[0].ChunkID != pin.ID || hits.Hits[1].Source != "guide" {
		t.Errorf("%+v", hits)
	}
	if c, _ := ready(); !c.Ready || c.Cause != "" || c.Index != "warm" {
		t.Errorf("warm: %+v", c)
	}

	// Over HTTP, with what OpenAPI says of them.
	for _, tool := range []string{"search", "lookup", "similar", "summarize", "answer_with_citations", "extract_entities", "pin_highlight"} {
		if at := s.Paths().Find("/tools/" + tool); at == nil || at.Post == nil || at.Post.RequestBody == nil {
			t.Errorf("%s is not described", tool)
		}
	}
	object := []string{"Content-Type", "application/json"}
	for _, c := range []struct {
		tool, body, want string
		status           int
	}{
		{"search", `{"query":"pool"}`, `"guide/pools.md"`, 200},
		{"lookup", `{"id":"guide/pools.md"}`, "twelve", 200},
		{"pin_highlight", `{"id":"guide/pools.md","quote":"A pool keeps","tags":["http"]}`, `"stands"`, 200},
		{"pin_highlight", `{"id":"guide/pools.md","quote":"nobody said so"}`, "does not say that", 422},
		{"pin_highlight", `{"id":"guide/pools.md"}`, "quote", 422},
	} {
		got := s.Ask("POST", "/tools/"+c.tool, []byte(c.body), object...)
		if got.Status != c.status || !strings.Contains(string(got.Body), c.want) {
			t.Errorf("%s %s: %d %s", c.tool, c.body, got.Status, got.Body)
		}
	}

	if out := run("docs", "notes", "list"); !strings.Contains(out, pin.ID) || !strings.Contains(out, "ask Dana") || !strings.Contains(out, "A pool keeps") {
		t.Error(out)
	}
	if out := run("docs", "notes", "export", "--tag", "http"); !strings.Contains(out, "> A pool keeps\n") || strings.Contains(out, "twelve") {
		t.Error(out)
	}
	run("docs", "notes", "remove", pin.ID)
	call("search", map[string]any{"query": "twelve connections"}, &hits)
	for _, h := range hits.Hits {
		if h.ChunkID == pin.ID {
			t.Errorf("a pin that was removed is found: %+v", h)
		}
	}
}
