package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/suitetest"
)

// loginScenarios are those of the protocol's conformance suite in which a client logs in. Left out is auth/basic-cimd: a
// document about the client would have to be published for everybody, which a configuration can name as client_id.
var loginScenarios = []string{"metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "scope-from-www-authenticate", "scope-from-scopes-supported",
	"scope-omitted-when-undefined", "scope-step-up", "scope-retry-limit", "token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none",
	"pre-registration", "2025-03-26-oauth-metadata-backcompat", "2025-03-26-oauth-endpoint-fallback", "resource-mismatch", "offline-access-scope",
	"offline-access-not-supported", "authorization-server-migration", "iss-supported", "iss-not-advertised", "iss-supported-missing", "iss-wrong-issuer",
	"iss-unexpected", "iss-normalized", "metadata-issuer-mismatch"}

// TestConformanceOfLogins has the suite's servers judge how compactor logs in to them.
func TestConformanceOfLogins(t *testing.T) {
	command := suitetest.Command(t)
	for _, scenario := range loginScenarios {
		t.Run(scenario, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], "client", "--command", "loginclient", "--scenario", "auth/"+scenario)...)
			cmd.WaitDelay = time.Second
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "OVERALL: PASSED") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// loginclient is a person who uses the server at an address, its last argument, with compactor: who calls its tool, and
// logs in when told to, at most twice.
func loginclient() {
	home, err := os.MkdirTemp("", "login")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	var given struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	_ = json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &given)
	server := fmt.Sprintf("url: %q, kind: \"http\"", os.Args[len(os.Args)-1])
	if given.ID != "" {
		server += fmt.Sprintf(", oauth: {client_id: %q, client_secret: %q}", given.ID, given.Secret)
	}
	dir := filepath.Join(home, "config", "compactor")
	_ = os.MkdirAll(dir, 0o755)
	_ = os.WriteFile(filepath.Join(dir, "servers.cue"), []byte("package compactor\n\nservers: x: {"+server+"}\n"), 0o600)
	run := func(stdout io.Writer, args ...string) *exec.Cmd {
		cmd := exec.Command("compactor", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = home, stdout, os.Stderr
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_STATE_HOME="+filepath.Join(home, "state"),
			"XDG_CACHE_HOME="+filepath.Join(home, "cache"), "COMPACTOR_CONFIG=")
		return cmd
	}
	for range 3 {
		_ = run(os.Stdout, "servers", "x").Run()
		if run(os.Stdout, "tools", "call", "x__test-tool").Run() == nil {
			return
		}
		r, w := io.Pipe()
		login := run(w, "servers", "login", "x", "--file", "--print-url", "--timeout", "20s")
		if login.Start() != nil {
			break
		}
		go func() {
			address, _ := bufio.NewReader(r).ReadString('\n')
			if response, err := http.Get(strings.TrimSpace(address)); err == nil { // the suite's servers ask nothing
				response.Body.Close()
			}
		}()
		err := login.Wait()
		w.Close()
		if err != nil {
			break
		}
	}
	os.RemoveAll(home)
	os.Exit(1)
}
