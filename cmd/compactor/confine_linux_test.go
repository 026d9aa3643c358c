package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
)

// built is compactor as releases build it: without cgo, which keeps a process from
// restricting its threads. A test binary that can is used as it is.
var built = sync.OnceValues(func() (string, error) {
	if landlock.Support().Why == "" {
		return exec.LookPath("compactor")
	}
	dir, err := os.MkdirTemp("", "compactor-build")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "compactor"), ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(dir, "compactor"), nil
})

// confined is a server that runs in a directory of its own.
type confined struct {
	t    *testing.T
	top  string
	in   io.WriteCloser
	out  *bufio.Scanner
	errs *printed
	pid  int
	next int
}

// printed collects what a program says while it runs.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *printed) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *printed) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func serveConfined(t *testing.T, config string, env ...string) *confined {
	t.Helper()
	if landlock.Support().ABI == 0 {
		t.Skip("this kernel has no Landlock")
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	c := &confined{t: t, top: t.TempDir(), errs: &printed{}}
	for name, text := range map[string]string{"work/src/a.go": "package src\n\nfunc OldQuagga() {}\n", "outside/b.go": "package out\n\nfunc FarQuagga() {}\n", "tmp/x": ""} {
		c.write(name, text)
	}
	c.write("work/.compactor/c.cue", config)
	cmd := exec.Command(program, "serve", "--trust-config")
	cmd.Dir = filepath.Join(c.top, "work")
	cmd.Env = append(append(os.Environ(), "HOME="+c.top, "XDG_STATE_HOME="+filepath.Join(c.top, "state"), "XDG_CONFIG_HOME="+filepath.Join(c.top, "config"), "TMPDIR="+filepath.Join(c.top, "tmp")), env...)
	cmd.Stderr = c.errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	c.pid, c.out = cmd.Process.Pid, bufio.NewScanner(out)
	c.out.Buffer(nil, 1<<20)
	c.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}})
	fmt.Fprintln(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *confined) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.top, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	temp := path + ".new" // as editors do
	if err := os.WriteFile(temp, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(temp, path); err != nil {
		c.t.Fatal(err)
	}
}

func (c *confined) request(method string, params any) string {
	c.t.Helper()
	c.next++
	raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method, "params": params})
	fmt.Fprintln(c.in, string(raw))
	for c.out.Scan() {
		if strings.Contains(c.out.Text(), fmt.Sprintf(`"id":%d`, c.next)) {
			return c.out.Text()
		}
	}
	c.t.Fatalf("no answer to %s: %v\n%s", method, c.out.Err(), c.errs)
	return ""
}

func (c *confined) call(tool string, args map[string]any) string {
	c.t.Helper()
	return c.request("tools/call", map[string]any{"name": tool, "arguments": args})
}

// waits calls a tool until its answer has a text.
func (c *confined) waits(what string, try func() string) {
	c.t.Helper()
	var got string
	clocktest.Until(c.t, fmt.Sprintf("%q comes", what), func() bool {
		got = try()
		return strings.Contains(got, what)
	}, func() any { return got + "\nstderr: " + c.errs.String() })
}

// shut reports how many threads of the server there are, and how many gave up new privileges, as the kernel demands of
// those that are restricted.
func (c *confined) shut() (threads, shut int) {
	all, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", c.pid))
	for _, status := range all {
		if text, err := os.ReadFile(status); err == nil {
			threads++
			if strings.Contains(string(text), "NoNewPrivs:\t1") {
				shut++
			}
		}
	}
	return threads, shut
}

// TestServeShutsItselfIn runs a server behind the second wall and does with it what people do.
func TestServeShutsItselfIn(t *testing.T) {
	if testing.Short() {
		t.Skip("built without the race detector")
	}
	t.Parallel()
	c := serveConfined(t, "package compactor\n")
	if threads, shut := c.shut(); threads == 0 || shut != threads {
		t.Fatalf("%d of %d threads are restricted", shut, threads)
	}
	find := func(name string) func() string {
		return func() string { return c.call("locate_in_codebase", map[string]any{"question": name}) }
	}
	c.waits("a.go:3", find("OldQuagga"))
	c.write("work/src/new.go", "package src\n\nfunc NewQuagga() {}\n")
	c.waits("new.go:3", find("NewQuagga"))
	if got := c.call("create_handoff", map[string]any{"question": "q", "summary": "s"}); strings.Contains(got, `"isError":true`) {
		t.Errorf("a note: %s", got)
	}
	if got := c.call("resume_handoff", nil); !strings.Contains(got, `"question`) {
		t.Errorf("the note: %s", got)
	}

	// An edit is taken over, also of a directory that was made again.
	c.write("work/.compactor/c.cue", "package compactor\n\ntools: locate_in_codebase: description: \"Find wombats.\"\n")
	list := func() string { return c.request("tools/list", map[string]any{}) }
	c.waits("Find wombats", list)
	if err := os.Rename(filepath.Join(c.top, "work/.compactor"), filepath.Join(c.top, "work/.old")); err != nil {
		t.Fatal(err)
	}
	c.write("work/.compactor/c.cue", "package compactor\n\ntools: locate_in_codebase: description: \"Find numbats.\"\n")
	c.waits("Find numbats", list)

	// A root that was made again is open, for the working directory is.
	if err := os.RemoveAll(filepath.Join(c.top, "work/src")); err != nil {
		t.Fatal(err)
	}
	c.write("work/src/c.go", "package src\n\nfunc LateQuagga() {}\n")
	c.waits("c.go:3", find("LateQuagga"))

	// What was not known at the start stays shut, and the person is told what to do.
	c.write("work/.compactor/c.cue", "package compactor\n\nroots: more: [\"../outside\"]\n")
	c.waits("start compactor again", c.errs.String)
	if got := find("OldQuagga")(); strings.Contains(got, "isError\":true") {
		t.Errorf("after a refused edit: %s", got)
	}
}

// TestServeWithProgramsStaysOpen has a server of the user's own configuration that is a program.
func TestServeWithProgramsStaysOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("built without the race detector")
	}
	t.Parallel()
	c := serveConfined(t, "package compactor\n", "COMPACTOR_LANDLOCK=off")
	if _, shut := c.shut(); shut > 0 {
		t.Errorf("%d threads are restricted although it is switched off", shut)
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "own")
	if err := os.MkdirAll(config, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "c.cue"), []byte("package compactor\n\nservers: lake: command: \"cat\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "doctor", "--config", config)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "HOME="+dir)
	if out, _ := cmd.Output(); !strings.Contains(string(out), "Landlock is not in force, for programs are started (lake)") {
		t.Errorf("doctor: %s", out)
	}
	cmd = exec.Command(program, "doctor")
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "HOME="+dir)
	if out, _ := cmd.Output(); !strings.Contains(string(out), "second wall: Landlock (version") {
		t.Errorf("doctor: %s", out)
	}
}

// TestProgramsAfterTheStartSayWhatToDo adds a program to the user's own configuration while the server runs.
func TestProgramsAfterTheStartSayWhatToDo(t *testing.T) {
	if testing.Short() {
		t.Skip("built without the race detector")
	}
	t.Parallel()
	own := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(own, "c.cue"), []byte("package compactor\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const far = "\nservers: far: url: \"http://127.0.0.1:9/mcp\"\n"
	write(far)
	c := serveConfined(t, "package compactor\n", "COMPACTOR_CONFIG="+own)
	if threads, shut := c.shut(); threads == 0 || shut != threads {
		t.Fatalf("%d of %d threads are restricted", shut, threads)
	}
	write(far + "servers: lake: command: \"cat\"\n")
	c.waits("start compactor again", func() string {
		return c.call("list_servers", nil) + c.call("execute_tool", map[string]any{"tool": "lake__echo", "arguments": map[string]any{}})
	})
}
