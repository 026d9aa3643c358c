package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInspector has the command line of the MCP Inspector list and call every
// tool of a built compactor, over stdio and HTTP, in both protocol eras, with
// its strict look at the schemas. COMPACTOR_INSPECTOR is the command that runs
// it, such as "npx mcp-inspector" of the npm package
// @modelcontextprotocol/inspector.
func TestInspector(t *testing.T) {
	inspector := strings.Fields(os.Getenv("COMPACTOR_INSPECTOR"))
	if len(inspector) == 0 {
		t.Skip("COMPACTOR_INSPECTOR is not set")
	}
	binary := filepath.Join(t.TempDir(), "compactor")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "pool.go"), []byte("package pool\n\n// NewPool builds a pool.\nfunc NewPool() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	targets := map[string][]string{
		"stdio": {binary, "serve"},
		"http":  {serveHTTP(t, binary, work), "--transport", "http"},
	}
	calls := [][2]string{
		{"ping", `{}`}, {"list_roots", `{}`}, {"research_codebase", `{"question":"where is NewPool?"}`},
		{"locate_in_codebase", `{"question":"NewPool"}`}, {"find_patterns", `{"question":"pool"}`},
		{"analyze_component", `{"component":"NewPool"}`}, {"create_handoff", `{"question":"q","summary":"s"}`}, {"resume_handoff", `{}`},
	}
	for name, target := range targets {
		for _, era := range []string{"legacy", "modern"} {
			ask := func(args ...string) string {
				all := append(append(append([]string{}, inspector[1:]...), "--cli"), target...)
				cmd := exec.CommandContext(t.Context(), inspector[0], append(append(all, args...), "--protocol-era", era, "--format", "json", "-q")...)
				cmd.Dir = work
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Errorf("%s %s %v: %v\n%s", name, era, args, err, out)
				}
				return string(out)
			}
			listed := ask("--method", "tools/list", "--strict")
			for _, c := range calls {
				if !strings.Contains(listed, `"name":"`+c[0]+`"`) {
					t.Errorf("%s %s: %s is not listed", name, era, c[0])
				}
				ask("--method", "tools/call", "--tool-name", c[0], "--tool-args-json", c[1])
			}
		}
	}
}

// serveHTTP starts the server on a free port and returns its address.
func serveHTTP(t *testing.T, binary, work string) string {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--transport", "http", "--listen", "127.0.0.1:0")
	cmd.Dir = work
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, addr, ok := strings.Cut(lines.Text(), "listening on "); ok {
			return "http://" + addr + "/mcp"
		}
	}
	t.Fatal("the server never listened")
	return ""
}
