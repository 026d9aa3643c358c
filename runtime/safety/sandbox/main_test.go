package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// canary stands in every file that must not be read.
const canary = "CANARY-7f3a"

// long asks for the long forms of tests that have one.
func long() bool { return os.Getenv("COMPACTOR_LONG") != "" }

// plant makes files below a new directory and gives its path. A name that ends in a slash is a directory, content that
// starts with "-> " a link.
func plant(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	plantIn(t, dir, files)
	return dir
}

func plantIn(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		switch target, isLink := strings.CutPrefix(content, "-> "); {
		case strings.HasSuffix(name, "/"):
			must(t, os.MkdirAll(path, 0o755))
		case isLink:
			must(t, os.Symlink(target, path))
		default:
			must(t, os.WriteFile(path, []byte(content), 0o644))
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mode is a way to open files: through openat2 where the system has it, and the portable way, which all systems have.
type mode struct {
	name     string
	portable bool
}

var modes = []mode{{"kernel", false}, {"portable", true}}

// open opens a root for a test.
func (m mode) open(t testing.TB, dir string, opt Options) *Root {
	t.Helper()
	r, err := openRoot("code", dir, opt, m.portable)
	must(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

func eachMode(t *testing.T, test func(t *testing.T, m mode)) {
	t.Helper()
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) { test(t, m) })
	}
}

// refused asks for a path in every way that there is, and wants the sentinel from each.
func refused(t *testing.T, r *Root, path string, want error) {
	t.Helper()
	ctx := context.Background()
	data, err := r.ReadFile(ctx, path, nil)
	check(t, r, "ReadFile", path, err, want)
	if strings.Contains(string(data), canary) {
		t.Errorf("ReadFile(%q) gave what must not be read", path)
	}
	if want == ErrBinary || want == ErrTooLarge {
		return // about content only
	}
	_, err = r.Stat(path)
	check(t, r, "Stat", path, err, want)
	_, err = r.ReadDir(ctx, path)
	check(t, r, "ReadDir", path, err, want)
	_, _, err = r.Files(ctx, path)
	check(t, r, "Files", path, err, want)
}

// check wants a sentinel, and a message without anything of the world outside.
func check(t *testing.T, r *Root, call, path string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s(%q): %v; want %v", call, path, err, want)
	}
	if err == nil {
		return
	}
	own := strings.ReplaceAll(err.Error(), Escape(path), "") // what was asked may be repeated
	if strings.Contains(own, filepath.Dir(r.Path())) || strings.Contains(own, canary) {
		t.Errorf("%s(%q): the message tells of the world outside: %v", call, path, err)
	}
}

// served reads a file that must be readable.
func served(t *testing.T, r *Root, path, want string) {
	t.Helper()
	data, err := r.ReadFile(context.Background(), path, nil)
	if err != nil || string(data) != want {
		t.Errorf("ReadFile(%q): %q, %v; want %q", path, data, err, want)
	}
}

// filesOf lists the paths that Files gives of a root.
func filesOf(t testing.TB, r *Root, under string) []string {
	t.Helper()
	entries, _, err := r.Files(context.Background(), under)
	must(t, err)
	paths := []string{}
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	return paths
}

// scanned gives what Scan reads, by path.
func scanned(t testing.TB, r *Root, entries []Entry) (map[string]string, ScanStats) {
	t.Helper()
	got := make([]string, len(entries))
	read := make([]bool, len(entries))
	stats, err := r.Scan(context.Background(), entries, 2, func(_, i int, _ Entry, data []byte) {
		got[i], read[i] = string(data), true
	})
	must(t, err)
	all := map[string]string{}
	for i, e := range entries {
		if read[i] {
			all[e.Path] = got[i]
		}
	}
	return all, stats
}
