package sandbox

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// attackWrites uses everything that reads and compares the tree before and after; where strace is there, no call that
// could write may have been made in the root.
func attackWrites(t *testing.T, m mode) {
	if dir := os.Getenv("SANDBOX_TEST_READ"); dir != "" {
		readEverything(t, m, dir)
		return
	}
	dir := plant(t, map[string]string{"a.txt": "a", "sub/b.txt": "b", ".env": canary, ".gitignore": "*.log\n", "x.log": "x", "big": strings.Repeat("b", 100)})
	before := snapshot(t, dir)
	readEverything(t, m, dir)
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("reading changed the root:\n%s", diff)
	}
	if runtime.GOOS == "linux" {
		traceReads(t, dir)
	}
}

func readEverything(t *testing.T, m mode, dir string) {
	t.Helper()
	r := m.open(t, dir, Options{MaxFileSize: 50})
	ctx := context.Background()
	for _, path := range []string{".", "a.txt", "sub", "sub/b.txt", ".env", "none", "big", "../x", "x.log"} {
		r.ReadFile(ctx, path, nil)
		r.Stat(path)
		r.ReadDir(ctx, path)
		r.Files(ctx, path)
	}
	scanned(t, r, mustFiles(t, r))
}

// snapshot describes all files below a directory but for the time of the last access.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		info, err := e.Info()
		must(t, err)
		data, _ := os.ReadFile(path)
		all[path] = fmt.Sprint(info.Mode(), info.ModTime(), len(data), string(data))
		return nil
	}))
	return maps.Clone(all)
}

// traceReads runs the reads again under strace and looks for calls that could write below dir.
func traceReads(t *testing.T, dir string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Log("no strace: compared the tree only")
		return
	}
	out := filepath.Join(t.TempDir(), "trace")
	pattern := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	cmd := exec.Command(strace, "-f", "-y", "-o", out, "-e", "trace=%file,%desc", os.Args[0], "-test.run="+pattern)
	cmd.Env = append(os.Environ(), "SANDBOX_TEST_READ="+dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Logf("strace does not run here: %v\n%s", err, text)
		return
	}
	trace, err := os.ReadFile(out)
	must(t, err)
	if !strings.Contains(string(trace), "b.txt") {
		t.Fatal("the trace does not show the reads")
	}
	for line := range strings.SplitSeq(string(trace), "\n") {
		if strings.Contains(line, dir) && writing.MatchString(line) {
			t.Errorf("a write in the root: %s", line)
		}
	}
}

var writing = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE|\b(p?writev?(64)?|creat|mkdir(at)?|mknod(at)?|unlink(at)?|rmdir|rename(at2?)?|link(at)?|symlink(at)?|truncate|ftruncate|f?chmod(at2?)?|[fl]?chown(at)?|utimes|utimensat|futimesat|[fl]?setxattr|[fl]?removexattr|fallocate)\(`)
