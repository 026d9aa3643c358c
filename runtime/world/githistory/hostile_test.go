package githistory_test

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// rawTree writes a tree object byte by byte, with names that git itself would
// refuse to add.
func (r *repo) rawTree(entries ...string) string {
	r.t.Helper()
	var body strings.Builder
	for i := 0; i < len(entries); i += 3 {
		mode, name, id := entries[i], entries[i+1], entries[i+2]
		raw, err := hex.DecodeString(id)
		if err != nil {
			r.t.Fatal(err)
		}
		fmt.Fprintf(&body, "%s %s\x00%s", mode, name, raw)
	}
	id := r.GitIn(body.String(), "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
	if sum := sha1.Sum([]byte(fmt.Sprintf("tree %d\x00%s", body.Len(), body.String()))); id != hex.EncodeToString(sum[:]) {
		r.t.Fatalf("tree %s", id)
	}
	return id
}

func TestNamesInATreeCannotLeaveTheDirectory(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"a": "1\n"})
	blob := r.GitIn("evil\n", "hash-object", "-w", "--stdin")
	link := r.GitIn("../outside", "hash-object", "-w", "--stdin")
	up := r.rawTree("100644", "evil", blob)
	tree := r.rawTree(
		"100644", "../up", blob,
		"100644", "/abs", blob,
		"40000", "..", up,
		"40000", ".", up,
		"40000", ".GIT", up,
		"40000", ".git", up,
		"100644", "a\\..\\b", blob,
		"100644", "both", blob,
		"40000", "both", up,
		"120000", "dir", link,
		"40000", "dir", up,
		"120000", "link", link,
		"100644", "ok.go", blob,
		"160000", "sub", r.Git("rev-parse", "HEAD"),
	)
	commit := r.Git("commit-tree", "-m", "evil", "-p", "HEAD", tree)

	outer := t.TempDir()
	dir := filepath.Join(outer, "in", "tree")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := r.open().Layout(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range 2 { // there, back and there again
		if err := l.To(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
		if err := l.To(t.Context(), r.Git("rev-parse", "HEAD")); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.To(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	got := listing(t, outer)
	for name, text := range got {
		switch name {
		case "in/tree/ok.go", "in/tree/both", "in/tree/both/evil", "in/tree/dir/evil":
			if text != "---------- evil\n" {
				t.Errorf("%s is %q", name, text)
			}
		default:
			t.Errorf("laid out %s", name)
		}
	}
	if got["in/tree/ok.go"] == "" {
		t.Error("the one good file is missing")
	}
}

// TestARepositoryStartsNoProgram sets everything in a repository's own
// configuration that makes git start a program, and looks whether one ran.
func TestARepositoryStartsNoProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the trap is a shell script")
	}
	r := newRepo(t)
	parent := r.Commit("one", map[string]string{"a.go": "1\n", ".gitattributes": "*.go diff=trap filter=trap\n"})
	id := r.Commit("two", map[string]string{"a.go": "2\n"})

	caught := filepath.Join(t.TempDir(), "caught")
	trap := filepath.Join(t.TempDir(), "trap.sh")
	if err := os.WriteFile(trap, []byte("#!/bin/sh\necho \"$0 $*\" >> "+caught+"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(r.Dir, ".git", "hooks")
	for _, h := range []string{"post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"} {
		if err := os.Symlink(trap, filepath.Join(hooks, h)); err != nil {
			t.Fatal(err)
		}
	}
	for _, set := range [][2]string{
		{"core.fsmonitor", trap}, {"core.pager", trap}, {"core.editor", trap}, {"core.sshCommand", trap}, {"core.askPass", trap},
		{"core.alternateRefsCommand", trap}, {"core.gitProxy", trap}, {"diff.external", trap}, {"diff.trap.command", trap},
		{"diff.trap.textconv", trap}, {"filter.trap.smudge", trap}, {"filter.trap.clean", trap}, {"filter.trap.process", trap},
		{"gpg.program", trap}, {"log.showSignature", "true"}, {"credential.helper", trap}, {"pager.diff-tree", trap}, {"pager.rev-list", trap},
		{"alias.rev-parse", "!" + trap}, {"remote.origin.url", "ext::" + trap}, {"remote.origin.promisor", "true"},
		{"extensions.partialClone", "origin"}, {"protocol.ext.allow", "always"}, {"uploadpack.packObjectsHook", trap},
		{"core.repositoryFormatVersion", "1"},
	} {
		r.Git("config", set[0], set[1])
	}
	before := listing(t, filepath.Join(r.Dir, ".git"))

	h := r.open()
	o, err := h.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	c := githistory.Commit{ID: id, Parent: parent}
	if hunks, err := h.Hunks(t.Context(), c, "a.go"); err != nil || len(hunks) != 1 {
		t.Errorf("hunks %v, %v", hunks, err)
	}
	if _, err := h.Changes(t.Context(), c); err != nil {
		t.Error(err)
	}
	l, err := h.Layout(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.To(t.Context(), parent); err != nil {
		t.Error(err)
	}
	// An object that is not there makes git want to fetch it.
	_, _ = o.Blob("0123456789012345678901234567890123456789", 100)

	if said, err := os.ReadFile(caught); err == nil {
		t.Errorf("a program was started: %s", said)
	}
	after := listing(t, filepath.Join(r.Dir, ".git"))
	if len(before) != len(after) {
		t.Errorf("the repository had %d files and has %d", len(before), len(after))
	}
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s was changed", name)
		}
	}
}

func TestWhatAFileSaysIsNoOptionOfGits(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"a": "1\n"})
	h := r.open()
	for _, name := range []string{"--output=x", "HEAD", "main@{0}", "", "abc", strings.Repeat("a", 65)} {
		if h.Has(t.Context(), name) {
			t.Errorf("%q passes for a commit", name)
		}
		l, err := h.Layout(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if l.To(t.Context(), name) == nil {
			t.Errorf("%q was laid out", name)
		}
		l.Close()
	}
}
