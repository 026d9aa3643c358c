package server_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/mcp/suitetest"
)

// TestConformanceThrough runs the suite against the fixtures and against `compactor serve` in front of the same fixtures,
// which are a server of their own over stdio then. Each check ends the same, in each version; where the two sides of
// compactor speak different eras, all fail that are listed in testdata/conformance/through, with the reason, and no other.
func TestConformanceThrough(t *testing.T) {
	suitetest.Command(t)
	binary := filepath.Join(t.TempDir(), "compactor")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/compactor-mcp/compactor/cmd/compactor").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	through := map[string]string{}
	for _, era := range []string{"handshake", "stateless"} {
		through[era] = serveThrough(t, binary, era)
	}
	for version, era := range map[string]string{"2025-06-18": "handshake", "2025-11-25": "handshake", "2026-07-28": "stateless"} {
		t.Run(version, func(t *testing.T) {
			want := suitetest.Run(t, "http://"+serveFixtures(t)+server.Path, version)
			got := suitetest.Run(t, through[era], version)
			checks := 0
			for scenario, list := range want.Checks {
				checks += len(list)
				if !slices.Equal(got.Checks[scenario], list) {
					t.Errorf("%s: %v, directly %v", scenario, got.Checks[scenario], list)
				}
			}
			if len(got.Checks) != len(want.Checks) || len(want.Failed) > 0 {
				t.Errorf("%d scenarios, directly %d; directly failed: %v", len(got.Checks), len(want.Checks), want.Failed)
			}
			t.Logf("%d scenarios, %d checks, the same directly and through compactor", len(want.Checks), checks)
		})
	}
	for version, era := range map[string]string{"2025-11-25": "stateless", "2026-07-28": "handshake"} {
		t.Run(version+" of a "+era+" server", func(t *testing.T) {
			suitetest.Run(t, through[era], version).Expect(t, "testdata/conformance/through/"+version+"-"+era+".txt")
		})
	}
}

// serveThrough starts compactor in front of the fixtures and gives its address.
func serveThrough(t *testing.T, binary, era string) string {
	t.Helper()
	dir := t.TempDir()
	config := fmt.Sprintf("package compactor\ngateway: surface: \"proxy\"\nservers: fixtures: {\n\tcommand: %q, env: %s: %q\n\tera: %q, prefix: \"\", allow: [\"sampling\", \"elicitation\", \"roots\"]\n}\n",
		os.Args[0], serveEnv, serveFixtured, era)
	if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "COMPACTOR_CONFIG="+dir, "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	look := exec.Command(binary, "tools", "list") // what it has seen is there from the start then
	look.Env = env
	if out, err := look.CombinedOutput(); err != nil || !strings.Contains(string(out), "test_simple_text") {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(binary, "serve", "--transport", "http", "--listen", "127.0.0.1:0")
	cmd.Env = env
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, addr, is := strings.Cut(lines.Text(), "listening on "); is {
			go func() { _, _ = io.Copy(io.Discard, stderr) }() // what is not read would hold it up
			return "http://" + addr + server.Path
		}
	}
	t.Fatal("compactor never listened")
	return ""
}
