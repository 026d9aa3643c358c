package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of the README's section are run as they stand, by a shell, against a real
// serve of the configuration that they speak of.
func TestControlAPIReadmeWalk(t *testing.T) {
	skipShort(t)
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if _, noCurl := exec.LookPath("curl"); err != nil || noCurl != nil {
		t.Skip("sh or curl is not to be had here")
	}
	_, section, _ := strings.Cut(read(t, "../../README.md"), "\n## The control API\n")
	section, _, found := strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("the README has no such section")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pool.go"), []byte("package pool\n\n// NewPool builds the worker pool.\nfunc NewPool() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveAPI(t, fmt.Sprintf("roots: code: [%q]\ngateway: surface: \"proxy\"\nservers: memory: {command: \"sampleserver\", args: [\"memory\"]}\n", dir), apiToken)
	s.awaitTool("memory__add_observations")
	script, commands := "set -e\n", 0
	for line := range strings.Lines(section) {
		command, ok := strings.CutPrefix(line, "    ")
		if !ok || strings.HasPrefix(command, "export ") || strings.HasPrefix(command, "compactor serve") { // it serves already
			continue
		}
		commands++
		script += strings.ReplaceAll(command, "http://127.0.0.1:7717", s.base)
	}
	if commands < 10 {
		t.Fatalf("the section has %d commands", commands)
	}
	cmd := exec.Command(shell, "-c", script)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "COMPACTOR_TOKEN="+apiToken)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{`"ready":true`, `roles.locator.budget.time`, `"kept":true`, `"calls":0`, `"relevant":true`, `pool.go:`, `"warnings":`, `budget: time: "20s"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is nowhere in\n%s", want, out)
		}
	}
	if !strings.Contains(s.files()["api.cue"], `"20s"`) {
		t.Error("the configuration is not replaced")
	}
}
