package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile limits the files in which git stores the path of a directory, in bytes.
const maxGitFile = 8 << 10

// isWorktree reports whether a directory is a linked worktree of a repository whose main working tree is also read:
// every definition would then be found twice. A bare repository has no main one, so all its worktrees are read. A copy
// of a worktree, which git does not know, is read as well.
func (r *Root) isWorktree(path string, d directory) bool {
	f, m, err := d.openFile(gitDir)
	if err != nil {
		return false
	}
	defer f.close()
	data, err := readAll(f, m.size, maxGitFile, nil, false)
	if err != nil {
		return false
	}
	at := filepath.Join(r.path, filepath.FromSlash(path))
	kept, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if !ok {
		return false
	}
	kept = absoluteIn(at, kept)
	worktrees := filepath.Dir(kept) // .git/worktrees/NAME
	git := filepath.Dir(worktrees)
	if filepath.Base(worktrees) != "worktrees" || filepath.Base(git) != gitDir || !r.isReadFrom(filepath.Dir(git), at) {
		return false // before following any path that a file in the root names
	}
	if _, err := os.Lstat(filepath.Join(git, "index")); err != nil { // a bare repository has none
		return false
	}
	back, err := os.Lstat(filepath.Join(kept, "gitdir"))
	if err != nil || !back.Mode().IsRegular() || back.Size() > maxGitFile {
		return false
	}
	own, err := os.ReadFile(filepath.Join(kept, "gitdir"))
	return err == nil && absoluteIn(kept, strings.TrimSpace(string(own))) == filepath.Join(at, gitDir)
}

// isReadFrom reports whether the root holds the main working tree, or a part of it that the linked one also has.
func (r *Root) isReadFrom(main, linked string) bool {
	if _, inside := pathWithin(r.path, main); inside {
		return true
	}
	part, below := pathWithin(main, r.path)
	if !below {
		return false
	}
	info, err := os.Lstat(filepath.Join(linked, filepath.FromSlash(part)))
	return err == nil && info.IsDir()
}

// absoluteIn makes a path that git wrote absolute; it may be relative to dir.
func absoluteIn(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
