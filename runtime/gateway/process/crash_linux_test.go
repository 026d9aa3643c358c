package process_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

func guards() []int { return guardsOf(os.Getpid()) }

// guardsOf are the guards that a process started.
func guardsOf(parent int) (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		line, _ := os.ReadFile(name)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, after, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(after); len(f) > 1 && f[1] == strconv.Itoa(parent) && f[0] != "Z" && strings.HasSuffix(string(line), "\x00guard\x00") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// leak is a pipe that we hold as if our host had let us inherit it, and its name.
func leak(t *testing.T) string {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil { // without close-on-exec
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(ends[0]); syscall.Close(ends[1]) })
	name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", ends[0]))
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func holds(pid int, file string) bool {
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, name := range names {
		if target, _ := os.Readlink(name); target == file {
			return true
		}
	}
	return false
}

func TestOneGuardForAllPrograms(t *testing.T) {
	leaked := leak(t)
	l := newLauncher(t)
	if n := len(guards()); n != 0 {
		t.Fatalf("%d guards before the first program", n)
	}
	var programs []int
	for range 5 {
		programs = append(programs, start(t, l, self("echo", "echo")).PID())
	}
	all := guards()
	if len(all) != 1 {
		t.Fatalf("%d guards for five programs", len(all))
	}
	for _, pid := range append(programs, all...) {
		if holds(pid, leaked) {
			t.Errorf("process %d holds a file of our host", pid)
		}
	}
	if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", all[0])); err != nil || string(env) != "GOMAXPROCS=1\x00" {
		t.Errorf("the guard has the environment %q, %v", env, err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if err := syscall.Kill(all[0], sig); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(guards()); n != 0 {
		t.Errorf("%d guards after Close", n)
	}
}

func TestGuardThatWasEndedIsReplaced(t *testing.T) {
	l := newLauncher(t)
	process.ReplaceYoungGuards(l)
	p := start(t, l, self("polite", "polite"))
	first := guards()
	if err := syscall.Kill(first[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	clocktest.Until(t, "a new guard", func() bool { g := guards(); return len(g) == 1 && g[0] != first[0] })
	start(t, l, self("echo", "echo"))
	if p.Exit() != "" {
		t.Errorf("the program ended with the guard: %s", p.Exit())
	}
}

// Both a compactor and its guard are killed: the next launcher ends what they left, and nothing else.
func TestLeftoversAreSwept(t *testing.T) {
	c := &cycle{t: t, tag: fmt.Sprintf("%d-sweep", os.Getpid()), dir: t.TempDir()}
	state := filepath.Join(c.dir, "state")
	cmd := exec.Command(self("").Path, "victim", c.tag, c.pids(), state)
	stdin, _ := cmd.StdinPipe()
	defer stdin.Close()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.awaitStart(bufio.NewReader(stdout))
	records := func() []string {
		names, _ := filepath.Glob(filepath.Join(state, "*"))
		return names
	}
	before, _ := c.left()
	other := process.NewLauncher(process.Options{State: state}) // it sees a record whose owner lives
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if after, _ := c.left(); len(after) != len(before) || len(records()) != 1 {
		t.Fatalf("the programs of a living compactor were swept: %d of %d, records %q", len(after), len(before), records())
	}
	for _, pid := range append(guardsOf(cmd.Process.Pid), cmd.Process.Pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	_ = cmd.Wait()
	if living, _ := c.left(); len(living) == 0 {
		t.Fatal("nothing was left to sweep")
	}
	// A record whose numbers belong to others by now: a leader, and a group that its leader has left.
	foreign, orphan := foreigner(t, "exec sleep 600"), foreigner(t, "sleep 600 & exit 0")
	text := fmt.Sprintf("mark nobodynobodynobody.\nadd %d 1@long-ago\nadd %d 1@long-ago\nadd 1 1\nadd 0 0\nadd -1 x\nadd\nmark \n", foreign, orphan)
	if err := os.WriteFile(filepath.Join(state, "old.groups"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := process.NewLauncher(process.Options{State: state}).Close(); err != nil {
		t.Fatal(err)
	}
	if living, _ := c.left(); len(living) != 0 {
		t.Errorf("%q still live", living)
	}
	if left := records(); len(left) != 0 {
		t.Errorf("records are left: %q", left)
	}
	for _, group := range []int{foreign, orphan} {
		if !lives(group) {
			t.Errorf("group %d, which only has an old number, was ended", group)
		}
	}
}

// foreigner starts a script that is none of ours in a process group of its own. When the script ends, its children go on.
func foreigner(t *testing.T, script string) (group int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	group = cmd.Process.Pid
	reaped := make(chan struct{})
	go func() { _ = cmd.Wait(); close(reaped) }()
	t.Cleanup(func() { _ = syscall.Kill(-group, syscall.SIGKILL); <-reaped })
	if strings.HasSuffix(script, "exit 0") {
		<-reaped
	}
	return group
}

// lives reports whether a group has a process that is no zombie.
func lives(group int) bool {
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		stat, _ := os.ReadFile(name)
		_, after, _ := strings.Cut(string(stat), ") ")
		if f := strings.Fields(after); len(f) > 2 && f[0] != "Z" && f[2] == strconv.Itoa(group) {
			return true
		}
	}
	return false
}

// What a program leaves behind is ended also when it ends by itself.
func TestRestOfAProgramIsEnded(t *testing.T) {
	c := &cycle{t: t, tag: fmt.Sprintf("%d-rest", os.Getpid()), dir: t.TempDir()}
	cmd := launchers(c.tag, c.pids())[0]
	cmd.Args[1] = `"$SELF" program deaf & setsid "$SELF" program deaf &
		echo $$ >> "$PROCESS_TEST_PIDS"; while [ "$(wc -l < "$PROCESS_TEST_PIDS")" -lt 3 ]; do sleep 0.05; done; exit 4`
	p := start(t, newLauncher(t), cmd)
	ended(t, p)
	if p.Exit() != "it exited with status 4" {
		t.Errorf("Exit says %q", p.Exit())
	}
	if err := p.Stop(time.Second); err != nil {
		t.Error(err)
	}
	if living, _ := c.left(); len(living) != 0 {
		t.Errorf("%q still live", living)
	}
}
