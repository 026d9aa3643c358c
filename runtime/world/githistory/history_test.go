package githistory_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/githistory"
	"github.com/compactor-mcp/compactor/runtime/world/githistory/gittest"
)

// repo is a repository that a test makes.
type repo struct {
	*gittest.Repo
	t *testing.T
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	if !gittest.Has() {
		t.Skip("no git here")
	}
	return &repo{gittest.New(t, t.TempDir()), t}
}

func (r *repo) open() *githistory.Repo {
	r.t.Helper()
	h, err := githistory.Open(r.t.Context(), r.Dir)
	if err != nil {
		r.t.Fatal(err)
	}
	return h
}

// listing is every file below a directory, with its text.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		text, err := os.ReadFile(path)
		all[filepath.ToSlash(rel)] = d.Type().String() + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTreesFollowTheHistory(t *testing.T) {
	r := newRepo(t)
	first := r.Commit("one", map[string]string{"a/b/c.go": "one\n", "d.go": "d\n", "x": "file\n"})
	second := r.Commit("two", map[string]string{"a/b/c.go": "two\n", "d.go": "", "x": "", "e/f.go": "f\n"})
	r.Commit("three", map[string]string{"x/y": "now a directory\n"})
	h, dir := r.open(), t.TempDir()
	l, err := h.Layout(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, step := range []struct {
		commit string
		want   map[string]string
	}{
		{first, map[string]string{"a/b/c.go": "---------- one\n", "d.go": "---------- d\n", "x": "---------- file\n"}},
		{second, map[string]string{"a/b/c.go": "---------- two\n", "e/f.go": "---------- f\n"}},
		{h.Head(), map[string]string{"a/b/c.go": "---------- two\n", "e/f.go": "---------- f\n", "x/y": "---------- now a directory\n"}},
		{first, map[string]string{"a/b/c.go": "---------- one\n", "d.go": "---------- d\n", "x": "---------- file\n"}},
	} {
		if err := l.To(t.Context(), step.commit); err != nil {
			t.Fatal(err)
		}
		got := listing(t, dir)
		if len(got) != len(step.want) {
			t.Errorf("%s: %v", step.commit, got)
		}
		for name, text := range step.want {
			if got[name] != text {
				t.Errorf("%s: %s is %q, want %q", step.commit, name, got[name], text)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "e")); err == nil {
		t.Error("an empty directory is left")
	}
}

func TestCommitsComeNewestFirstWithoutMerges(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"a": "1\n"})
	second := r.Commit("two\n\nwith a body", map[string]string{"a": "2\n"})
	r.Git("checkout", "-q", "-b", "side", second)
	side := r.Commit("on the side", map[string]string{"s": "s\n"})
	r.Git("checkout", "-q", "main")
	third := r.Commit("three", map[string]string{"a": "3\n"})
	r.Clock = r.Clock.Add(time.Minute)
	r.Git("merge", "-q", "--no-ff", "-m", "merge it", "side")
	h := r.open()
	o, err := h.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	collect := func(since time.Time, most int) (ids, messages []string) {
		err := h.Commits(t.Context(), o, since, func(c githistory.Commit) (bool, error) {
			ids, messages = append(ids, c.ID), append(messages, c.Message)
			return len(ids) < most, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return ids, messages
	}
	ids, messages := collect(time.Time{}, 99)
	if want := []string{third, side, second}; !slices.Equal(ids, want) {
		t.Errorf("commits %v, want %v", ids, want)
	}
	if messages[2] != "two\n\nwith a body\n" {
		t.Errorf("message %q", messages[2])
	}
	if ids, _ := collect(time.Time{}, 1); len(ids) != 1 {
		t.Errorf("asked for one, got %v", ids)
	}
	if ids, _ := collect(r.Clock.Add(-time.Minute), 99); !slices.Equal(ids, []string{third}) {
		t.Errorf("since the last minute: %v", ids)
	}
}

func TestChangesAndHunks(t *testing.T) {
	r := newRepo(t)
	parent := r.Commit("one", map[string]string{"a.go": "1\n2\n3\n4\n5\n6\n", "gone.go": "x\n", "ä\tb.go": "1\n"})
	id := r.Commit("two", map[string]string{"a.go": "1\nnew\n2\n3\nfive\n", "gone.go": "", "new.go": "x\n", "ä\tb.go": "@@ -9 +9 @@\n"})
	h := r.open()
	c := githistory.Commit{ID: id, Parent: parent}
	changes, err := h.Changes(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ch := range changes {
		got = append(got, string(ch.Status)+" "+ch.Path)
	}
	if want := []string{"M a.go", "D gone.go", "A new.go", "M ä\tb.go"}; !slices.Equal(got, want) {
		t.Errorf("changes %q, want %q", got, want)
	}
	hunks, err := h.Hunks(t.Context(), c, "a.go")
	if err != nil {
		t.Fatal(err)
	}
	if want := []githistory.Hunk{{Line: 1, Added: 1}, {Line: 4, Removed: 3, Added: 1}}; !slices.Equal(hunks, want) {
		t.Errorf("hunks %v, want %v", hunks, want)
	}
	if hunks, _ := h.Hunks(t.Context(), c, "ä\tb.go"); len(hunks) != 1 || hunks[0].Line != 1 {
		t.Errorf("text that looks like a hunk: %v", hunks)
	}
}

func TestADirectoryOfARepositoryIsSeenAlone(t *testing.T) {
	r := newRepo(t)
	parent := r.Commit("one", map[string]string{"in/a.go": "1\n", "out.go": "1\n"})
	id := r.Commit("two", map[string]string{"in/a.go": "2\n", "out.go": "2\n"})
	h, err := githistory.Open(t.Context(), filepath.Join(r.Dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	changes, err := h.Changes(t.Context(), githistory.Commit{ID: id, Parent: parent})
	if err != nil || len(changes) != 2 || changes[0].Path != "a.go" || changes[0].Outside || !changes[1].Outside {
		t.Errorf("changes %+v, %v", changes, err)
	}
	hunks, err := h.Hunks(t.Context(), githistory.Commit{ID: id, Parent: parent}, "a.go")
	if err != nil || len(hunks) != 1 {
		t.Errorf("hunks %v, %v", hunks, err)
	}
	dir := t.TempDir()
	l, err := h.Layout(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.To(t.Context(), parent); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, dir); len(got) != 1 || got["a.go"] != "---------- 1\n" {
		t.Errorf("laid out %v", got)
	}
}

func TestWhatIsNoHistoryIsSaid(t *testing.T) {
	r := newRepo(t)
	plain := t.TempDir()
	check := func(dir, want string) {
		t.Helper()
		_, err := githistory.Open(t.Context(), dir)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", dir, err, want)
		}
	}
	check(plain, "not a git repository")
	check(filepath.Join(plain, "nowhere"), "not a directory")
	check(r.Dir, "no commit yet")
	r.Commit("one", map[string]string{"a": "1\n"})
	r.Commit("two", map[string]string{"a": "2\n"})
	shallow := filepath.Join(t.TempDir(), "shallow")
	r.Git("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(r.Dir), shallow)
	check(shallow, "--unshallow")
	t.Setenv("PATH", t.TempDir())
	check(r.Dir, "install git")
}
