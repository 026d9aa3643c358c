package githistory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// ErrNoGit says that the git program was not found.
var ErrNoGit = errors.New("git was not found on the PATH; it is what reads the history: install git, or give recorded questions")

// program runs git in a closed environment.
type program struct {
	path   string
	env    []string
	fixed  []string // options before every subcommand
	gitDir string   // "" until the repository is found
}

// closed lists settings that override the repository's own configuration.
var closed = []string{
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.excludesFile=/dev/null",
	"core.bigFileThreshold=8m", "core.quotePath=false", "core.commitGraph=false", "core.untrackedCache=false",
	"core.multiPackIndex=false", "diff.orderFile=", "diff.noprefix=false", "diff.renames=false", "diff.suppressBlankEmpty=false", "protocol.allow=never",
	"gc.auto=0", "maintenance.auto=false", "credential.helper=", "log.showSignature=false", "submodule.recurse=false",
}

// Program returns the absolute path of git.
func Program() (string, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return "", ErrNoGit
	}
	return filepath.Abs(path)
}

// remembered holds the directories that the user told git to trust, read before the
// user's configuration became unreadable.
var remembered atomic.Pointer[[]string]

// RememberTrusted reads, once for this process, which directories of other owners the
// user allows git to read. It is for a process that restricts its access to the user's
// configuration and opens repositories later.
func RememberTrusted(ctx context.Context) {
	path, err := Program()
	if err != nil {
		return
	}
	list := (&program{path: path}).trustedDirectories(ctx)
	remembered.Store(&list)
}

func newProgram(ctx context.Context) (*program, error) {
	path, err := Program()
	if err != nil {
		return nil, err
	}
	p := &program{path: path}
	var trusted []string
	if list := remembered.Load(); list != nil {
		trusted = *list
	} else {
		trusted = p.trustedDirectories(ctx)
	}
	p.env = environment(
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_ATTR_NOSYSTEM=1",
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_GRAFT_FILE=/dev/null", "GIT_LITERAL_PATHSPECS=1", "GIT_ALLOW_PROTOCOL=none", "GIT_PAGER=cat",
		"GIT_ASKPASS=", "SSH_ASKPASS=", "LC_ALL=C", "HOME="+os.DevNull,
	)
	p.fixed = []string{"--no-pager"}
	for _, c := range closed {
		p.fixed = append(p.fixed, "-c", c)
	}
	for _, dir := range trusted {
		p.fixed = append(p.fixed, "-c", "safe.directory="+dir)
	}
	return p, nil
}

// environment returns the variables that any program needs, followed by own.
func environment(own ...string) []string {
	var env []string
	for _, name := range []string{"PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return append(env, own...)
}

// trustedDirectories returns the directories of other owners that the user allows git to read.
// This is the only setting of the user that counts, and it is read outside of any
// repository.
func (p *program) trustedDirectories(ctx context.Context) []string {
	env := environment("GIT_DIR="+os.DevNull, "GIT_CONFIG_NOSYSTEM=0")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "GIT_CONFIG_GLOBAL"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := exec.CommandContext(ctx, p.path, "config", "--null", "--get-all", "safe.directory")
	cmd.WaitDelay = waitDelay
	cmd.Env, cmd.Dir = env, os.TempDir()
	out, err := cmd.Output()
	if err != nil {
		return nil // not set
	}
	return splitFields(out)
}

// command returns a git command. No shell is ever involved.
func (p *program) command(ctx context.Context, args ...string) *exec.Cmd {
	all := append([]string{}, p.fixed...)
	if p.gitDir != "" {
		all = append(all, "--git-dir="+p.gitDir)
	}
	cmd := exec.CommandContext(ctx, p.path, append(all, args...)...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = p.env, p.gitDir, waitDelay
	return cmd
}

// patience is the timeout for short answers, and for silence during long ones. It is a
// variable for tests.
var patience = time.Minute

// waitDelay is how long the pipes of a killed git may stay open.
const waitDelay = 2 * time.Second

// maxOutput bounds one answer, in bytes: a few kilobytes of trees that refer to each
// other can stand for more files than fit on any disk.
const maxOutput = 192 << 20

// output runs git and returns its output.
func (p *program) output(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := p.command(limited, args...)
	cmd.Stdin = stdin
	out, said := &bounded{end: stop}, &tail{}
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	switch {
	case out.over:
		return nil, fmt.Errorf("git %s: more than %d MiB; name a directory in it with --root", args[0], maxOutput>>20)
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		return nil, timeoutError(args[0])
	case err != nil:
		return nil, gitError(ctx, args[0], said, err)
	}
	return out.b.Bytes(), nil
}

// ErrSlow is the reason why git was ended after too long a silence.
var ErrSlow = errors.New("partial clone or network file system?")

func timeoutError(what string) error {
	return fmt.Errorf("git %s timed out after %s (%w)", what, patience, ErrSlow)
}

// bounded buffers output up to maxOutput, and then ends the process.
type bounded struct {
	b    bytes.Buffer
	end  func()
	over bool
}

func (w *bounded) Write(p []byte) (int, error) {
	if w.b.Len()+len(p) > maxOutput {
		w.over = true
		w.end()
		return 0, errors.New("too much")
	}
	return w.b.Write(p)
}

// watch ends a long-running git that is silent for too long. startTimer starts the timer
// again, and stopTimer stops it; over reports whether git was ended.
type watch struct {
	timer *time.Timer
	over  atomic.Bool
}

func newWatch(end func()) *watch {
	w := &watch{}
	w.timer = time.AfterFunc(patience, func() { w.over.Store(true); end() })
	return w
}

func (w *watch) startTimer() { w.timer.Reset(patience) }
func (w *watch) stopTimer()  { w.timer.Stop() }

func gitError(ctx context.Context, what string, said *tail, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if line := said.firstLine(); line != "" {
		return fmt.Errorf("git %s: %s", what, line)
	}
	return fmt.Errorf("git %s: %w", what, err)
}

// tail keeps the first bytes of a program's error output.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	if room := 4096 - len(t.b); room > 0 {
		t.b = append(t.b, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// firstLine returns the first line of the error output, safe for a terminal.
func (t *tail) firstLine() string {
	s, _, _ := strings.Cut(strings.TrimSpace(string(t.b)), "\n")
	s = strings.TrimPrefix(s, "fatal: ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// splitFields splits NUL-terminated fields.
func splitFields(out []byte) []string {
	s := strings.TrimSuffix(string(out), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

const windows = runtime.GOOS == "windows"
