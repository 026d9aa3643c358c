//go:build unix

package process

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// guarded says that a guard ends programs after our own death.
const guarded = true

// tree is a program and all it started.
type tree struct {
	group int
	start string
	mark  string
}

// startTree starts cmd in its own process group.
func startTree(cmd *exec.Cmd, mark string) (*tree, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &tree{group: cmd.Process.Pid, start: startOf(cmd.Process.Pid), mark: mark}, nil
}

func (t *tree) family() *family {
	return &family{mark: t.mark, groups: map[int]string{t.group: t.start}}
}

func (t *tree) terminate() { t.family().signal(syscall.SIGTERM) }

func (t *tree) kill() { t.family().signal(syscall.SIGKILL) }

// awaitExit waits until the program has ended, before it is reaped: until then its number, and that of its group,
// cannot be reused, so the rest of the group can be signaled without hitting other processes.
func (t *tree) awaitExit() {
	if blockUntilExit(t.group) {
		_ = syscall.Kill(-t.group, syscall.SIGTERM)
	}
}

// end ends the processes left after the program itself.
func (t *tree) end(grace time.Duration) error {
	err := t.family().end(grace)
	// Orphans go to the first process of the system, or of the container. If that is us, we have to reap them.
	for {
		if pid, _ := syscall.Wait4(-t.group, nil, syscall.WNOHANG, nil); pid <= 0 {
			return err
		}
	}
}

// Lines to the guard; the record on disk holds the same.
const (
	readyLine = "ready\n" // from the guard
	doneLine  = "done\n"
)

func markLine(id string) string { return "mark " + id + ".\n" }

func (t *tree) addLine() string { return fmt.Sprintf("add %d %s\n", t.group, t.start) }

func (t *tree) delLine() string { return fmt.Sprintf("del %d\n", t.group) }
