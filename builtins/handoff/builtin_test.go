package handoff

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// world is a root with files and an artifact directory that does not exist yet.
func world(t *testing.T, files map[string]string) (*catalog.Env, string) {
	t.Helper()
	code, dir := t.TempDir(), filepath.Join(t.TempDir(), "kept", "handoffs")
	for name, text := range files {
		path := filepath.Join(code, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := sandbox.OpenRoot("code", code, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	artifacts, err := sandbox.OpenArtifacts(filepath.Dir(filepath.Dir(dir)), "kept/handoffs", sandbox.ArtifactOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return &catalog.Env{Roots: sandbox.NewSet(root), Artifacts: artifacts, Deterministic: true}, dir
}

func plain(s string) string { return s }

func call[Out any](t *testing.T, b catalog.Builtin, env *catalog.Env, in map[string]any) (Out, error) {
	t.Helper()
	got, err := b.Run(t.Context(), env, in)
	out, ok := got.(Out)
	if !ok && err == nil {
		t.Fatalf("%s returned %T", b.Name, got)
	}
	return out, err
}

func code(err error) string {
	_, e := contract.AsError(err)
	return e.Code
}

var research = map[string]any{
	"question":     "How does the pool end?",
	"summary":      "Close waits.",
	"key_findings": []string{"it waits: pool.go:2"},
	"references":   []string{"pool.go:2", "pool.go:9", "gone.go:1", "docs", "logo.png", "../x.go:1", "`pool.go:1` the start", "pool.go:2"},
	"constraints":  []string{"roots searched: code"},
	"notes":        "one limit was hit",
}

func TestWriteThenResume(t *testing.T) {
	env, dir := world(t, map[string]string{"pool.go": "package pool\nfunc Close() {}\n", "docs/a.md": "x", "logo.png": "\x89PNG\x00\x00"})
	wrote, err := call[WriteOutput](t, Write(plain), env, research)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(wrote.Path, "how-does-the-pool-end-") || !strings.HasSuffix(wrote.Path, ".md") {
		t.Errorf("path = %q", wrote.Path)
	}
	onDisk, err := os.ReadFile(filepath.Join(dir, wrote.Path))
	if err != nil || len(onDisk) != wrote.Bytes || !strings.HasPrefix(string(onDisk), "# Research Handoff\n\n## Question\n\nHow does the pool end?\n") {
		t.Errorf("on disk (%v, want %d bytes):\n%s", err, wrote.Bytes, onDisk)
	}
	want := ResumeOutput{
		Name: wrote.Path, Question: "How does the pool end?", Summary: "Close waits.",
		KeyFindings: []string{"it waits: pool.go:2"},
		References: []Reference{
			{Ref: "pool.go:2", Resolves: true},
			{Ref: "pool.go:9", Why: "pool.go has 2 lines"},
			{Ref: "gone.go:1", Why: "not found"},
			{Ref: "docs", Resolves: true},
			{Ref: "logo.png", Why: "not text"},
			{Ref: "../x.go:1", Why: "outside the root"},
			{Ref: "pool.go:1", Resolves: true},
		},
		Constraints: []string{"roots searched: code"}, Notes: "one limit was hit", StaleCount: 4,
	}
	for _, name := range []any{nil, wrote.Path, strings.TrimSuffix(wrote.Path, ".md"), "handoffs/" + wrote.Path, `kept\` + wrote.Path} {
		got, err := call[ResumeOutput](t, Resume(), env, map[string]any{"name": name})
		if err != nil {
			t.Fatalf("resume %v: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("resume %v:\n%s", name, diff)
		}
	}
}

func TestWriteTwice(t *testing.T) {
	env, dir := world(t, nil)
	in := map[string]any{"question": "why?", "summary": "so", "name": "My Notes.md"}
	first, err := call[WriteOutput](t, Write(plain), env, in)
	if err != nil || first.Path != "my-notes.md" {
		t.Fatalf("Write = %+v, %v", first, err)
	}
	again, err := call[WriteOutput](t, Write(plain), env, in)
	if err != nil || again != first {
		t.Errorf("the same again = %+v, %v, want %+v", again, err, first)
	}
	_, err = call[WriteOutput](t, Write(plain), env, map[string]any{"question": "why?", "summary": "other", "name": "my notes"})
	if code(err) != "ARTIFACT_EXISTS" || !strings.Contains(err.Error(), "handoff my-notes.md: exists with another text; choose another name") {
		t.Errorf("another text under the name: %v (%s)", err, code(err))
	}
	kept, err := os.ReadFile(filepath.Join(dir, "my-notes.md"))
	if err != nil || !strings.Contains(string(kept), "\nso\n") {
		t.Errorf("the first text is gone: %v\n%s", err, kept)
	}
}

func TestWriteMasksBeforeNaming(t *testing.T) {
	env, dir := world(t, nil)
	masked := func(s string) string { return strings.ReplaceAll(s, "hunter2", "[REDACTED:word]") }
	out, err := call[WriteOutput](t, Write(masked), env, map[string]any{
		"question": "is hunter2 the password", "summary": "hunter2", "key_findings": []string{"hunter2"}, "notes": "hunter2",
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.Path, "is-redacted-word-the-password-") {
		t.Errorf("path = %q", out.Path)
	}
	text, _ := os.ReadFile(filepath.Join(dir, out.Path))
	if strings.Contains(string(text), "hunter2") || strings.Count(string(text), "[REDACTED:word]") != 4 {
		t.Errorf("text:\n%s", text)
	}
}

func TestResumeFindsTheLatest(t *testing.T) {
	env, dir := world(t, nil)
	for i, name := range []string{"b", "a", "c"} {
		out, err := call[WriteOutput](t, Write(plain), env, map[string]any{"question": "question " + name, "summary": "s", "name": name})
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 2, 3, min(i, 1), 0, 0, time.UTC) // a and c were written in the same minute
		if err := os.Chtimes(filepath.Join(dir, out.Path), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "readme.md"), []byte("# Readme\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := call[ResumeOutput](t, Resume(), env, nil)
	if err != nil || got.Name != "a.md" || got.Question != "question a" {
		t.Errorf("Resume = %+v, %v", got, err)
	}

	env.Deterministic = false
	listed, err := call[ListOutput](t, List(), env, map[string]any{"limit": 2})
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(Format(Document{Question: "question a", Summary: "s"})))
	want := ListOutput{Handoffs: []Entry{
		{Name: "a.md", Question: "question a", Bytes: size, Written: "2026-01-02T03:01:00Z"},
		{Name: "c.md", Question: "question c", Bytes: size, Written: "2026-01-02T03:01:00Z"},
	}, Total: 4, Truncated: true}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Error(diff)
	}
	_, err = call[ResumeOutput](t, Resume(), env, map[string]any{"name": "readme"})
	if code(err) != "HANDOFF_FORMAT" {
		t.Errorf("a readme: %v (%s)", err, code(err))
	}
	_, err = call[ResumeOutput](t, Resume(), env, map[string]any{"name": "d"})
	if code(err) != "HANDOFF_NOT_FOUND" || !strings.Contains(err.Error(), "handoff d.md: not found; the latest are readme.md, a.md, c.md") {
		t.Errorf("no such name: %v (%s)", err, code(err))
	}
}

func TestNoHandoffs(t *testing.T) {
	env, _ := world(t, nil)
	listed, err := call[ListOutput](t, List(), env, nil)
	if diff := cmp.Diff(ListOutput{Handoffs: []Entry{}}, listed); diff != "" || err != nil {
		t.Errorf("List: %v\n%s", err, diff)
	}
	_, err = call[ResumeOutput](t, Resume(), env, nil)
	if code(err) != "HANDOFF_NOT_FOUND" || err.Error() != "there is no handoff yet; create one first" {
		t.Errorf("Resume: %v (%s)", err, code(err))
	}
	env.Artifacts = nil
	for _, b := range []catalog.Builtin{Write(plain), List(), Resume()} {
		_, err := b.Run(t.Context(), env, map[string]any{})
		if code(err) != "ARTIFACTS_OFF" {
			t.Errorf("%s without a directory: %v", b.Name, err)
		}
	}
}

func TestCanceled(t *testing.T) {
	env, _ := world(t, map[string]string{"a.go": "x"})
	if _, err := call[WriteOutput](t, Write(plain), env, research); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, b := range []func() error{
		func() error { _, err := list(ctx, env, ListInput{}); return err },
		func() error { _, err := resume(ctx, env, ResumeInput{}); return err },
		func() error { return saveArtifact(ctx, env.Artifacts, "x.md", nil) },
	} {
		if err := b(); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v, want context.Canceled", err)
		}
	}
}

// TestNotesBehindALink has the notes of another project behind a link that came with the repository.
func TestNotesBehindALink(t *testing.T) {
	env, dir := world(t, nil)
	other := t.TempDir()
	text := Format(Document{Question: "whose is this", Summary: "another project's"})
	if err := os.WriteFile(filepath.Join(other, "note.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, dir); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for name, b := range map[string]catalog.Builtin{"write": Write(plain), "list": List(), "resume": Resume()} {
		for _, in := range []map[string]any{{"question": "q", "summary": "s", "name": "note"}, {"name": "note"}, {}} {
			if name == "write" && in["question"] == nil || name != "write" && in["question"] != nil || name == "list" && in["name"] != nil {
				continue
			}
			got, err := b.Run(t.Context(), env, in)
			if code(err) != "PATH_OUTSIDE" || strings.Contains(err.Error(), other) {
				t.Errorf("%s of %v: %v, %v (%s)", name, in, got, err, code(err))
			}
		}
	}
	if left, err := os.ReadDir(other); err != nil || len(left) != 1 {
		t.Errorf("the other project has %v, %v", left, err)
	}
}
