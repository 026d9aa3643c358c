package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFilesCounts(t *testing.T) {
	needLinks(t)
	dir := plant(t, map[string]string{
		".gitignore": "*.log\ngen/\n", "a.txt": "a", "sub/b.txt": "b", "sub/x.log": "", "gen/c.go": "", "gen/d.go": "",
		".env": "", ".ssh/id": "", "link": "-> a.txt", ".git/HEAD": "", "empty/": "",
	})
	eachMode(t, func(t *testing.T, m mode) {
		entries, stats, err := m.open(t, dir, Options{}).Files(context.Background(), "")
		must(t, err)
		want := WalkStats{Files: 3, Dirs: 3, Ignored: 3, Denied: 2, Links: 1}
		if diff := cmp.Diff(want, stats); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]Entry{{Path: ".gitignore"}, {Path: "a.txt"}, {Path: "sub/b.txt"}}, entries); diff != "" {
			t.Error(diff)
		}
	})
}

// TestFilesIsSorted compares the order with a plain sort, over names that meet the slash in all ways, and wants the same
// list each time.
func TestFilesIsSorted(t *testing.T) {
	files := map[string]string{}
	for _, d := range []string{"", "a/", "a-/", "a./", "a0/", "a/a/", "a/a-/", "a!/", "ab/", "a/c/c/"} {
		for _, f := range []string{"a1", "a-1", "a.1", "a01", "b", "z", "A", "~", " "} {
			files[d+f] = ""
		}
	}
	dir := plant(t, files)
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, dir, Options{})
		got := filesOf(t, r, ".")
		if !slices.IsSorted(got) || len(got) != len(files) {
			t.Errorf("%d of %d files, sorted: %v\n%q", len(got), len(files), slices.IsSorted(got), got)
		}
		for range 20 {
			if !slices.Equal(got, filesOf(t, r, ".")) {
				t.Fatal("two walks differ")
			}
		}
	})
}

// TestDeepTree walks a tree that is deeper than a path can be long: what can be named is listed, the rest counted.
func TestDeepTree(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	if os.PathSeparator == '\\' {
		t.Skip("cannot be made by relative names here")
	}
	depth := 2100
	if long() {
		depth = 10_000
	}
	top := t.TempDir()
	deep(t, top, depth)
	eachMode(t, func(t *testing.T, m mode) {
		if m.portable && depth > 2100 {
			t.Skip("a handle for each level")
		}
		entries, stats, err := m.open(t, top, Options{}).Files(context.Background(), ".")
		must(t, err)
		if len(entries) < 2000 || len(entries) > maxPath/2+1 || stats.Unreadable != 2 {
			t.Errorf("%d files, %+v", len(entries), stats)
		}
	})
}

// deep makes d/d/d/... with a file f in each, and takes it down again, which os.RemoveAll cannot.
func deep(t *testing.T, top string, depth int) {
	t.Helper()
	dirs := []*os.Root{}
	at, err := os.OpenRoot(top)
	must(t, err)
	for i := range depth {
		must(t, at.Mkdir("d", 0o755))
		f, err := at.Create("f")
		must(t, err)
		f.Close()
		next, err := at.OpenRoot("d")
		must(t, err)
		if dirs = append(dirs, at); len(dirs) > 100 { // few handles: the way back up is by ".." of the shell
			dirs[0].Close()
			dirs = dirs[1:]
		}
		if at = next; i == depth-1 {
			at.Close()
		}
	}
	for _, d := range dirs {
		d.Close()
	}
	t.Cleanup(func() { takeDown(t, top) })
}

func TestWalkErrors(t *testing.T) {
	dir := plant(t, map[string]string{"a.txt": "a", "sub/b.txt": ""})
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, dir, Options{})
		for path, want := range map[string]error{"none": ErrNotFound, "../x": ErrOutside, "a.txt/": ErrNotFound, "a.txt/b": ErrNotFound, ".git": ErrDenied} {
			if _, _, err := r.Files(context.Background(), path); !errors.Is(err, want) {
				t.Errorf("Files(%q): %v, want %v", path, err, want)
			}
			if _, err := r.ReadDir(context.Background(), path); !errors.Is(err, want) {
				t.Errorf("ReadDir(%q): %v, want %v", path, err, want)
			}
		}
		if _, err := r.ReadDir(context.Background(), "a.txt"); !errors.Is(err, ErrNotDir) {
			t.Errorf("ReadDir of a file: %v", err)
		}
		if _, err := r.ReadFile(context.Background(), "sub", nil); !errors.Is(err, ErrIsDir) {
			t.Errorf("ReadFile of a directory: %v", err)
		}
		must(t, r.Close())
		must(t, r.Close())
		if _, _, err := r.Files(context.Background(), "."); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		if _, err := r.Scan(context.Background(), nil, 1, nil); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestReadDirAndStat(t *testing.T) {
	needLinks(t)
	dir := plant(t, map[string]string{
		".gitignore": "*.log", "sub/b.txt": "bb", "sub/x.log": "", "sub/.env": "", "sub/link": "-> b.txt", "sub/in/c": "", "sub/key": "-> .env",
	})
	stamp := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	for _, p := range []string{"sub/b.txt", "sub/in", "sub"} {
		must(t, os.Chtimes(filepath.Join(dir, p), stamp, stamp))
	}
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, dir, Options{MaxFileSize: 1})
		entries, stats, err := r.List(context.Background(), "sub")
		must(t, err)
		for i := range entries {
			if entries[i].Link {
				entries[i].ModTime = stamp
			}
		}
		want := []Entry{
			{Path: "sub/b.txt", Size: 2, ModTime: stamp},
			{Path: "sub/in", Dir: true, ModTime: stamp},
			{Path: "sub/key", Link: true, ModTime: stamp},
			{Path: "sub/link", Link: true, ModTime: stamp},
		}
		if diff := cmp.Diff(want, entries); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(WalkStats{Files: 1, Dirs: 1, Ignored: 1, Denied: 1, Oversize: 1, Links: 2}, stats); diff != "" {
			t.Error(diff)
		}
		for path, want := range map[string]Entry{
			"sub/b.txt": {Path: "sub/b.txt", Size: 2, ModTime: stamp},
			"./sub/":    {Path: "sub", Dir: true, ModTime: stamp},
			"sub/link":  {Path: "sub/link", Size: 2, Link: true, ModTime: stamp},
		} {
			got, err := r.Stat(path)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("Stat(%q): %v\n%s", path, err, diff)
			}
		}
		if e, err := r.Stat("."); err != nil || !e.Dir || e.Path != "." {
			t.Errorf("Stat of the root: %+v, %v", e, err)
		}
	})
}

// TestCancel ends the context in the middle of a walk and a scan. Both come back with what they have, and say so.
func TestCancel(t *testing.T) {
	files := map[string]string{}
	for i := range 2000 {
		files[fmt.Sprintf("d%d/s%d/f%d", i%20, i%100, i)] = "text"
	}
	dir := plant(t, files)
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, dir, Options{})
		all := mustFiles(t, r)
		ctx, cancel := context.WithCancel(context.Background())
		calls := make([]int, 2)
		stats, err := r.Scan(ctx, all, 2, func(w, _ int, _ Entry, _ []byte) {
			if calls[w]++; calls[w] == 10 {
				cancel()
			}
		})
		must(t, err)
		if total := calls[0] + calls[1]; !stats.Cut || stats.Files != total || total > 100 {
			t.Errorf("%v calls, %+v", calls, stats)
		}
		if _, stats, err := r.Files(ctx, "."); !stats.Cut || err != nil {
			t.Errorf("walk: %+v, %v", stats, err)
		}
		if _, err := r.ReadFile(ctx, "d0/s0/f0", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("ReadFile: %v", err)
		}
		if _, err := r.ReadDir(ctx, "d0"); !errors.Is(err, context.Canceled) {
			t.Errorf("ReadDir: %v", err)
		}
		for i := range 50 { // at any moment of a walk
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*200*time.Microsecond)
			entries, stats, err := r.Files(ctx, ".")
			if !slices.IsSortedFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) }) {
				t.Error("what was found is not in order")
			}
			if err != nil || len(entries) < len(all) && !stats.Cut {
				t.Errorf("%d of %d files, %+v, %v", len(entries), len(all), stats, err)
			}
			cancel()
		}
	})
}

func TestScan(t *testing.T) {
	files := map[string]string{"bin": "a\x00", "big": strings.Repeat("x", 2000), "empty": "", "dir/": ""}
	for i := range 300 {
		files[fmt.Sprintf("d%d/%d.txt", i%7, i)] = strings.Repeat(fmt.Sprint(i, " "), i%100)
	}
	dir := plant(t, files)
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, dir, Options{MaxFileSize: 1000})
		entries := append(mustFiles(t, r), Entry{Path: "gone"}, Entry{Path: "dir"}, Entry{Path: ".env"}, Entry{Path: "../x"}, Entry{Path: ""}, Entry{Path: "a\x00"})
		got, stats := scanned(t, r, entries)
		want, bytes := map[string]string{}, int64(0)
		for name, content := range files {
			if name != "bin" && name != "big" && name != "dir/" {
				want[name], bytes = content, bytes+int64(len(content))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(ScanStats{Files: 301, Bytes: bytes, Binary: 1, Oversize: 1, Denied: 1, Missing: 5}, stats); diff != "" {
			t.Error(diff)
		}
	})
}

// TestScanPanic wants a panic of the function where its caller can recover it, and the scan to have ended.
func TestScanPanic(t *testing.T) {
	r := modes[0].open(t, plant(t, map[string]string{"a": "1", "b": "2", "c": "3"}), Options{})
	defer func() {
		if p := recover(); p != "boom" {
			t.Errorf("recovered %v", p)
		}
		served(t, r, "a", "1")
	}()
	r.Scan(context.Background(), mustFiles(t, r), 2, func(int, int, Entry, []byte) { panic("boom") })
	t.Error("the panic was swallowed")
}

// TestCloseWhileInUse closes the root in the middle of a scan, which goes on to its end.
func TestCloseWhileInUse(t *testing.T) {
	dir := plant(t, map[string]string{"a": "1", "b": "2", "c": "3"})
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, dir, Options{})
		stats, err := r.Scan(context.Background(), mustFiles(t, r), 1, func(int, int, Entry, []byte) { r.Close() })
		if err != nil || stats.Files != 3 {
			t.Errorf("%+v, %v", stats, err)
		}
		if _, err := r.Stat("a"); !errors.Is(err, ErrClosed) {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// TestReadFileBuffer reads into the caller's memory and leaves it alone afterwards.
func TestReadFileBuffer(t *testing.T) {
	r := modes[0].open(t, plant(t, map[string]string{"a": "first", "b": "other", "long": strings.Repeat("x", 10_000)}), Options{})
	buf := make([]byte, 0, 64)
	a, err := r.ReadFile(context.Background(), "a", buf)
	must(t, err)
	if &a[0] != &buf[:1][0] {
		t.Error("the buffer was not used")
	}
	if _, err := r.ReadFile(context.Background(), "b", nil); err != nil || string(a) != "first" {
		t.Errorf("%q, %v", a, err)
	}
	if big, err := r.ReadFile(context.Background(), "long", buf); err != nil || len(big) != 10_000 {
		t.Errorf("%d bytes, %v", len(big), err)
	}
}
