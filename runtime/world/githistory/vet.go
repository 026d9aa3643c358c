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

// vetRepository checks a repository before git opens it. It rejects another repository's history
// under a false name, and files on which git would block forever. If no repository is
// found, it returns nil, because git's own error is better.
func vetRepository(dir string) error {
	top, marker := findRepository(dir)
	if marker == "" {
		return nil
	}
	gitDir, err := resolveGitDir(top, marker)
	if err != nil {
		return err
	}
	if err := checkSettings(gitDir); err != nil {
		return err
	}
	return checkDevices(gitDir)
}

// Reads returns the directories that git reads for the repository that contains dir:
// its git directory and, for a worktree, the shared one. It returns nil if the
// repository is rejected.
func Reads(dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	top, marker := findRepository(abs)
	if marker == "" {
		return nil
	}
	gitDir, err := resolveGitDir(top, marker)
	if err != nil {
		return nil
	}
	return withCommon(gitDir)
}

// withCommon returns a git directory and, if it names one, the directory that it shares
// with other worktrees.
func withCommon(gitDir string) []string {
	common, err := readSmall(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return []string{gitDir}
	}
	return []string{gitDir, resolveBelow(gitDir, strings.TrimSpace(string(common)))}
}

// findRepository returns the top of the repository that contains dir, and its marker: .git, or
// top itself in a bare repository.
func findRepository(dir string) (top, marker string) {
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

// resolveGitDir returns the git directory that a marker leads to. A directory outside of the
// repository must refer back to it, as those of worktrees and submodules do; otherwise
// a stranger's file could name any repository.
func resolveGitDir(top, marker string) (string, error) {
	info, err := os.Lstat(marker)
	if err != nil {
		return "", err
	}
	gitDir := marker
	if info.Mode().IsRegular() {
		named, err := readSmall(marker)
		if err != nil {
			return "", err
		}
		path, ok := strings.CutPrefix(strings.TrimSpace(string(named)), "gitdir:")
		if !ok {
			return marker, nil // git reports what is wrong with it
		}
		gitDir = resolveBelow(top, strings.TrimSpace(path))
	}
	real, err := filepath.EvalSymlinks(gitDir)
	if err != nil {
		return gitDir, nil
	}
	if !isWithin(top, real) && !knowsWorkTree(real, top, marker) {
		return "", fmt.Errorf("%s leads to the repository %s, which does not know of it: name that one with --root if it is meant", marker, real)
	}
	return real, checkParts(top, real)
}

// checkParts rejects a git directory that is composed of parts of another repository.
func checkParts(top, gitDir string) error {
	if !sharesRightly(gitDir) {
		return fmt.Errorf("%s takes its history from elsewhere (commondir): name the repository that has it with --root", gitDir)
	}
	for _, name := range []string{"HEAD", "config", "objects", "refs", "packed-refs", "objects/pack", "objects/info"} {
		real, err := filepath.EvalSymlinks(filepath.Join(gitDir, name))
		if err != nil {
			continue
		}
		if !isWithin(top, real) && !isWithin(gitDir, real) {
			return fmt.Errorf("%s leads to %s, outside of the repository: name the repository that has it with --root", filepath.Join(gitDir, name), real)
		}
	}
	return nil
}

// sharesRightly reports whether the shared directory of a git directory, if any, lists
// it among its worktrees.
func sharesRightly(gitDir string) bool {
	if _, err := os.Lstat(filepath.Join(gitDir, "commondir")); err != nil {
		return true
	}
	dirs, list := withCommon(gitDir), filepath.Dir(gitDir)
	return len(dirs) == 2 && filepath.Base(list) == "worktrees" && isSameFile(dirs[1], filepath.Dir(list))
}

// knowsWorkTree reports whether a git directory refers to this work tree.
func knowsWorkTree(gitDir, top, marker string) bool {
	if back, err := readSmall(filepath.Join(gitDir, "gitdir")); err == nil {
		return isSameFile(resolveBelow(gitDir, strings.TrimSpace(string(back))), marker)
	}
	config, err := readSmall(filepath.Join(gitDir, "config"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(config)) {
		name, value, ok := strings.Cut(line, "=")
		if ok && strings.EqualFold(strings.TrimSpace(name), "worktree") && isSameFile(resolveBelow(gitDir, strings.Trim(strings.TrimSpace(value), `"`)), top) {
			return true
		}
	}
	return false
}

func isSameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// resolveBelow resolves a path that a file in dir contains.
func resolveBelow(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// isWithin reports whether path, which must not contain links, is dir or lies below it.
func isWithin(dir, path string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(real, path)
	return err == nil && filepath.IsLocal(rel)
}

// checkSettings rejects repository configurations that include other files.
func checkSettings(gitDir string) error {
	for _, dir := range withCommon(gitDir) {
		for _, name := range []string{"config", "config.worktree"} {
			path := filepath.Join(dir, name)
			text, err := readSmall(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if hasInclude(text) {
				return fmt.Errorf("%s includes other files, which are not read for a repository: take [include] out of it, or replay a clone", path)
			}
		}
	}
	return nil
}

// hasInclude reports whether a configuration has an include section. It may also match
// one in a comment or a value, because git parses sections loosely.
func hasInclude(config []byte) bool {
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

// maxSmall limits the files of a repository that are read here, in bytes.
const maxSmall = 1 << 20

// readSmall reads a regular file of a git directory.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path) // before opening, which would block on a named pipe
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSmall {
		return nil, fmt.Errorf("%s is not a file of at most %d bytes, as git writes there", path, maxSmall)
	}
	return os.ReadFile(path)
}

// checkDevices rejects pipes and devices, on which git would block. Pipes elsewhere are
// covered by the timeout.
func checkDevices(gitDir string) error {
	return filepath.WalkDir(gitDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // git reports what it cannot read
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
