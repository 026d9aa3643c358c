package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// TestWatchStaysInTheProject holds that a pull during index --watch, which puts a link in
// the place of a project's directory of documents, reaches nothing beyond the project.
func TestWatchStaysInTheProject(t *testing.T) {
	skipShort(t)
	t.Parallel()
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	home, project, private := filepath.Join(dir, "home"), filepath.Join(dir, "project"), filepath.Join(dir, "private")
	docs := filepath.Join(project, "docs")
	for path, text := range map[string]string{
		filepath.Join(home, "config", "README"):       "",
		filepath.Join(project, ".compactor", "c.cue"): "package compactor\ncollections: manual: roots: [\"docs\"]\n",
		filepath.Join(docs, "crank.md"):               "# Crank\n\nThe crank turns the widget.\n",
		filepath.Join(private, "diary.md"):            "# Diary\n\nThe treasure lies under the oak.\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "COMPACTOR_CONFIG=", "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home)
		return cmd
	}
	watch := command("index", "--watch", "--every", "100ms")
	var errs bytes.Buffer
	watch.Stderr = &errs
	out, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = watch.Process.Kill() })
	lines := bufio.NewReader(out) // a line comes in pieces
	if first, err := lines.ReadString('\n'); err != nil || !strings.Contains(first, "manual: 1 document") {
		t.Fatal(err, first)
	}
	if err := os.Rename(docs, docs+".was"); err != nil {
		t.Fatal(err)
	}
	// Between the two the watch may find no directory and end, which is as good.
	if err := os.Symlink(private, docs); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
	late := time.AfterFunc(patience, func() { _ = watch.Process.Kill() })
	rest, _ := io.ReadAll(lines)
	err = watch.Wait()
	if !late.Stop() || err == nil {
		t.Errorf("the watch goes on: %v\n%s", err, rest)
	}
	if text := errs.String(); !strings.Contains(text, "collections.manual") && !strings.Contains(text, "not found") {
		t.Errorf("nobody is told why:\n%s", text)
	}
	if found, _ := command("docs", "search", "treasure under the oak").CombinedOutput(); strings.Contains(string(found), "treasure lies") {
		t.Errorf("a private file is found:\n%s", found)
	}
	if list, _ := command("docs", "list").CombinedOutput(); strings.Contains(string(list), "diary") {
		t.Errorf("%s", list)
	}
}

// TestWatchFollowsDocuments holds that compactor index --watch brings what changes and
// lets go of what is deleted, and that of two one does.
func TestWatchFollowsDocuments(t *testing.T) {
	t.Parallel()
	dir, binary := frontDir(t, `collections: guide: roots: ["handbook"]`)
	handbook := filepath.Join(dir, "handbook")
	writeDocs(t, handbook, map[string]string{"pools.md": "# Pools\n\nA pool keeps twelve connections open.\n"})
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
		return cmd
	}
	start := func() (cmd *exec.Cmd, said func() string) {
		path := filepath.Join(t.TempDir(), "said")
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		cmd = command("index", "--watch", "--every", "100ms")
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = out.Close() // the process has its own
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd, func() string { text, _ := os.ReadFile(path); return string(text) }
	}
	finds := func(query, uri string) bool {
		out, _ := command("docs", "search", query).CombinedOutput()
		return strings.Contains(string(out), uri)
	}
	first, said := start()
	clocktest.Until(t, "it is indexed", func() bool { return strings.Contains(said(), "guide: 1 document") })
	_, other := start()
	const stands = "another process follows it already"
	clocktest.Until(t, "a second one stands by", func() bool { return strings.Contains(other(), stands) })
	writeDocs(t, handbook, map[string]string{"pools.md": "# Pools\n\nNow a basin is drained at dusk.\n", "taps.md": "# Taps\n\nThe tap drips.\n"})
	clocktest.Until(t, "changes are found", func() bool {
		return finds("tap drips", "guide/taps.md") && finds("basin drained at dusk", "guide/pools.md")
	})
	if err := os.Remove(filepath.Join(handbook, "taps.md")); err != nil {
		t.Fatal(err)
	}
	clocktest.Until(t, "what is deleted is gone", func() bool { return !finds("tap drips", "guide/taps.md") })
	_ = first.Process.Kill()
	writeDocs(t, handbook, map[string]string{"valves.md": "# Valves\n\nA valve shuts the pipe.\n"})
	clocktest.Until(t, "the second takes over", func() bool { return finds("valve shuts", "guide/valves.md") })
	if n := strings.Count(other(), stands); n != 1 {
		t.Errorf("it says %d times that it stands by:\n%s", n, other())
	}
}
