package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"
)

// sdkJob is one session of an SDK's client; see testdata/sdk.
type sdkJob struct {
	Command  string            `json:"command,omitempty"`
	Args     []string          `json:"args,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Dir      string            `json:"dir,omitempty"`
	URL      string            `json:"url,omitempty"`
	Mode     string            `json:"mode"`     // auto: the newest era that the server has; legacy: the handshake
	Prefixes []string          `json:"prefixes"` // it lists until each has a tool
	Calls    []sdkCall         `json:"calls"`    // made one after the other
}

type sdkCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// sdkSaw is what a session saw.
type sdkSaw struct {
	Version string            `json:"version"`
	Tools   []json.RawMessage `json:"tools"`
	First   int               `json:"first"` // tools of the first list
	Results []json.RawMessage `json:"results"`
	FirstMs int               `json:"first_ms"` // until the first list was there
	WholeMs int               `json:"whole_ms"` // until every prefix had a tool
}

// sdkClients are the commands of the clients that are to be had here:
// COMPACTOR_SDK_PYTHON is a Python with the package mcp, COMPACTOR_SDK_NODE a
// node_modules directory with @modelcontextprotocol/client.
func sdkClients(t *testing.T) map[string]func() *exec.Cmd {
	t.Helper()
	out := map[string]func() *exec.Cmd{}
	if python := os.Getenv("COMPACTOR_SDK_PYTHON"); python != "" {
		out["python"] = func() *exec.Cmd { return exec.Command(python, "testdata/sdk/client.py") }
	}
	if modules := os.Getenv("COMPACTOR_SDK_NODE"); modules != "" {
		out["typescript"] = func() *exec.Cmd {
			cmd := exec.Command("node", "testdata/sdk/client.mjs")
			cmd.Env = append(os.Environ(), "SDK_MODULES="+modules)
			return cmd
		}
	}
	if len(out) == 0 {
		t.Skip("neither COMPACTOR_SDK_PYTHON nor COMPACTOR_SDK_NODE is set")
	}
	return out
}

// saw runs a session. It fails the test where there is none.
func (j sdkJob) saw(t *testing.T, client *exec.Cmd) sdkSaw {
	t.Helper()
	in, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, client.Path, client.Args[1:]...)
	cmd.Env, cmd.Stdin, cmd.WaitDelay = client.Env, bytes.NewReader(in), 10*time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var saw sdkSaw
	if err == nil {
		err = json.Unmarshal(out, &saw)
	}
	if err != nil {
		t.Fatalf("%s %v%s gave %d bytes: %v\n%.1500s\n...\n%s", client.Path, j.Args, j.URL, len(out), err, stderr.Bytes(), stderr.Bytes()[max(0, stderr.Len()-1000):])
	}
	return saw
}
