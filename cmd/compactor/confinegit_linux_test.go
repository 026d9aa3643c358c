package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
	"github.com/compactor-mcp/compactor/runtime/world/githistory/gittest"
)

// pastQuestion is one whose first answer is `sweep` by what commits say, and another
// by the files alone.
const pastQuestion = "drop stale leases from the registry"

// layPast makes a repository in which that is so.
func layPast(t *testing.T, dir string) {
	t.Helper()
	if !gittest.Has() {
		t.Skip("no git here")
	}
	r := gittest.New(t, dir)
	r.Commit("Begin", map[string]string{
		"lib/print.go":   "package lib\n\n// Print prints the leases of the registry in order.\nfunc Print(registry []int) int { return len(registry) }\n",
		"lib/count.go":   "package lib\n\n// Count counts stale leases.\nfunc Count(leases []int) int { return len(leases) }\n",
		"lib/fill.go":    "package lib\n\n// Fill adds to the registry; a stale one is kept.\nfunc Fill(registry []int) int { return len(registry) }\n",
		"lib/janitor.go": "package lib\n\n// sweep walks over all leases.\nfunc sweep(leases []int) {\n\tfor range leases {\n\t}\n}\n",
	})
	text, err := os.ReadFile(filepath.Join(dir, "lib/janitor.go"))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		text = append(text, "//\n"...)
		r.Commit("Drop stale leases from the registry", map[string]string{"lib/janitor.go": string(text)})
	}
	r.Commit("Reformat", map[string]string{"lib/go.mod": "module lib\n"})
}

// confinedRun runs compactor in a directory, with a home of its own outside of it.
func confinedRun(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	if landlock.Support().ABI == 0 {
		t.Skip("this kernel has no Landlock")
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	tmp := filepath.Join(home, "tmp")
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "TMPDIR="+tmp), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestHistoryIsReadBehindTheWall asks where the process is shut in, of a repository, of
// a directory in it, and of a worktree whose git directory lies elsewhere.
func TestHistoryIsReadBehindTheWall(t *testing.T) {
	skipShort(t)
	t.Parallel()
	repo := filepath.Join(t.TempDir(), "repo")
	layPast(t, repo)
	tree := filepath.Join(t.TempDir(), "tree")
	(&gittest.Repo{T: t, Dir: repo}).Git("worktree", "add", "-q", tree)
	for _, dir := range []string{repo, filepath.Join(repo, "lib"), tree} {
		open := confinedRun(t, dir, []string{landlock.Variable + "=off"}, "research", "--deterministic", pastQuestion)
		if first, _, _ := strings.Cut(open, "\n"); !strings.Contains(first, "`sweep`") {
			t.Fatalf("%s: the history is not read outside of the wall either: %s", dir, open)
		}
		if shut := confinedRun(t, dir, nil, "research", "--deterministic", pastQuestion); shut != open {
			t.Errorf("%s: shut in, the answer is another:\n%s\n\nwant\n%s", dir, shut, open)
		}
	}
}

// TestServeReadsHistoryBehindTheWall asks a server that shut itself in, of a repository
// that is made while it runs.
func TestServeReadsHistoryBehindTheWall(t *testing.T) {
	c := serveConfined(t, "package compactor\n")
	if threads, shut := c.shut(); threads == 0 || shut != threads {
		t.Fatalf("%d of %d threads are restricted", shut, threads)
	}
	layPast(t, filepath.Join(c.top, "work"))
	c.waits("the nearest: `sweep`", func() string { return c.call("research_codebase", map[string]any{"question": pastQuestion}) })
}

// TestDoctorSaysHowGitIsReached has a git of the system, one that is a script, and none.
func TestDoctorSaysHowGitIsReached(t *testing.T) {
	repo, scripts := t.TempDir(), t.TempDir()
	layPast(t, repo)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(scripts, "git"), []byte("#!/bin/sh\nexec '"+git+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		where, dir, env string
		want            []string
	}{
		{"a repository", repo, "", []string{"read with " + git, "the only program that can be started there"}},
		{"a script", repo, "PATH=" + scripts + ":" + os.Getenv("PATH"), []string{"it is not read behind the second wall", "put the system's git first on the PATH"}},
		{"a script, and no wall", repo, "PATH=" + scripts + ":" + os.Getenv("PATH") + "\n" + landlock.Variable + "=off", []string{"read with " + scripts}},
		{"no git", repo, "PATH=" + t.TempDir(), []string{"git was not found on the PATH", "install git"}},
		{"no repository", t.TempDir(), "", []string{"no root lies in a git repository"}},
	} {
		said := confinedRun(t, c.dir, strings.Fields(c.env), "doctor")
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not said:\n%s", c.where, want, said)
			}
		}
	}
}

// TestEvalAsksBehindTheWall measures with a git that can be started there, and with one
// that cannot: what those who ask do not get is not measured either.
func TestEvalAsksBehindTheWall(t *testing.T) {
	top := t.TempDir()
	repo, scripts, out := filepath.Join(top, "repo"), filepath.Join(top, "scripts"), filepath.Join(top, "out")
	layPast(t, repo)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		filepath.Join(scripts, "git"):       "#!/bin/sh\nexec '" + git + "' \"$@\"\n",
		filepath.Join(top, "cases.jsonl"):   `{"id":"q","kind":"locate","question":"` + pastQuestion + `","gold":["lib/janitor.go"]}` + "\n",
		filepath.Join(out, "keep"):          "",
		filepath.Join(top, "history.jsonl"): `{"id":"h","kind":"history","question":"` + pastQuestion + `","gold":[{"path":"lib/janitor.go"}]}` + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	answers := []string{"eval", "answers", "--root", repo, "--cases", filepath.Join(top, "cases.jsonl"), "--deterministic"}
	const found = "the nearest: `sweep`"
	save := filepath.Join(out, "saved.json")
	if said := confinedRun(t, top, nil, append(answers, "--save", save)...); !strings.Contains(said, "all") {
		t.Errorf("%s", said)
	}
	if saved, err := os.ReadFile(save); err != nil || !strings.Contains(string(saved), found) {
		t.Errorf("%s, %v", saved, err)
	}
	if said := confinedRun(t, top, []string{"PATH=" + scripts + ":" + os.Getenv("PATH")}, append(answers, "--show", "q")...); strings.Contains(said, found) || !strings.Contains(said, "the nearest: ") {
		t.Errorf("with a git that cannot be started behind the wall: %s", said)
	}
	localize := []string{"eval", "localize", "--root", repo, "--kind", "all", "--commits", "3", "--deterministic", "--save", save}
	open := confinedRun(t, top, []string{landlock.Variable + "=off"}, localize...)
	if shut := confinedRun(t, top, nil, localize...); shut != open || !strings.Contains(shut, "history") {
		t.Errorf("shut in, other things are measured:\n%s\n\nwant:\n%s", shut, open)
	}
}
