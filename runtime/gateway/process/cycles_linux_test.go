package process_test

import (
	"bufio"
	"context"
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
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

const (
	cyclesEnv = "PROCESS_TEST_CYCLES" // how often TestNoProcessOutlivesUs starts and ends a compactor
	tagEnv    = "PROCESS_TEST_TAG"    // carried by all that one cycle starts
	pidsEnv   = "PROCESS_TEST_PIDS"   // file that each program writes its process id to
)

func init() { playVictim = victim }

// stubborn are launchers as they are found in the wild; SELF is the test binary.
var stubborn = map[string]string{
	"a launcher whose child ignores SIGTERM":   `"$SELF" program deaf & "$SELF" program polite & wait`,
	"a child that left the group":              `setsid "$SELF" program deaf & "$SELF" program deaf`,
	"a daemon of two forks, and the end of it": `(setsid "$SELF" program deaf >/dev/null 2>&1 &) ; exec "$SELF" program echo`,
}

func launchers(tag, pids string) (all []process.Command) {
	for name, script := range stubborn {
		all = append(all, process.Command{
			Name: name, Path: "/bin/sh", Args: []string{"-c", `echo $$ >> "$` + pidsEnv + `"; ` + script},
			Env: map[string]string{"SELF": self("").Path, tagEnv: tag, pidsEnv: pids},
		})
	}
	return all
}

// victim is a compactor: it starts programs, says that they are up, and stops them at the end of its input.
func victim(args []string) int {
	tag, pids, state := args[0], args[1], args[2]
	l := process.NewLauncher(process.Options{State: state})
	var all []*process.Process
	for _, c := range launchers(tag, pids) {
		p, err := l.Start(context.Background(), c)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		all = append(all, p)
	}
	for pidsOf(pids) < 9 { // three shells, six programs
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Println("up")
	_, _ = io.Copy(io.Discard, os.Stdin)
	var wg sync.WaitGroup
	for _, p := range all {
		wg.Go(func() {
			if err := p.Stop(200 * time.Millisecond); err != nil {
				fmt.Println(err)
			}
		})
	}
	wg.Wait()
	if err := l.Close(); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("stopped")
	return 0
}

func pidsOf(file string) int {
	text, _ := os.ReadFile(file)
	return strings.Count(string(text), "\n")
}

// A compactor that starts launchers is stopped, or killed when all runs, with its whole group, or at any moment of the
// start. 10 s later nothing of it is left, and no zombie.
func TestNoProcessOutlivesUs(t *testing.T) {
	cycles := 16
	if n, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil {
		cycles = n
	} else if testing.Short() {
		cycles = 4
	}
	const atOnce = 8
	var mu sync.Mutex
	var slowest time.Duration
	started := 0
	slots := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i := range cycles {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			c := &cycle{t: t, tag: fmt.Sprintf("%d-%d", os.Getpid(), i), dir: t.TempDir()}
			took := c.run(i % 4)
			mu.Lock()
			defer mu.Unlock()
			slowest = max(slowest, took)
			started += pidsOf(c.pids())
		})
	}
	wg.Wait()
	own, _ := os.Readlink("/proc/self/exe")
	left := 0
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if left = othersOf(own); left == 0 { // guards as well
			break
		}
	}
	if left > 0 {
		t.Errorf("%d processes of this program are left, guards among them", left)
	}
	t.Logf("%d cycles, %d programs: all ended within %v", cycles, started, slowest.Round(time.Millisecond))
}

type cycle struct {
	t        *testing.T
	tag, dir string
}

func (c *cycle) pids() string { return filepath.Join(c.dir, "pids") }

// run ends one compactor in one of four ways and returns how long the last of its programs lived after that.
func (c *cycle) run(way int) time.Duration {
	cmd := exec.Command(self("").Path, "victim", c.tag, c.pids(), filepath.Join(c.dir, "state"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		c.t.Error(err)
		return 0
	}
	out := bufio.NewReader(stdout)
	if way == 3 {
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
	} else if line, _ := out.ReadString('\n'); line != "up\n" {
		c.t.Errorf("the compactor says %q", line)
	}
	switch way {
	case 0:
		stdin.Close()
		if line, _ := out.ReadString('\n'); line != "stopped\n" {
			c.t.Errorf("the stopped compactor says %q", line)
		}
	case 2:
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	default:
		_ = cmd.Process.Kill()
	}
	began := time.Now()
	_ = cmd.Wait()
	var living, zombies []string
	var took time.Duration
	for time.Since(began) < 10*time.Second {
		living, zombies = c.left()
		if len(living) == 0 && took == 0 {
			took = time.Since(began)
		}
		if len(living)+len(zombies) == 0 { // the first process of the system reaps at its leisure
			return took
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.t.Errorf("way %d: 10 s later %q live and %q are zombies", way, living, zombies)
	return time.Since(began)
}

// left are the processes of a cycle: those with its tag, and the zombies, which have no environment any more.
func (c *cycle) left() (living, zombies []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range dirs {
		if env, err := os.ReadFile(name); err == nil && strings.Contains(string(env), tagEnv+"="+c.tag+"\x00") {
			living = append(living, name)
		}
	}
	text, _ := os.ReadFile(c.pids())
	for _, pid := range strings.Fields(string(text)) {
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		if _, state, ok := strings.Cut(string(stat), ") "); ok && strings.HasPrefix(state, "Z") {
			zombies = append(zombies, pid)
		}
	}
	return living, zombies
}

// othersOf counts the processes that run the same file as we, without ourselves.
func othersOf(exe string) (n int) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == exe && !strings.Contains(link, fmt.Sprintf("/%d/", os.Getpid())) {
			n++
		}
	}
	return n
}
