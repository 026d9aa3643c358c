package process_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/process"

	"go.uber.org/goleak"
)

// The test binary is also the guard, the programs, and the compactor that is killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(process.Guard(os.Stdin))
		case "victim":
			os.Exit(playVictim(os.Args[2:]))
		case "program": // ends at once: os.Exit waits for a second where data races are looked for
			syscall.Exit(program(os.Args[2:]))
		}
	}
	goleak.VerifyTestMain(m)
}

// playVictim is a compactor that is killed, where a test has one.
var playVictim = func([]string) int { return 1 }

func newLauncher(t *testing.T, change ...func(*process.Options)) *process.Launcher {
	t.Helper()
	o := process.Options{State: filepath.Join(t.TempDir(), "state")}
	for _, c := range change {
		c(&o)
	}
	l := process.NewLauncher(o)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// self is the test binary as a program.
func self(name string, args ...string) process.Command {
	own, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return process.Command{Name: name, Path: own, Args: append([]string{"program"}, args...)}
}

func start(t *testing.T, l *process.Launcher, c process.Command) *process.Process {
	t.Helper()
	p, err := l.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ended(t *testing.T, p *process.Process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(time.Minute):
		t.Fatal("the program has not ended")
	}
}

func timeout(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}
