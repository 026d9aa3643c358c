package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/google/go-cmp/cmp"
)

func artifactsIn(t *testing.T, dir string) *ArtifactDir {
	t.Helper()
	a, err := OpenArtifacts("", dir, ArtifactOptions{Absolute: true})
	must(t, err)
	return a
}

func TestArtifacts(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "state", "artifacts")
	a := artifactsIn(t, dir)
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("opening made a directory")
	}
	if list, err := a.List(ctx); err != nil || list != nil {
		t.Errorf("before the first write: %v, %v", list, err)
	}
	must(t, a.Write(ctx, "b.md", []byte("# B"), false))
	must(t, a.Write(ctx, "a.json", []byte("{}"), true))
	if info, err := os.Stat(dir); err != nil || os.PathSeparator == '/' && info.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v, %v", info.Mode(), err)
	}
	if err := a.Write(ctx, "b.md", []byte("other"), false); !errors.Is(err, ErrExists) {
		t.Errorf("writing over: %v", err)
	}
	if data, err := a.Read(ctx, "b.md"); err != nil || string(data) != "# B" {
		t.Errorf("%q, %v", data, err)
	}
	must(t, a.Write(ctx, "b.md", []byte("new"), true))
	list, err := a.List(ctx)
	must(t, err)
	for i := range list {
		list[i].ModTime = time.Time{}
	}
	if diff := cmp.Diff([]Entry{{Path: "a.json", Size: 2}, {Path: "b.md", Size: 3}}, list); diff != "" {
		t.Error(diff)
	}
	if names := namesOf(t, dir); strings.Join(names, " ") != "a.json b.md" {
		t.Errorf("left behind: %q", names)
	}
	if _, err := a.Read(ctx, "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("reading none: %v", err)
	}
	if err := a.Write(ctx, "big", make([]byte, MaxArtifact+1), false); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := a.Write(ended, "late", nil, false); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

func namesOf(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestArtifactNames tries names that lead elsewhere, and places that may not take artifacts.
func TestArtifactNames(t *testing.T) {
	needLinks(t)
	ctx := context.Background()
	top := plant(t, map[string]string{"art/": "", "outside.md": canary, "art/link.md": "-> ../outside.md", "art/dirlink": "-> ..", ".ssh/": "", "repo/.git/": "", "alias": "-> .ssh"})
	a := artifactsIn(t, filepath.Join(top, "art"))
	for _, name := range []string{
		"", ".", "..", "../x.md", "a/b.md", `a\b.md`, "/etc/x", ".hidden", "-x", "x.md.", "con", "NUL.md", "com1.txt", "a:b", "a b", "x\x00",
		"x\n", "é.md", strings.Repeat("x", 129), tempPrefix + "x", "~",
	} {
		if err := a.Write(ctx, name, []byte("x"), true); !errors.Is(err, ErrBadName) {
			t.Errorf("Write(%q): %v", name, err)
		}
		if data, err := a.Read(ctx, name); err == nil {
			t.Errorf("Read(%q): %q", name, data)
		}
	}
	if data, err := a.Read(ctx, "link.md"); err == nil {
		t.Errorf("read through a link: %q", data)
	}
	if err := a.Write(ctx, "link.md", []byte("x"), false); !errors.Is(err, ErrExists) {
		t.Errorf("wrote to a link: %v", err)
	}
	must(t, a.Write(ctx, "link.md", []byte("mine"), true)) // replaces the link, not what it leads to
	if data, err := os.ReadFile(filepath.Join(top, "outside.md")); err != nil || string(data) != canary {
		t.Errorf("outside: %q, %v", data, err)
	}
	for _, dir := range []string{".ssh", ".ssh/new/deep", "repo/.git/art", "alias/new", "/"} {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(top, dir)
		}
		if _, err := OpenArtifacts("", dir, ArtifactOptions{Absolute: true}); !errors.Is(err, ErrBadRoot) {
			t.Errorf("artifacts in %s: %v", dir, err)
		}
	}
	plantIn(t, top, map[string]string{"file": "x"})
	b, err := OpenArtifacts("", filepath.Join(top, "file"), ArtifactOptions{Absolute: true})
	if err == nil {
		err = b.Write(ctx, "x.md", nil, false)
	}
	if Code(err) == "" || strings.Contains(err.Error(), top) {
		t.Errorf("a file as directory: %v (%s)", err, Code(err))
	}
}

// TestArtifactRace lets many writers, each with its own handle as other processes have, ask for the same name.
func TestArtifactRace(t *testing.T) {
	dir := t.TempDir()
	var won atomic.Int32
	var writers sync.WaitGroup
	for i := range 8 {
		a := artifactsIn(t, dir)
		writers.Go(func() {
			switch err := a.Write(context.Background(), "x.md", fmt.Appendf(nil, "writer %d", i), false); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, ErrExists):
				t.Error(err)
			}
		})
	}
	writers.Wait()
	if won.Load() != 1 {
		t.Errorf("%d writers won", won.Load())
	}
	if names := namesOf(t, dir); len(names) != 1 {
		t.Errorf("left behind: %q", names)
	}
}

func TestArtifactSweep(t *testing.T) {
	dir := plant(t, map[string]string{tempPrefix + "old": "half", tempPrefix + "young": "half", "keep.md": "x", ".other": "x"})
	hour := time.Now().Add(-time.Hour)
	for _, n := range []string{tempPrefix + "old", "keep.md", ".other"} {
		must(t, os.Chtimes(filepath.Join(dir, n), hour, hour))
	}
	artifactsIn(t, dir)
	if got := strings.Join(namesOf(t, dir), " "); got != tempPrefix+"young .other keep.md" {
		t.Errorf("left: %s", got)
	}
	later := func() time.Time { return time.Now().Add(2 * tempAge) }
	_, err := OpenArtifacts("", dir, ArtifactOptions{Absolute: true, Now: later})
	must(t, err)
	if got := strings.Join(namesOf(t, dir), " "); got != ".other keep.md" {
		t.Errorf("left later: %s", got)
	}
}

// TestArtifactKill kills a process that writes, again and again: under the name there is always one whole version.
func TestArtifactKill(t *testing.T) {
	if dir := os.Getenv("SANDBOX_TEST_WRITE"); dir != "" {
		writeForEver(t, dir)
		return
	}
	kills := 8
	if long() {
		kills = 200
	}
	dir := t.TempDir()
	for i := range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestArtifactKill$")
		cmd.Env = append(os.Environ(), "SANDBOX_TEST_WRITE="+dir)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		out.Read(make([]byte, 1)) // it writes now
		clocktest.Until(t, "the next version is partly written", func() bool { return unfinished(dir) >= int64(i%8*wholeSize/8) })
		must(t, cmd.Process.Kill())
		cmd.Wait()
		data, err := os.ReadFile(filepath.Join(dir, "x.md"))
		must(t, err)
		if len(data) != wholeSize || bytes.Count(data, data[:1]) != wholeSize {
			t.Fatalf("kill %d: %d bytes, a torn artifact", i, len(data))
		}
	}
	_, err := OpenArtifacts("", dir, ArtifactOptions{Absolute: true, Now: func() time.Time { return time.Now().Add(time.Hour) }})
	must(t, err)
	if names := namesOf(t, dir); len(names) != 1 {
		t.Errorf("left behind: %q", names)
	}
}

// unfinished returns the size of the largest file that has no name yet.
func unfinished(dir string) (size int64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != "x.md" {
			size = max(size, info.Size())
		}
	}
	return size
}

const wholeSize = 1 << 20

func writeForEver(t *testing.T, dir string) {
	a := artifactsIn(t, dir)
	for i := 0; ; i++ {
		must(t, a.Write(context.Background(), "x.md", bytes.Repeat([]byte{byte('a' + i%26)}, wholeSize), true))
		if i == 0 {
			fmt.Println("writing")
		}
	}
}
