package server_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// TestConformance runs the protocol's conformance suite over HTTP, in three versions. COMPACTOR_CONFORMANCE is the
// command to run it, such as "npx conformance" of the npm package @modelcontextprotocol/conformance (node 22 or newer).
// The scenarios that may fail are listed in testdata/conformance, and one of them that passes is a failure too.
func TestConformance(t *testing.T) {
	command := strings.Fields(os.Getenv("COMPACTOR_CONFORMANCE"))
	if len(command) == 0 {
		t.Skip("COMPACTOR_CONFORMANCE is not set")
	}
	url := "http://" + serveFixtures(t) + server.Path
	files, err := filepath.Glob("testdata/conformance/*.yml")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		version := strings.TrimSuffix(filepath.Base(file), ".yml")
		t.Run(version, func(t *testing.T) {
			run(t, append(command, "server", "--url", url, "--suite", "all", "--spec-version", version, "--expected-failures", file)...)
		})
	}
}

// TestInspector has the command line of the MCP Inspector list and call, over stdio and HTTP, in both eras, with its
// strict look at the schemas. COMPACTOR_INSPECTOR is the command to run it, such as "npx mcp-inspector" of the npm
// package @modelcontextprotocol/inspector.
func TestInspector(t *testing.T) {
	command := strings.Fields(os.Getenv("COMPACTOR_INSPECTOR"))
	if len(command) == 0 {
		t.Skip("COMPACTOR_INSPECTOR is not set")
	}
	s, _ := newServer(t)
	addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"})
	for name, target := range map[string][]string{
		"stdio": {os.Args[0], "-e", serveEnv + "=1"},
		"http":  {"http://" + addr.String() + server.Path, "--transport", "http"},
	} {
		for era, flag := range map[string]string{"handshake": "legacy", "stateless": "modern"} {
			t.Run(name+"/"+era, func(t *testing.T) {
				ask := func(want string, args ...string) {
					t.Helper()
					base := append(append(append([]string{}, command...), "--cli"), target...)
					out := run(t, append(base, append(args, "--protocol-era", flag, "--format", "json", "-q")...)...)
					if !strings.Contains(out, want) {
						t.Errorf("%v gave\n%s", args, out)
					}
				}
				ask(`"name":"add"`, "--method", "tools/list", "--strict")
				ask(`"structuredContent":{"sum":3}`, "--method", "tools/call", "--tool-name", "add", "--tool-args-json", `{"a":1,"b":2}`)
			})
		}
	}
}

func run(t *testing.T, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}
