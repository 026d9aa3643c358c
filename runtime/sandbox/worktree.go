package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile bounds a .git that is a file, in bytes: it holds one path.
const maxGitFile = 8 << 10

// isWorktree reports whether a directory is a linked worktree of a repository whose main working tree is read too: each
// definition would be found twice. Of a bare repository there is no main one, and all worktrees are read.
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
	to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if !ok {
		return false
	}
	at := filepath.Join(r.path, filepath.FromSlash(path))
	to = filepath.FromSlash(to)
	if !filepath.IsAbs(to) {
		to = filepath.Join(at, to)
	}
	worktrees, _ := filepath.Split(filepath.Clean(to)) // .../.git/worktrees/name
	git, last := filepath.Split(filepath.Clean(worktrees))
	main, dir := filepath.Split(filepath.Clean(git))
	if last != "worktrees" || dir != gitDir {
		return false
	}
	main = filepath.Clean(main)
	_, holds := within(main, at)
	_, inside := within(r.path, main)
	if !holds && !inside { // also keeps what a file names from being looked for elsewhere
		return false
	}
	_, err = os.Lstat(filepath.Join(main, gitDir, "index")) // which a bare repository does not have
	return err == nil
}
