package main

import (
	"os/exec"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/suitetest"
)

// TestConformance runs the protocol's conformance suite against `compactor
// serve` on the embedded configuration, in three versions of both eras. All that
// fails is listed in testdata/conformance with the reason why it does not apply,
// and nothing that is listed passes.
func TestConformance(t *testing.T) {
	suitetest.Command(t)
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, work)
	}
	t.Setenv("COMPACTOR_CONFIG", "")
	url := serveHTTP(t, binary, work)
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			suitetest.Run(t, url, version).Expect(t, "testdata/conformance/"+version+".txt")
		})
	}
}
