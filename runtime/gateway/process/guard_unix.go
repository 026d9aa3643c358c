//go:build unix

package process

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	guardGrace = 2 * time.Second        // between SIGTERM and SIGKILL
	guardLook  = 100 * time.Millisecond // until the second check
)

// Guard runs the hidden subcommand "guard": it reads the running process groups from in, a pipe that only we hold open,
// and ends them when it closes: SIGTERM, then SIGKILL 2 s later. Then it looks for programs with our marker outside of
// these groups. It prints "ready" on stdout and returns the exit code. The lines it reads:
//
//	mark ID      the marker of all programs begins with ID
//	add PGID START   a group runs; START is when its leader began
//	del PGID     it has ended
//	done         everything has ended in order
func Guard(in io.Reader) int {
	// A terminal or a host may signal all its processes; the guard ignores that, as it has to exit last.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // our parent may be gone before we are ready
	os.Stdout.WriteString(readyLine)
	os.Stdout.Close()
	debug.FreeOSMemory() // memory used for starting; from here on the guard only waits
	f, done := readFamily(in)
	err := f.end(guardGrace)
	if !done {
		// A program caught between fork and exec shows its environment a moment after its end of the pipe is closed.
		time.Sleep(guardLook)
		err = errors.Join(err, f.end(guardGrace))
	}
	if err != nil {
		return 1
	}
	return 0
}

// readFamily reads lines until the end. It ignores unknown lines, which may come from later versions.
func readFamily(in io.Reader) (f *family, done bool) {
	f = &family{groups: map[int]string{}}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		word := strings.Fields(lines.Text())
		switch {
		case len(word) == 1 && word[0] == "done":
			done = true
		case len(word) < 2:
		case word[0] == "mark":
			f.mark = word[1]
		case word[0] == "add" || word[0] == "del":
			group, err := strconv.Atoi(word[1])
			if err != nil || group <= 1 || group == syscall.Getpgrp() {
				continue
			}
			if delete(f.groups, group); word[0] == "add" {
				f.groups[group] = strings.Join(word[2:], " ")
			}
		}
	}
	return f, done
}

// guardCommand returns the guard's command: in its own session, out of reach of terminals and of signals to a group,
// without an environment that could hold a secret, and in "/", so that it keeps no directory from being removed.
func guardCommand(self []string) (*exec.Cmd, error) {
	if len(self) == 0 {
		own, err := os.Executable()
		if err != nil {
			return nil, err
		}
		self = []string{own, "guard"}
	}
	path, err := filepath.Abs(self[0])
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, self[1:]...)
	if own, err := os.Executable(); err == nil && own == path && runtime.GOOS == "linux" {
		cmd.Path = "/proc/self/exe" // works even after the file was replaced by a newer version
	}
	cmd.Env = []string{"GOMAXPROCS=1"}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, nil
}
