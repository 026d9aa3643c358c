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
	guardLook  = 100 * time.Millisecond // until the second look
)

// Guard is the body of the hidden subcommand "guard": it reads which process groups run from in, a pipe that only we
// hold open, and ends them at its end, SIGTERM first and SIGKILL 2 s later. Then it looks for programs that carry our
// marker outside of these groups. It says "ready" on stdout and returns the exit code.
//
//	mark ID      the marker of all programs begins with ID
//	add PGID START   a group runs; START is when its leader began
//	del PGID     it has ended
//	done         everything has ended in order
func Guard(in io.Reader) int {
	// What a terminal or a host sends to all it started is not for the guard: it must be the last to go.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // who started us may be gone before we are ready
	os.Stdout.WriteString(readyLine)
	os.Stdout.Close()
	debug.FreeOSMemory() // what starting took; from here on it waits
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

// readFamily reads lines until the end. Lines it does not know are for later versions.
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

// guardCommand is the guard's command line: a session of its own, so that no terminal and no group's end reaches it, no
// environment that could hold a secret, and a directory that can be removed.
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
		cmd.Path = "/proc/self/exe" // also there when the file was replaced by a newer version
	}
	cmd.Env = []string{"GOMAXPROCS=1"}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, nil
}
