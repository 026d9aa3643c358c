package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
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
// one of five ways. In the end no process of it is left, and no zombie.
func TestNothingOutlivesServe(t *testing.T) {
	cycles := len(endings)
	if n, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil {
		cycles = n
	}
	slots := make(chan struct{}, len(endings))
	var wg sync.WaitGroup
	for i := range cycles {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			ending := endings[i%len(endings)]
			t.Run(ending, func(t *testing.T) { newServeCycle(t, i).run(ending) })
		})
	}
	wg.Wait()
	for _, name := range []string{"compactor", "toolserver"} { // guards as well
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		var left []string
		clocktest.Until(t, "no process of "+name+" is left", func() bool {
			left = running(path)
			return len(left) == 0
		}, func() any { return left })
	}
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

func (c *serveCycle) run(ending string) {
	binary, err := exec.LookPath("compactor")
	if err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command(binary, "serve")
	cmd.Dir, cmd.Env = c.home, environmentOf(c.home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	if ending == "kill -9 while it starts" {
		n := rand.IntN(6) // of the nine processes that announce themselves
		greet(in)
		fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`) // nothing need start before it is asked for
		clocktest.Until(c.t, fmt.Sprintf("%d processes have begun", n), func() bool { return len(c.pids()) >= n })
	} else {
		c.awaitListed(in, bufio.NewScanner(out))
	}
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
	defer cmd.Process.Kill() // where it fails
	var left []string
	clocktest.Until(c.t, "compactor has ended and nothing of it is left", func() bool {
		left = c.left()
		return len(left) == 0 && closed(ended)
	}, func() any { return fmt.Sprintf("%v, and compactor has ended: %v", left, closed(ended)) })
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// greet makes the handshake of a client.
func greet(in io.Writer) {
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// awaitListed waits until the tools of all upstream servers are listed.
func (c *serveCycle) awaitListed(in io.Writer, out *bufio.Scanner) {
	c.t.Helper()
	out.Buffer(nil, 1<<20)
	greet(in)
	id := 0
	clocktest.Until(c.t, "the three servers are listed", func() bool {
		id++
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", id)
		for out.Scan() {
			if strings.Contains(out.Text(), fmt.Sprintf(`"id":%d,`, id)) {
				break
			}
		}
		text := out.Text()
		return strings.Contains(text, "__one") && strings.Contains(text, "__two") && strings.Contains(text, "__three")
	}, func() any { return out.Text() })
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
