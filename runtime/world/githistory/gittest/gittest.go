// Package gittest creates small repositories for tests. Their clock advances only by a
// minute per commit, so every run creates the same commits regardless of the machine's
// time, user and configuration.
//
// Only tests import it.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// T is the part of testing.T that a repository needs.
type T interface {
	Fatalf(format string, args ...any)
}

// Repo is a repository with a work tree.
type Repo struct {
	T
	Dir   string
	Clock time.Time
}

// New creates dir and an empty repository in it.
func New(t T, dir string) *Repo {
	r := &Repo{T: t, Dir: dir, Clock: time.Unix(1_700_000_000, 0).UTC()}
	r.ok(os.MkdirAll(dir, 0o755))
	r.Git("init", "-q", "-b", "main")
	return r
}

// Has reports whether git is installed.
func Has() bool {
	_, err := exec.LookPath("git")
	return err == nil
}

// Git runs git and returns its output without the last line end.
func (r *Repo) Git(args ...string) string { return r.GitIn("", args...) }

// GitIn is like Git, with standard input.
func (r *Repo) GitIn(stdin string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Stdin = strings.NewReader(stdin)
	stamp := r.Clock.Format(time.RFC3339)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.Dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=" + stamp,
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE=" + stamp}
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// Write writes a file.
func (r *Repo) Write(name, text string) {
	path := filepath.Join(r.Dir, filepath.FromSlash(name))
	r.ok(os.MkdirAll(filepath.Dir(path), 0o755))
	r.ok(os.WriteFile(path, []byte(text), 0o644))
}

// Commit writes files ("" removes one), commits all changes and returns the commit's
// name.
func (r *Repo) Commit(message string, files map[string]string) string {
	r.Clock = r.Clock.Add(time.Minute)
	for name, text := range files {
		if text == "" {
			r.ok(os.Remove(filepath.Join(r.Dir, filepath.FromSlash(name))))
		} else {
			r.Write(name, text)
		}
	}
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", message)
	return r.Git("rev-parse", "HEAD")
}

func (r *Repo) ok(err error) {
	if err != nil {
		r.Fatalf("%v", err)
	}
}
