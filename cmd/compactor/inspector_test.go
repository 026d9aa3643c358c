package main

import (
	"bufio"
	"errors"
	"fmt"
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
		{"list_handoffs", `{}`},
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

// TestInspectorGateway has the Inspector use what is behind compactor: it finds
// an upstream tool, runs it, and with surface "proxy" sees it itself.
func TestInspectorGateway(t *testing.T) {
	inspector := strings.Fields(os.Getenv("COMPACTOR_INSPECTOR"))
	if len(inspector) == 0 {
		t.Skip("COMPACTOR_INSPECTOR is not set")
	}
	work := t.TempDir()
	binary := filepath.Join(work, "compactor")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := filepath.Join(work, "sampleserver") // the test's own program, by the name that makes it a server
	if err := os.Symlink(self, server); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(work, "todo.txt"), []byte("buy milk\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(work, "home")) // where it is kept what may start
	t.Setenv("XDG_STATE_HOME", "")
	for _, surface := range []string{"discovery", "proxy"} {
		dir := filepath.Join(work, surface)
		config := filepath.Join(dir, ".compactor")
		text := fmt.Sprintf("package compactor\n\nservers: files: {command: %q, args: [\"files\", %q]}\ngateway: surface: %q\n", server, work, surface)
		if err := errors.Join(os.MkdirAll(config, 0o755), os.WriteFile(filepath.Join(config, "compactor.cue"), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"allow", "--yes"}, {"servers"}} {
			cmd := exec.Command(binary, args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
		for _, era := range []string{"legacy", "modern"} {
			ask := func(want string, args ...string) {
				all := append(append([]string{}, inspector[1:]...), "--cli", binary, "serve")
				cmd := exec.CommandContext(t.Context(), inspector[0], append(append(all, args...), "--protocol-era", era, "--format", "json", "-q")...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), want) {
					t.Errorf("%s %s %v: %v, without %s:\n%s", surface, era, args, err, want, out)
				}
			}
			if surface == "proxy" {
				ask(`"name":"files__read_text_file"`, "--method", "tools/list", "--strict")
				ask("buy milk", "--method", "tools/call", "--tool-name", "files__read_text_file", "--tool-args-json", `{"path":"todo.txt"}`)
				continue
			}
			ask(`"name":"execute_tool"`, "--method", "tools/list", "--strict")
			ask("files__read_text_file", "--method", "tools/call", "--tool-name", "search_tools", "--tool-args-json", `{"query":"read a file"}`)
			ask("buy milk", "--method", "tools/call", "--tool-name", "execute_tool", "--tool-args-json",
				`{"tool":"files__read_text_file","arguments":{"path":"todo.txt"}}`)
		}
	}
}
