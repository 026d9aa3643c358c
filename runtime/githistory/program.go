package githistory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// ErrNoGit says that there is no git to read a history with.
var ErrNoGit = errors.New("git was not found on the PATH; it is what reads the history: install git, or give recorded questions")

// program is git with a closed environment.
type program struct {
	path   string
	env    []string
	fixed  []string // arguments before every subcommand
	gitDir string   // "" until the repository is found
}

// closed are settings that a repository's own configuration must not decide.
var closed = []string{
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.excludesFile=/dev/null",
	"core.bigFileThreshold=8m", "core.quotePath=false", "core.commitGraph=false", "core.untrackedCache=false",
	"diff.orderFile=", "diff.noprefix=false", "diff.renames=false", "diff.suppressBlankEmpty=false", "protocol.allow=never",
	"gc.auto=0", "maintenance.auto=false", "credential.helper=", "log.showSignature=false", "submodule.recurse=false",
}

func newProgram(ctx context.Context) (*program, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNoGit
	}
	p := &program{path: path}
	trusted := p.trusted(ctx)
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

// environment is the variables that any program needs, and those given.
func environment(own ...string) []string {
	var env []string
	for _, name := range []string{"PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return append(env, own...)
}

// trusted are the directories of other owners that the user told git to read.
// Nothing else of his configuration counts; it is asked for outside of every
// repository.
func (p *program) trusted(ctx context.Context) []string {
	env := environment("GIT_DIR="+os.DevNull, "GIT_CONFIG_NOSYSTEM=0")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "GIT_CONFIG_GLOBAL"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	cmd := exec.CommandContext(ctx, p.path, "config", "--null", "--get-all", "safe.directory")
	cmd.Env, cmd.Dir = env, os.TempDir()
	out, err := cmd.Output()
	if err != nil {
		return nil // none set
	}
	return split(out)
}

// command is one run of git. Nothing of it is ever put together by a shell.
func (p *program) command(ctx context.Context, args ...string) *exec.Cmd {
	all := append([]string{}, p.fixed...)
	if p.gitDir != "" {
		all = append(all, "--git-dir="+p.gitDir)
	}
	cmd := exec.CommandContext(ctx, p.path, append(all, args...)...)
	cmd.Env, cmd.Dir = p.env, p.gitDir
	return cmd
}

// output runs git and returns what it wrote.
func (p *program) output(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := p.command(ctx, args...)
	cmd.Stdin = stdin
	var out bytes.Buffer
	said := &tail{}
	cmd.Stdout, cmd.Stderr = &out, said
	if err := cmd.Run(); err != nil {
		return nil, gitError(ctx, args[0], said, err)
	}
	return out.Bytes(), nil
}

func gitError(ctx context.Context, what string, said *tail, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if line := said.line(); line != "" {
		return fmt.Errorf("git %s: %s", what, line)
	}
	return fmt.Errorf("git %s: %w", what, err)
}

// tail keeps the first bytes of what a program complains about.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	if room := 4096 - len(t.b); room > 0 {
		t.b = append(t.b, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// line is the first complaint, as text that a terminal may show.
func (t *tail) line() string {
	s, _, _ := strings.Cut(strings.TrimSpace(string(t.b)), "\n")
	s = strings.TrimPrefix(s, "fatal: ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// split cuts NUL-ended fields.
func split(out []byte) []string {
	s := strings.TrimSuffix(string(out), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

const windows = runtime.GOOS == "windows"
