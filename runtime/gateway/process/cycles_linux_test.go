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

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
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

// victim is a compactor: it starts programs, says so, and stops them at the end of its input.
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
// start. Soon after that nothing of it is left, and no zombie.
func TestNoProcessOutlivesUs(t *testing.T) {
	cycles := 8
	if n, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil {
		cycles = n
	} else if testing.Short() {
		cycles = 4
	}
	const atOnce = 8
	var mu sync.Mutex
	started := 0
	slots := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i := range cycles {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			c := &cycle{t: t, tag: fmt.Sprintf("%d-%d", os.Getpid(), i), dir: t.TempDir()}
			c.run(i % 4)
			mu.Lock()
			defer mu.Unlock()
			started += pidsOf(c.pids())
		})
	}
	wg.Wait()
	own, _ := os.Readlink("/proc/self/exe")
	clocktest.Until(t, "no process of this program is left, and no guard", func() bool { return othersOf(own) == 0 },
		func() any { return othersOf(own) })
	t.Logf("%d cycles, %d programs: all ended", cycles, started)
}

type cycle struct {
	t        *testing.T
	tag, dir string
}

func (c *cycle) pids() string { return filepath.Join(c.dir, "pids") }

// programs is how many programs a compactor runs: three shells, and two that each of them starts.
const programs = 9

// awaitStart waits until the compactor that writes to out runs all its programs.
func (c *cycle) awaitStart(out *bufio.Reader) {
	if line, _ := out.ReadString('\n'); line != "up\n" {
		c.t.Errorf("the compactor says %q", line)
	}
	c.awaitPrograms(programs)
}

func (c *cycle) awaitPrograms(n int) {
	clocktest.Until(c.t, fmt.Sprintf("%d programs are started", n), func() bool { return pidsOf(c.pids()) >= n },
		func() any { return pidsOf(c.pids()) })
}

// run ends one compactor in one of four ways and waits until nothing of it is left.
func (c *cycle) run(way int) {
	cmd := exec.Command(self("").Path, "victim", c.tag, c.pids(), filepath.Join(c.dir, "state"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		c.t.Error(err)
		return
	}
	out := bufio.NewReader(stdout)
	if way == 3 {
		c.awaitPrograms(rand.IntN(programs))
	} else {
		c.awaitStart(out)
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
	_ = cmd.Wait()
	var living, zombies []string
	clocktest.Until(c.t, fmt.Sprintf("nothing is left, way %d", way), func() bool { // the first process of the system reaps at its leisure
		living, zombies = c.left()
		return len(living)+len(zombies) == 0
	}, func() any { return fmt.Sprintf("%q live and %q are zombies", living, zombies) })
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
