package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// cyclesEnv is how often TestNothingOutlivesServe starts and ends a server; 5
// where it is not set.
const cyclesEnv = "COMPACTOR_CYCLES"

// Upstream servers as they are found in the wild: launchers with children that
// nothing but force ends.
var launcherServers = []string{
	`TOOLSERVER deaf & TOOLSERVER echo one`,                              // a grandchild beside the server
	`setsid TOOLSERVER deaf & exec TOOLSERVER echo two`,                  // one that left the session
	`(setsid TOOLSERVER deaf >/dev/null 2>&1 &) ; TOOLSERVER echo three`, // a daemon of two forks
}

// The ways a server ends.
var endings = []string{"its client leaves", "SIGTERM", "kill -9", "kill -9 of its group", "kill -9 while it starts"}

// `compactor serve` is started with launchers as upstream servers and ended in
// one of five ways. 10 s later no process of it is left, and no zombie.
func TestNothingOutlivesServe(t *testing.T) {
	cycles := len(endings)
	if n, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil {
		cycles = n
	}
	var mu sync.Mutex
	slowest := map[string]time.Duration{}
	programs := 0
	slots := make(chan struct{}, 4)
	var wg sync.WaitGroup
	for i := range cycles {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			c := newServeCycle(t, i)
			ending := endings[i%len(endings)]
			took := c.run(ending)
			mu.Lock()
			defer mu.Unlock()
			slowest[ending] = max(slowest[ending], took)
			programs += len(c.pids())
		})
	}
	wg.Wait()
	for _, name := range []string{"compactor", "toolserver"} { // guards as well
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
			if left = running(path); len(left) == 0 {
				break
			}
		}
		if len(left) > 0 {
			t.Errorf("processes of %s are left: %v", name, left)
		}
	}
	t.Logf("%d cycles with %d upstream processes; the last of one cycle ended after at most %v", cycles, programs, slowest)
}

// serveCycle is one start and end.
type serveCycle struct {
	t    *testing.T
	tag  string // stands in the environment of all its upstream servers
	home string
	file string // of process ids
}

func newServeCycle(t *testing.T, i int) *serveCycle {
	c := &serveCycle{t: t, tag: fmt.Sprintf("cycle-%d-%d", os.Getpid(), i), file: filepath.Join(t.TempDir(), "pids")}
	var cue strings.Builder
	cue.WriteString("gateway: surface: \"proxy\"\n")
	for n, script := range launcherServers {
		fmt.Fprintf(&cue, "servers: s%d: {command: \"/bin/sh\", args: [\"-c\", %q], env: {CYCLE_PIDS: %q, CYCLE_TAG: %q}}\n",
			n, `echo $$ >> "$CYCLE_PIDS"; `+script, c.file, c.tag)
	}
	c.home = configOf(t, cue.String())
	return c
}

func (c *serveCycle) run(ending string) time.Duration {
	binary, err := exec.LookPath("compactor")
	if err != nil {
		c.t.Error(err)
		return 0
	}
	cmd := exec.Command(binary, "serve")
	cmd.Dir, cmd.Env = c.home, environmentOf(c.home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		c.t.Error(err)
		return 0
	}
	if ending == "kill -9 while it starts" {
		time.Sleep(time.Duration(rand.IntN(1500)) * time.Millisecond)
	} else if !c.up(in, bufio.NewScanner(out)) {
		c.t.Errorf("%s: the three servers are not listed", ending)
	}
	began := time.Now()
	switch ending {
	case "its client leaves":
		_ = in.Close()
	case "SIGTERM":
		_ = cmd.Process.Signal(syscall.SIGTERM)
	case "kill -9 of its group":
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	default:
		_ = cmd.Process.Kill()
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	var left []string
	for time.Since(began) < 10*time.Second {
		if left = c.left(); len(left) == 0 && closed(ended) {
			return time.Since(began)
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.t.Errorf("%s: 10 s later these are left: %v, and compactor has ended: %v", ending, left, closed(ended))
	_ = cmd.Process.Kill()
	<-ended
	return time.Since(began)
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// up waits until the tools of all upstream servers are listed.
func (c *serveCycle) up(in interface{ Write([]byte) (int, error) }, out *bufio.Scanner) bool {
	out.Buffer(nil, 1<<20)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for id, until := 1, time.Now().Add(time.Minute); time.Now().Before(until); id++ {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", id)
		for out.Scan() {
			if strings.Contains(out.Text(), fmt.Sprintf(`"id":%d,`, id)) {
				break
			}
		}
		if text := out.Text(); strings.Contains(text, "__one") && strings.Contains(text, "__two") && strings.Contains(text, "__three") {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

func (c *serveCycle) pids() []string {
	text, _ := os.ReadFile(c.file)
	return strings.Fields(string(text))
}

// left are the processes of this cycle that live, and the zombies, which have
// no environment any more.
func (c *serveCycle) left() (out []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range files {
		if env, err := os.ReadFile(name); err == nil && strings.Contains(string(env), "CYCLE_TAG="+c.tag+"\x00") {
			out = append(out, name)
		}
	}
	for _, pid := range c.pids() {
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		if _, state, ok := strings.Cut(string(stat), ") "); ok && strings.HasPrefix(state, "Z") {
			out = append(out, "zombie "+pid)
		}
	}
	return out
}

// running are the processes of a program.
func running(path string) (out []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == path {
			out = append(out, link)
		}
	}
	return out
}
