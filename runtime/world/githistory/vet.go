package githistory

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// vet looks at a repository before git does. It refuses one that is another
// repository's history under a false name, and what git would wait for without
// an end. An error of finding it is left to git, which says it better.
func vet(dir string) error {
	top, marker := find(dir)
	if marker == "" {
		return nil
	}
	gitDir, err := resolve(top, marker)
	if err != nil {
		return err
	}
	if err := settings(gitDir); err != nil {
		return err
	}
	return waits(gitDir)
}

// Reads returns the directories that git reads of the repository that dir lies in:
// its own and, of a worktree, the one that it shares. A repository that is refused
// has none.
func Reads(dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	top, marker := find(abs)
	if marker == "" {
		return nil
	}
	gitDir, err := resolve(top, marker)
	if err != nil {
		return nil
	}
	return withCommon(gitDir)
}

// withCommon returns a git directory, and the one that it shares with others if it
// names one.
func withCommon(gitDir string) []string {
	common, err := small(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return []string{gitDir}
	}
	return []string{gitDir, below(gitDir, strings.TrimSpace(string(common)))}
}

// find is the directory of the repository that dir lies in, and what marks it:
// .git, or the directory itself where that is a bare one.
func find(dir string) (top, marker string) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, filepath.Join(dir, ".git")
		}
		if isGitDir(dir) {
			return dir, dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", ""
		}
		dir = above
	}
}

func isGitDir(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// resolve follows a marker to the directory that git reads. One outside of the
// repository must know of it: that of a worktree or of a submodule does, and one
// that a file of a stranger names does not.
func resolve(top, marker string) (string, error) {
	info, err := os.Lstat(marker)
	if err != nil {
		return "", err
	}
	gitDir := marker
	if info.Mode().IsRegular() {
		named, err := small(marker)
		if err != nil {
			return "", err
		}
		path, ok := strings.CutPrefix(strings.TrimSpace(string(named)), "gitdir:")
		if !ok {
			return marker, nil // git says what is wrong with it
		}
		gitDir = below(top, strings.TrimSpace(path))
	}
	real, err := filepath.EvalSymlinks(gitDir)
	if err != nil {
		return gitDir, nil
	}
	if !within(top, real) && !knows(real, top, marker) {
		return "", fmt.Errorf("%s leads to the repository %s, which does not know of it: name that one with --root if it is meant", marker, real)
	}
	return real, parts(top, real)
}

// parts refuses a git directory that is put together of another's parts.
func parts(top, gitDir string) error {
	if !sharesRightly(gitDir) {
		return fmt.Errorf("%s takes its history from elsewhere (commondir): name the repository that has it with --root", gitDir)
	}
	for _, name := range []string{"HEAD", "config", "objects", "refs", "packed-refs", "objects/pack", "objects/info"} {
		real, err := filepath.EvalSymlinks(filepath.Join(gitDir, name))
		if err != nil {
			continue
		}
		if !within(top, real) && !within(gitDir, real) {
			return fmt.Errorf("%s leads to %s, outside of the repository: name the repository that has it with --root", filepath.Join(gitDir, name), real)
		}
	}
	return nil
}

// sharesRightly reports whether a git directory shares none, or one that has it among
// its worktrees.
func sharesRightly(gitDir string) bool {
	if _, err := os.Lstat(filepath.Join(gitDir, "commondir")); err != nil {
		return true
	}
	dirs, list := withCommon(gitDir), filepath.Dir(gitDir)
	return len(dirs) == 2 && filepath.Base(list) == "worktrees" && same(dirs[1], filepath.Dir(list))
}

// knows reports whether a git directory says that its work tree is here.
func knows(gitDir, top, marker string) bool {
	if back, err := small(filepath.Join(gitDir, "gitdir")); err == nil {
		return same(below(gitDir, strings.TrimSpace(string(back))), marker)
	}
	config, err := small(filepath.Join(gitDir, "config"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(config)) {
		name, value, ok := strings.Cut(line, "=")
		if ok && strings.EqualFold(strings.TrimSpace(name), "worktree") && same(below(gitDir, strings.Trim(strings.TrimSpace(value), `"`)), top) {
			return true
		}
	}
	return false
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// below is a path as a file in dir names it.
func below(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// within reports whether a path, without links, is a directory or below it.
func within(dir, path string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(real, path)
	return err == nil && filepath.IsLocal(rel)
}

// settings refuses configurations that read other files.
func settings(gitDir string) error {
	for _, dir := range withCommon(gitDir) {
		for _, name := range []string{"config", "config.worktree"} {
			path := filepath.Join(dir, name)
			text, err := small(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if includes(text) {
				return fmt.Errorf("%s includes other files, which are not read for a repository: take [include] out of it, or replay a clone", path)
			}
		}
	}
	return nil
}

// includes reports whether a configuration has a section that includes. It may
// see one in a comment or a value; git's own reading of sections is loose.
func includes(config []byte) bool {
	low := bytes.ToLower(config)
	for {
		_, rest, ok := bytes.Cut(low, []byte("["))
		if !ok {
			return false
		}
		if low = rest; bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n\\"), []byte("include")) {
			return true
		}
	}
}

// maxSmall bounds the files of a repository that are looked at here, in bytes.
const maxSmall = 1 << 20

// small reads a plain file of a git directory.
func small(path string) ([]byte, error) {
	info, err := os.Stat(path) // first: a pipe would be waited for
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSmall {
		return nil, fmt.Errorf("%s is not a file of at most %d bytes, as git writes there", path, maxSmall)
	}
	return os.ReadFile(path)
}

// waits refuses pipes and devices, which git would open and wait for. What lies
// beside is bounded by time.
func waits(gitDir string) error {
	return filepath.WalkDir(gitDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // git says what it cannot read
		}
		mode := d.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := os.Stat(path)
			if err != nil {
				return nil
			}
			mode = info.Mode()
		}
		if mode&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeCharDevice) != 0 {
			return fmt.Errorf("%s is a pipe or a device, which no repository has; remove it, or replay a clone", path)
		}
		return nil
	})
}
