package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/app/api/apitest"
)

// A damaged file of the use of tools keeps nothing. The control API says so wherever it
// is asked for, and names the file.
func TestDamagedUsageIsNamed(t *testing.T) {
	t.Parallel()
	dir, _ := frontDir(t, `
gateway: surface: "proxy"
servers: memory: {command: "sampleserver", args: ["memory"]}
`)
	url, err := json.Marshal("sqlite:" + filepath.Join(dir, "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"store.cue":      "package compactor\n\nstore: url: " + string(url) + "\n",
		"state-usage.db": strings.Repeat("no database ", 1000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := serveAPIIn(t, dir, apiToken)
	named := func(got apitest.Answer) bool { return strings.Contains(string(got.Body), "state-usage.db") }
	s.awaitTool("memory__add_observations")
	got := s.Ask("POST", "/override", []byte(`{"tool": "memory__add_observations", "relevant": true}`), "Content-Type", "application/json")
	if got.Code() != api.Unreadable || !named(got) {
		t.Errorf("a mark: %s", got.Body)
	}
	if got := s.Ask("GET", "/sessions", nil); got.Code() != api.Unreadable || !named(got) {
		t.Errorf("the sessions: %s", got.Body)
	}
	if got := s.Ask("GET", "/readyz", nil); got.Status != 503 || !named(got) {
		t.Errorf("readiness: %s", got.Body)
	}
}
