package githistory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// ErrNoRepository says that a directory is not in a repository.
var ErrNoRepository = errors.New("not a git repository")

// Repo is a repository opened for reading.
type Repo struct {
	git    *program
	prefix string // the opened directory relative to the repository's top, with a trailing slash; "" for the top
	head   string
}

// Open opens the repository that contains dir, restricted to the files below dir. It
// returns an error if there is no repository, or if the repository has no commits or is
// a shallow clone.
func Open(ctx context.Context, dir string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := vetRepository(abs); err != nil {
		return nil, err
	}
	git, err := newProgram(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"-C", abs, "rev-parse", "--absolute-git-dir", "--is-shallow-repository", "--show-prefix"}
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := git.command(limited, args...)
	said := &tail{}
	cmd.Stderr = said
	out, err := cmd.Output()
	if err != nil {
		return nil, notOpened(ctx, dir, said, errors.Join(err, limited.Err()))
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 3 {
		return nil, fmt.Errorf("git says nothing about %s", dir)
	}
	if lines[1] == "true" {
		return nil, fmt.Errorf("%s is a shallow clone, so its history is cut off; `git fetch --unshallow` there brings the rest", dir)
	}
	git.gitDir = lines[0]
	r := &Repo{git: git, prefix: lines[2]}
	head, err := git.output(ctx, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s has no commit yet", dir)
	}
	r.head = strings.TrimSpace(string(head))
	return r, nil
}

func notOpened(ctx context.Context, dir string, said *tail, err error) error {
	line := said.firstLine()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return timeoutError("rev-parse")
	case strings.Contains(line, "not a git repository"):
		return fmt.Errorf("%s: %w, nor below one; name one with --root, or give recorded questions", dir, ErrNoRepository)
	case strings.Contains(line, "dubious ownership"):
		return fmt.Errorf("%s belongs to another user and git does not read it; allow it with: git config --global --add safe.directory %s", dir, dir)
	case strings.Contains(line, "cannot change to"):
		return fmt.Errorf("%s is not a directory", dir)
	case line != "":
		return errors.New("git: " + line)
	}
	return fmt.Errorf("git: %w", err)
}

// Head returns the commit that is checked out.
func (r *Repo) Head() string { return r.head }

// Has reports whether the repository contains a commit.
func (r *Repo) Has(ctx context.Context, commit string) bool {
	if !isName(commit) {
		return false
	}
	_, err := r.git.output(ctx, nil, "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

// isName reports whether s is an object name in full or short form. It guards against
// text from files that git would take for an option or an expression.
func isName(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
