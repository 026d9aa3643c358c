package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/supervise"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// supervised is a running compactor supervise.
type supervised struct {
	t      *testing.T
	dir    string
	binary string
	cmd    *exec.Cmd
	ended  chan struct{}

	mu   sync.Mutex
	said []string
}

// startSupervise starts compactor supervise with the configuration in dir.
func startSupervise(t *testing.T, dir, binary string) *supervised {
	t.Helper()
	s := &supervised{t: t, dir: dir, binary: binary, ended: make(chan struct{})}
	s.cmd = exec.Command(binary, "supervise")
	s.cmd.Dir, s.cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
	err, _ := s.cmd.StderrPipe()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for in := bufio.NewScanner(err); in.Scan(); {
			s.mu.Lock()
			s.said = append(s.said, in.Text())
			s.mu.Unlock()
		}
	}()
	go func() {
		defer close(s.ended)
		<-read
		_ = s.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.ended
		if t.Failed() {
			t.Logf("supervise wrote:\n%s", strings.Join(s.lines(), "\n"))
		}
	})
	return s
}

func (s *supervised) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.said)
}

func (s *supervised) awaitLine(part string) {
	s.t.Helper()
	clocktest.Until(s.t, "supervise says "+part, func() bool {
		return slices.ContainsFunc(s.lines(), func(l string) bool { return strings.Contains(l, part) })
	}, func() any { return strings.Join(s.lines(), "\n") })
}

// status returns what compactor supervise status says, by name.
func (s *supervised) status() map[string]supervise.Status {
	cmd := exec.Command(s.binary, "supervise", "status", "--format", "json")
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), frontEnv(s.dir)...)
	out, _ := cmd.Output() // it exits with 1 while one is not ready
	var said struct{ Dependencies []supervise.Status }
	if err := json.Unmarshal(out, &said); err != nil {
		s.t.Fatalf("%v in %s", err, out)
	}
	byName := map[string]supervise.Status{}
	for _, st := range said.Dependencies {
		byName[st.Name] = st
	}
	return byName
}

// killAndAwait kills a dependency and waits until it is ready again.
func (s *supervised) killAndAwait(name string) {
	s.t.Helper()
	before := s.status()[name]
	if before.PID == 0 {
		s.t.Fatalf("%s does not run: %+v", name, before)
	}
	_ = syscall.Kill(before.PID, syscall.SIGKILL)
	var now supervise.Status
	clocktest.Until(s.t, name+" is ready again", func() bool {
		now = s.status()[name]
		return now.State == supervise.Ready && now.PID != before.PID && now.Restarts == before.Restarts+1
	}, func() any { return now })
}

// end ends supervise with a signal and waits until nothing with the tag in its environment is left.
func (s *supervised) end(sig syscall.Signal, tag string) {
	s.t.Helper()
	_ = s.cmd.Process.Signal(sig)
	<-s.ended
	cycle := serveCycle{tag: tag}
	var left []string
	clocktest.Until(s.t, "nothing is left", func() bool {
		left = cycle.left()
		return len(left) == 0
	}, func() any { return left })
	if code := s.cmd.ProcessState.ExitCode(); sig != syscall.SIGKILL && code != 0 {
		s.t.Errorf("exit code %d", code)
	}
}

// mcpDependency is the setting of a compactor that serves one tool over HTTP, at an address that it chooses itself.
func mcpDependency(t *testing.T, name, tool, tag string) string {
	inner, _ := frontDir(t, fmt.Sprintf("gateway: surface: \"proxy\"\nservers: e: {command: \"toolserver\", args: [\"echo\", %q], env: CYCLE_TAG: %q}\n", tool, tag))
	return fmt.Sprintf("dependencies: %s: {command: \"compactor\", args: [\"serve\", \"--transport\", \"http\", \"--listen\", \"127.0.0.1:0\"], env: {COMPACTOR_CONFIG: %q, HOME: %q, XDG_STATE_HOME: %q, CYCLE_TAG: %q}}\n",
		name, inner, inner, inner, tag)
}

// A compactor that serves finds the servers that compactor supervise starts later, finds them again at the new address of
// a restart, and says what to do while they do not run.
func TestSuperviseRegisters(t *testing.T) {
	t.Parallel()
	tag := fmt.Sprintf("supervise-%d-r", os.Getpid())
	dir, binary := frontDir(t, "gateway: surface: \"proxy\"\n"+mcpDependency(t, "tickets", "say", tag)+"servers: front: url: \"http://${TICKETS_ADDR}/mcp\"\n")
	p := dial(t, `{}`, nil, frontEnv(dir), binary, "serve")
	out, _ := runIn(dir, binary, "servers")
	if !strings.Contains(out, "dependency tickets sets it while it runs under compactor supervise") {
		t.Errorf("before: %s", out)
	}
	s := startSupervise(t, dir, binary)
	settled(p, 1)
	call := func() string { return string(p.call("front__e__say", `{"a":1}`).Result) }
	clocktest.Until(t, "the tool can be called", func() bool { return strings.Contains(call(), `\"a\":1`) }, func() any { return call() })
	address := s.status()["tickets"].Addr
	s.killAndAwait("tickets")
	clocktest.Until(t, "the tool can be called again", func() bool { return strings.Contains(call(), `\"a\":1`) }, func() any { return call() })
	if now := s.status()["tickets"].Addr; now == address || now == "" {
		t.Errorf("the address is %s as before, so the test shows nothing", now)
	}
	if out, _ := runIn(dir, binary, "supervise"); !strings.Contains(out, "runs already for this configuration") {
		t.Errorf("a second one: %s", out)
	}
	s.end(syscall.SIGTERM, tag)
	if out, code := runIn(dir, binary, "supervise", "status"); code != 1 || !strings.Contains(out, "does not run for this configuration") {
		t.Errorf("afterwards: %d %s", code, out)
	}
}

// runIn runs a command in the environment of a configuration and returns its output and exit code.
func runIn(dir, binary string, args ...string) (string, int) {
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// However compactor supervise ends, nothing of what it started is left, and the next one can start at once.
func TestNothingOutlivesSupervise(t *testing.T) {
	t.Parallel()
	cycles := 4
	if n, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil {
		cycles = n
	}
	tag := fmt.Sprintf("supervise-%d-n", os.Getpid())
	var cue strings.Builder
	for i, script := range launcherServers {
		needs := ""
		if i > 0 {
			needs = fmt.Sprintf(`, needs: ["s%d"]`, i-1)
		}
		script = strings.NewReplacer("echo one", "deaf", "echo two", "deaf", "echo three", "deaf").Replace(script)
		fmt.Fprintf(&cue, "dependencies: s%d: {command: \"/bin/sh\", args: [\"-c\", %q], stop: \"300ms\", env: CYCLE_TAG: %q%s}\n",
			i, `echo 'SERVER_READY {}'; `+strings.ReplaceAll(script, "TOOLSERVER", "toolserver"), tag, needs)
	}
	dir, binary := frontDir(t, cue.String())
	for i := range cycles {
		s := startSupervise(t, dir, binary)
		switch i % 4 {
		case 0:
			s.awaitLine("compactor: s2 is ready")
			s.end(syscall.SIGTERM, tag)
		case 1:
			s.awaitLine("compactor: s2 is ready")
			s.end(syscall.SIGKILL, tag)
		case 2:
			s.awaitLine(fmt.Sprintf("compactor: s%d is starting", rand.IntN(3)))
			s.end(syscall.SIGKILL, tag)
		case 3:
			s.awaitLine(fmt.Sprintf("compactor: s%d is starting", rand.IntN(3)))
			s.end(syscall.SIGINT, tag)
		}
	}
}

// A database, a model server and two MCP servers come up, come back after kill -9 of each, and go; so often as
// COMPACTOR_CYCLES says.
func TestSuperviseDatabaseModelAndServers(t *testing.T) {
	if os.Getenv("COMPACTOR_TEST_POSTGRES") == "" {
		t.Skip("set COMPACTOR_TEST_POSTGRES=1 to run a PostgreSQL server")
	}
	cycles := 3
	if n, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil {
		cycles = n
	}
	pg := storetest.New(t)
	pg.Stop()
	tag := fmt.Sprintf("supervise-%d-d", os.Getpid())
	modelConfig := filepath.Join(t.TempDir(), "model.cue")
	line, _ := json.Marshal(pg.CommandLine())
	dir, binary := frontDir(t, fmt.Sprintf("dependencies: db: {command: \"env\", args: %s, addr: \"127.0.0.1:%d\", env: CYCLE_TAG: %q}\n", line, pg.Port, tag)+
		fmt.Sprintf("dependencies: model: {command: \"modelserver\", args: [\"hang\", %q], check: [\"test\", \"-f\", %[1]q], env: CYCLE_TAG: %q}\n", modelConfig, tag)+
		mcpDependency(t, "tickets", "say", tag)+mcpDependency(t, "notes", "tell", tag)+
		"dependencies: {tickets: needs: [\"db\"], notes: needs: [\"db\", \"model\"]}\n")
	for i := range cycles {
		s := startSupervise(t, dir, binary)
		for _, name := range []string{"db", "model", "tickets", "notes"} {
			s.awaitLine("compactor: " + name + " is ready")
		}
		for _, name := range []string{"db", "model", "tickets", "notes"} {
			if i == 0 || rand.IntN(4) == 0 {
				s.killAndAwait(name)
			}
		}
		clocktest.Until(t, "the database takes statements", func() bool {
			st, err := store.Open(context.Background(), pg.URL())
			if err == nil {
				st.Close()
			}
			return err == nil
		})
		s.end([]syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL}[i%3], tag)
		_ = os.Remove(modelConfig)
	}
}
