package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A client that oapi-codegen generates from the description is a Go program that builds,
// looks, changes the configuration, is refused and runs a tool.
//
//	go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
//	COMPACTOR_OAPI_CODEGEN=$(command -v oapi-codegen) go test -run GeneratedClient ./cmd/compactor
func TestControlAPIGeneratedClient(t *testing.T) {
	generator := os.Getenv("COMPACTOR_OAPI_CODEGEN")
	if generator == "" {
		t.Skip("COMPACTOR_OAPI_CODEGEN names no oapi-codegen")
	}
	s := serveAPI(t, "", apiToken)
	dir := t.TempDir()
	program, err := os.ReadFile(filepath.Join("testdata", "generatedclient", "main.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"openapi.json":     s.Ask("GET", "/openapi.json", nil).Body,
		"main.go":          program,
		"go.mod":           []byte("module example.com/client\n\ngo 1.26\n"),
		"control/.gitkeep": nil,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{
		{generator, "-generate", "types,client", "-package", "control", "-o", "control/control.go", "openapi.json"},
		{"go", "mod", "tidy"},
		{"go", "vet", "./..."},
		{"go", "run", ".", s.base, apiToken},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
		}
		t.Logf("%s\n%s", strings.Join(command, " "), out)
	}
	if got := s.files()["api.cue"]; got != "package compactor\nroles: locator: budget: files: 13\n" {
		t.Errorf("it wrote %q", got)
	}
}
