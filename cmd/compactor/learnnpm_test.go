package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
)

// Of the reference servers, with their own arguments and results, what sessions use is on
// the first list after a restart. The recorded sessions (TestRecordedSessions) call servers
// that need accounts at a dozen companies, so programs stand in for these.
func TestFilesystemAndMemoryAreLearnt(t *testing.T) {
	filesystem, memory := npmServer(t, "filesystem"), npmServer(t, "memory")
	files, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(files, "list.txt"), []byte("milk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, binary := frontDir(t, fmt.Sprintf("gateway: {surface: \"proxy\", selection: {min_tools: 2, max_tools: 5, room: 0}}\n"+
		"servers: files: {command: %q, args: [%q]}\nservers: memory: {command: %q, env: MEMORY_FILE_PATH: %q}\n", filesystem, files, memory, filepath.Join(files, "memory.jsonl")))
	output(t, binary, dir, "tools", "list") // of which the tools are known from then on
	calls := []struct {
		tool string
		args map[string]any
	}{
		{"files__list_directory", map[string]any{"path": files}},
		{"files__read_text_file", map[string]any{"path": filepath.Join(files, "list.txt")}},
		{"memory__create_entities", map[string]any{"entities": []any{map[string]any{"name": "milk", "entityType": "food", "observations": []string{"is on the list"}}}}},
		{"memory__search_nodes", map[string]any{"query": "milk"}},
	}
	s := serveFor(t, binary, dir)
	var first []string
	for range 4 {
		c := overHTTP(t, s.base+"/mcp", false)
		if list := clienttest.Upstream(t, c); first == nil {
			first = list
		}
		for _, call := range calls {
			var req mcp.CallToolRequest
			req.Params.Name, req.Params.Arguments = call.tool, call.args
			if res, err := c.CallTool(t.Context(), req); err != nil || res.IsError {
				t.Fatalf("%s: %+v %v", call.tool, res, err)
			}
		}
		_ = c.Close()
	}
	s.end()
	s = serveFor(t, binary, dir)
	now := clienttest.Upstream(t, overHTTP(t, s.base+"/mcp", false))
	held := func(list []string) (n int) {
		for _, call := range calls {
			if slices.Contains(list, call.tool) {
				n++
			}
		}
		return n
	}
	if held(now) != len(calls) || held(first) == len(calls) || len(now) > 5 {
		t.Errorf("the first list was %v, and is after a restart %v", first, now)
	}
}
