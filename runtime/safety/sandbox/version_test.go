package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// versionRoots opens a directory in both ways.
func versionRoots(t *testing.T, dir string, fn func(t *testing.T, r *Root, hashed bool)) {
	for _, portable := range []bool{false, true} {
		t.Run(fmt.Sprintf("portable %t", portable), func(t *testing.T) {
			r, err := openRoot("r", dir, Options{MaxFileSize: 1 << 10}, portable)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			o := r.core.tree.opener()
			defer o.close()
			st, ok := o.(stamper)
			if ok {
				_, ok = st.stampOf("a.go")
			}
			fn(t, r, !ok)
		})
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// awaitVersion waits until a file has come to rest.
func awaitVersion(t *testing.T, r *Root, name string) {
	t.Helper()
	clocktest.Until(t, name+" has a version", func() bool {
		_, v, err := r.ReadVersion(t.Context(), name, nil)
		return err == nil && !v.IsZero()
	})
}

// TestRacilyClean rewrites a file faster than its inode's clock ticks: no version
// may stand for two contents.
func TestRacilyClean(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	writeText(t, path, "content 0")
	versionRoots(t, dir, func(t *testing.T, r *Root, _ bool) {
		seen := map[Version]string{}
		for i := range 3000 {
			writeText(t, path, fmt.Sprintf("content %d", i%2))
			data, v, err := r.ReadVersion(t.Context(), "a.go", nil)
			if err != nil {
				t.Fatal(err)
			}
			if old, ok := seen[v]; ok && !v.IsZero() && old != string(data) {
				t.Fatalf("%q and %q have one version", old, data)
			}
			seen[v] = string(data)
		}
	})
}

func TestVersionOnceSettled(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	writeText(t, path, "package a")
	versionRoots(t, dir, func(t *testing.T, r *Root, hashed bool) {
		awaitVersion(t, r, "a.go")
		_, first, err := r.ReadVersion(t.Context(), "a.go", nil)
		if err != nil || first.IsZero() {
			t.Fatalf("%v, %v", first, err)
		}
		if _, again, _ := r.ReadVersion(t.Context(), "a.go", nil); again != first {
			t.Error("the same file has another version")
		}
		past := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
		if _, v, _ := r.ReadVersion(t.Context(), "a.go", nil); (v == first) != hashed {
			t.Errorf("touched: the same version %t, by content %t", v == first, hashed)
		}
	})
}

// TestKnownFilesAreChecked says that knowing a content opens no door: what Scan
// does not give out is not asked for either.
func TestKnownFilesAreChecked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a", "big.go": fmt.Sprintf("%2000d", 1), "bin": "a\x00b", ".env": "A=1",
		"sub/b.go": "package b", ".ssh/c.go": "package c"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		writeText(t, filepath.Join(dir, name), text)
	}
	_ = os.Symlink("a.go", filepath.Join(dir, "link.go"))
	files := []Entry{{Path: "a.go"}, {Path: "big.go"}, {Path: ".env"}, {Path: "sub/b.go"}, {Path: ".ssh/c.go"}, {Path: "link.go"},
		{Path: "../a.go"}, {Path: "none.go"}, {Path: "sub"}}
	versionRoots(t, dir, func(t *testing.T, r *Root, _ bool) {
		awaitVersion(t, r, "a.go")
		awaitVersion(t, r, "sub/b.go")
		var mu sync.Mutex
		versions, asked := map[Version]bool{}, map[string]bool{}
		scan := func(know bool) ScanStats {
			stats, err := r.ScanVersions(t.Context(), files, 2, Visitor{
				Known: func(_, i int, v Version) bool {
					mu.Lock()
					defer mu.Unlock()
					asked[files[i].Path] = true
					return know && versions[v]
				},
				Read: func(_, i int, e Entry, data []byte, v Version) {
					mu.Lock()
					defer mu.Unlock()
					if versions[v] || v.IsZero() {
						t.Errorf("%s: read although known, or without a version", e.Path)
					}
					versions[v] = true
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			return stats
		}
		first := scan(false)
		if second := scan(true); second != first || first.Files != 2 {
			t.Errorf("first %+v, then %+v", first, second)
		}
		for path := range asked {
			if path != "a.go" && path != "sub/b.go" && path != "bin" {
				t.Errorf("asked for %s", path)
			}
		}
	})
}

// TestSettled is the rule itself: newer kernels stamp finely what was looked at,
// so that the race it is for cannot be had there.
func TestSettled(t *testing.T) {
	fine, whole := time.Unix(1000, 5), time.Unix(1000, 0)
	for _, c := range []struct {
		changed time.Time
		later   time.Duration
		want    bool
	}{
		{fine, 0, false}, {fine, 10 * time.Millisecond, false}, {fine, time.Second, true}, {fine, -time.Hour, false},
		{whole, time.Second, false}, {whole, 2 * time.Second, false}, {whole, 3 * time.Second, true},
	} {
		if got := (stamp{changed: c.changed}).settled(c.changed.Add(c.later)); got != c.want {
			t.Errorf("changed at %v, read %v later: settled %t", c.changed, c.later, got)
		}
	}
}
