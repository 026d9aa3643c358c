//go:build unix

package process_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

// place is a directory of a fake machine.
type place struct {
	t   *testing.T
	dir string
}

func (p place) program(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// shell is a login shell whose profile prints before and after, and that knows one more directory. It notes each call.
func (p place) shell(more string) string {
	return p.program("shell", fmt.Sprintf(`
echo asked >> %[1]s/calls
[ "$1" = -lc ] || exit 9
echo "Welcome! PATH is $PATH"
printf '\033[0m'
PATH=/nowhere:%[2]s
eval "$2"
echo "; bye"`, p.dir, more))
}

func TestFindLooksWhereTheUsersTerminalDoes(t *testing.T) {
	m := place{t, t.TempDir()}
	first, login, h := filepath.Join(m.dir, "first"), filepath.Join(m.dir, "login"), filepath.Join(m.dir, "home")
	env := []string{"PATH=relative:" + first, "HOME=" + h, "SHELL=" + m.shell(login)}
	want := map[string]string{
		"on-path":  m.program("first/on-path", ""),
		"on-login": m.program("login/on-login", ""),
		"local":    m.program("home/.local/bin/local", ""),
		"noded":    m.program("home/.nvm/versions/node/v20.11.1/bin/noded", ""),
		"cargoed":  m.program("home/.cargo/bin/cargoed", ""),
		"shadowed": m.program("first/shadowed", ""),
	}
	m.program("login/on-path", "")
	m.program("home/.nvm/versions/node/v9.11.2/bin/noded", "")
	m.program("home/.nvm/versions/node/v20.9.0/bin/noded", "")
	m.program("login/shadowed", "")
	if err := os.MkdirAll(filepath.Join(first, "on-login"), 0o755); err != nil { // a directory is no program
		t.Fatal(err)
	}
	if got, err := process.Find(t.Context(), "on-path", env); got != want["on-path"] || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(m.dir, "calls")); err == nil {
		t.Error("the shell was asked although the program is on the PATH")
	}
	for name, path := range want {
		if got, err := process.Find(t.Context(), name, env); got != path {
			t.Errorf("%s: %q, not %q: %v", name, got, path, err)
		}
	}
	if calls, _ := os.ReadFile(filepath.Join(m.dir, "calls")); string(calls) != "asked\n" {
		t.Errorf("the shell was asked %d times", strings.Count(string(calls), "\n"))
	}
}

func TestNotFoundSaysWhereAndWhatToDo(t *testing.T) {
	m := place{t, t.TempDir()}
	m.program("home/.volta/bin/other", "")
	env := []string{"PATH=/on/the/path", "HOME=" + filepath.Join(m.dir, "home"), "SHELL=" + m.shell("/login/place")}
	_, err := process.Find(t.Context(), "npx-absent", env)
	if !errors.Is(err, process.ErrNotFound) {
		t.Fatal(err)
	}
	for _, want := range []string{`"npx-absent"`, "/on/the/path", "login shell " + m.dir, "/login/place", ".volta/bin", "full path"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
	if do, places := strings.Index(err.Error(), "full path"), strings.Index(err.Error(), "/on/the/path"); do > places {
		t.Errorf("what to do comes after the places, where it may be cut off: %v", err)
	}
	if _, err = newLauncher(t).Start(t.Context(), process.Command{Name: "github", Path: "npx-absent"}); !errors.Is(err, process.ErrNotFound) {
		t.Errorf("starting it: %v", err)
	}
}

// Shells that do not answer: Find goes on without them, in bounded time, and leaves nothing behind.
// A developer's PATH has dozens of directories, many of them twice: the message
// stays one that is read.
func TestNotFoundNamesAFewPlacesOnce(t *testing.T) {
	dirs := []string{"/a", "/a", "/b", ""}
	for i := range 40 {
		dirs = append(dirs, fmt.Sprintf("/opt/tool-%d/bin", i))
	}
	_, err := process.Find(t.Context(), "no-such-program", []string{"PATH=" + strings.Join(dirs, ":"), "HOME=" + t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "on the PATH (/a, /b, /opt/tool-0/bin, /opt/tool-1/bin, /opt/tool-2/bin and 37 more)") {
		t.Errorf("%v", err)
	}
}

func TestFindGoesOnWithoutAShellThatDoesNotAnswer(t *testing.T) {
	for name, text := range map[string]string{
		"hangs":           `cat /dev/zero | sleep 600`,
		"hangs in group":  `trap '' TERM; sleep 600 & sleep 600`,
		"prints no end":   `cat /dev/zero | tr '\0' x`,
		"refuses":         `echo "This account is not available."; exit 1`,
		"leaves a daemon": `sleep 600 & exit 0`,
		"no such program": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := place{t, t.TempDir()}
			shell := filepath.Join(m.dir, "absent")
			if text != "" {
				shell = m.program("shell", text)
			}
			want := m.program("home/.local/bin/tool", "")
			env := []string{"PATH=/usr/bin:/bin", "HOME=" + filepath.Join(m.dir, "home"), "SHELL=" + shell}
			ctx := timeout(t) // far above the time a shell gets, and below what these take
			if got, err := process.Find(ctx, "tool", env); got != want {
				t.Errorf("%q, %v", got, err)
			}
			_, err := process.Find(ctx, "absent-tool", env)
			if err == nil || !strings.Contains(err.Error(), "login shell "+shell) {
				t.Errorf("%v does not say that the shell was no help", err)
			}
		})
	}
}

func TestFindIsCancelled(t *testing.T) {
	m := place{t, t.TempDir()}
	login := filepath.Join(m.dir, "login")
	env := []string{"PATH=/none", "HOME=" + m.dir, "SHELL=" + m.shell(login)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := process.Find(ctx, "tool", env); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	want := m.program("login/tool", "") // a shell that was interrupted is asked again
	if got, err := process.Find(t.Context(), "tool", env); got != want {
		t.Errorf("%q, %v", got, err)
	}
}

// A script that is found in a directory off the PATH finds its interpreter beside it, as npx does node.
func TestProgramFindsItsNeighbours(t *testing.T) {
	m := place{t, t.TempDir()}
	m.program("home/.local/bin/runner", "")
	npx := m.program("home/.local/bin/launch", `runner && echo "$PATH"`)
	for _, path := range []string{"launch", npx, "~/.local/bin/launch"} {
		l := newLauncher(t, func(o *process.Options) {
			o.Getenv = func(name string) string {
				return map[string]string{"PATH": "/usr/bin:/bin", "HOME": filepath.Join(m.dir, "home")}[name]
			}
		})
		p := start(t, l, process.Command{Name: "s", Path: path})
		text, err := io.ReadAll(p.Stdout())
		if want := filepath.Dir(npx) + ":/usr/bin:/bin\n"; string(text) != want {
			t.Errorf("%s: %q, %v, %q", path, text, err, p.Stderr())
		}
	}
}
