package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestArtifactsFollowNoLink plants links on every part of the way to an artifact, as a repository can.
func TestArtifactsFollowNoLink(t *testing.T) {
	needLinks(t)
	const note = "# Research Handoff\n\n## Question\n\n" + canary + "\n"
	for name, tree := range map[string]map[string]string{
		"the directory":            {"work/.handoffs": "-> ../outside"},
		"an absolute link":         {"work/.handoffs": "-> ABS"},
		"a directory above":        {"work/.handoffs/x": "", "work/kept": "-> ../outside"},
		"a link to a link":         {"work/.handoffs": "-> b", "work/b": "-> ../outside"},
		"a link that stays inside": {"work/.handoffs": "-> src", "work/src/note.md": note},
		"a link to nothing":        {"work/.handoffs": "-> ../outside/new"},
		"a link to a file":         {"work/.handoffs": "-> ../outside/note.md"},
		"another project's notes":  {"work/.handoffs": "-> ../other/.handoffs", "other/.handoffs/note.md": note},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			plantIn(t, top, map[string]string{"outside/note.md": note})
			for file, text := range tree {
				plantIn(t, top, map[string]string{file: strings.ReplaceAll(text, "ABS", filepath.Join(top, "outside"))})
			}
			before := snapshot(t, top)
			dir := ".handoffs"
			if name == "a directory above" {
				dir = "kept/deep"
			}
			a, err := OpenArtifacts(filepath.Join(top, "work"), dir, ArtifactOptions{Absolute: true})
			must(t, err)
			for i := range 2 {
				err = a.Write(context.Background(), "new.md", []byte("x"), i == 0)
				if !errors.Is(err, ErrOutside) || strings.Contains(err.Error(), top) {
					t.Errorf("Write: %v", err)
				}
			}
			if data, err := a.Read(context.Background(), "note.md"); err == nil {
				t.Errorf("Read gives %q", data)
			}
			if list, err := a.List(context.Background()); err == nil {
				t.Errorf("List gives %v", list)
			}
			for path, was := range snapshot(t, top) {
				if before[path] != was {
					t.Errorf("%s was written", path)
				}
			}
			if len(snapshot(t, top)) != len(before) {
				t.Error("something new was made")
			}
		})
	}
}

// TestArtifactPlaces asks for directories that a project may name, and for those that only its user may.
func TestArtifactPlaces(t *testing.T) {
	top := plant(t, map[string]string{"work/": "", "else/": ""})
	work := filepath.Join(top, "work")
	for _, tt := range []struct {
		dir       string
		mine, any bool // allowed to a project, to the user
	}{
		{".handoffs", true, true}, {"a/b", true, true}, {"./notes/", true, true}, {".", true, true}, {"a/../b", true, true}, {filepath.Join(work, "in"), true, true},
		{"..", false, true}, {"../else", false, true}, {"a/../../else", false, true}, {filepath.Join(top, "else"), false, true}, {work + "/../else", false, true},
		{"/", false, false}, {".git/x", false, false}, {".ssh", false, false}, {"a/.aws/b", false, false}, {".GIT", false, false}, {filepath.Join(top, ".ssh"), false, false},
	} {
		for _, user := range []bool{false, true} {
			a, err := OpenArtifacts(work, tt.dir, ArtifactOptions{Absolute: user})
			want := tt.mine || user && tt.any
			if (err == nil) != want || err != nil && !errors.Is(err, ErrBadRoot) {
				t.Errorf("%s (the user's own: %v): %v", tt.dir, user, err)
			}
			if err == nil {
				must(t, a.Write(context.Background(), "x.md", []byte("x"), true))
				if _, err := os.Stat(filepath.Join(a.Path(), "x.md")); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestArtifactsStayOutOfVersionControl looks at what is made beside the first note.
func TestArtifactsStayOutOfVersionControl(t *testing.T) {
	work := plant(t, map[string]string{"theirs/": ""})
	a, err := OpenArtifacts(work, "kept/.handoffs", ArtifactOptions{})
	must(t, err)
	for range 2 {
		must(t, a.Write(context.Background(), "x.md", []byte("x"), true))
	}
	// What a full disk left of it is written anew by the next note.
	must(t, os.Truncate(filepath.Join(work, "kept/.handoffs/.gitignore"), 0))
	must(t, a.Write(context.Background(), "x.md", []byte("x"), true))
	if data, err := os.ReadFile(filepath.Join(work, "kept/.handoffs/.gitignore")); err != nil || string(data) != "*\n" {
		t.Errorf("its ignore file: %q, %v", data, err)
	}
	if list, err := a.List(context.Background()); err != nil || len(list) != 1 {
		t.Errorf("listed: %v, %v", list, err)
	}
	a, err = OpenArtifacts(work, "theirs", ArtifactOptions{})
	must(t, err)
	must(t, a.Write(context.Background(), "x.md", []byte("x"), true))
	if names := namesOf(t, filepath.Join(work, "theirs")); len(names) != 1 {
		t.Errorf("a directory that was there has %q", names)
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return
	}
	must(t, os.RemoveAll(filepath.Join(work, "theirs")))
	must(t, exec.Command(git, "init", "-q", work).Run())
	if out, err := exec.Command(git, "-C", work, "status", "--porcelain").Output(); err != nil || len(out) > 0 {
		t.Errorf("git sees %q, %v", out, err)
	}
}

// TestArtifactsFollowADirectoryThatIsMadeAgain keeps one handle while the directory goes and comes back.
func TestArtifactsFollowADirectoryThatIsMadeAgain(t *testing.T) {
	work := t.TempDir()
	a, err := OpenArtifacts(work, ".handoffs", ArtifactOptions{})
	must(t, err)
	for range 2 {
		must(t, a.Write(context.Background(), "x.md", []byte("x"), false))
		must(t, os.RemoveAll(filepath.Join(work, ".handoffs")))
	}
}

// TestArtifactsInARace exchanges the directory for a link to outside while notes are written and read.
func TestArtifactsInARace(t *testing.T) {
	needLinks(t)
	top := plant(t, map[string]string{"work/.handoffs/note.md": "fine", "work/.handoffs.link": "-> ../outside", "outside/note.md": canary, "outside/x.md": canary})
	work := filepath.Join(top, "work")
	var stop atomic.Bool
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for !stop.Load() {
			exchange(filepath.Join(work, ".handoffs"), filepath.Join(work, ".handoffs.link"))
		}
	})
	turns := 500
	if long() {
		turns = 20_000
	}
	a, err := OpenArtifacts(work, ".handoffs", ArtifactOptions{})
	must(t, err)
	wrote, refusals := 0, 0
	for n := 0; n < turns || wrote == 0 && n < 100*turns; n++ { // a busy machine may never swap in between
		if a.Write(context.Background(), "x.md", []byte("mine"), true) == nil {
			wrote++
		} else {
			refusals++
		}
		if data, _ := a.Read(context.Background(), "note.md"); strings.Contains(string(data), canary) {
			t.Fatal("read outside")
		}
	}
	stop.Store(true)
	swapper.Wait()
	if data, _ := os.ReadFile(filepath.Join(top, "outside/x.md")); string(data) != canary {
		t.Errorf("wrote outside: %q", data)
	}
	if names := namesOf(t, filepath.Join(top, "outside")); len(names) != 2 {
		t.Errorf("outside has %q", names)
	}
	if wrote == 0 || refusals == 0 {
		t.Errorf("%d written, %d refused: the race was not run", wrote, refusals)
	}
}
