package find

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
)

var ignoreLevel = cmpopts.IgnoreUnexported(LsEntry{})

func TestLs(t *testing.T) {
	r := codetest.WriteRoot(t, "code", map[string]string{
		".gitignore": "dist/\n", "a.go": "12345", "dist/x": "", "src/b.go": "1", "src/deep/c.go": "1", "src/deep/er/d.go": "1",
		"src-gen/e.go": "12", ".env": "X=1",
	})
	if err := os.Mkdir(filepath.Join(r.Path(), "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := codetest.EnvWithRoots(t, r)
	ignore, a := LsEntry{Path: ".gitignore", Kind: "file", Bytes: 6}, LsEntry{Path: "a.go", Kind: "file", Bytes: 5}
	empty, gen := LsEntry{Path: "empty", Kind: "dir"}, LsEntry{Path: "src-gen", Kind: "dir", Files: 1}
	src, deep := LsEntry{Path: "src", Kind: "dir", Files: 3}, LsEntry{Path: "src/deep", Kind: "dir", Files: 2}
	b, c := LsEntry{Path: "src/b.go", Kind: "file", Bytes: 1}, LsEntry{Path: "src/deep/c.go", Kind: "file", Bytes: 1}
	e, er := LsEntry{Path: "src-gen/e.go", Kind: "file", Bytes: 2}, LsEntry{Path: "src/deep/er", Kind: "dir", Files: 1}
	tests := []struct {
		name string
		in   map[string]any
		want LsOutput
	}{
		{"top", nil, LsOutput{Entries: []LsEntry{ignore, a, empty, src, gen}, Total: 5}},
		{"one directory", map[string]any{"path": "src"}, LsOutput{Entries: []LsEntry{b, deep}, Total: 2}},
		{"two levels", map[string]any{"depth": 2}, LsOutput{Entries: []LsEntry{ignore, a, empty, src, gen, e, b, deep}, Total: 8}},
		{"three levels", map[string]any{"path": "src/", "depth": 3}, LsOutput{
			Entries: []LsEntry{b, deep, c, er, {Path: "src/deep/er/d.go", Kind: "file", Bytes: 1}}, Total: 5}},
		{"upper levels first", map[string]any{"depth": 3, "limit": 6}, LsOutput{Entries: []LsEntry{ignore, a, empty, src, gen, b}, Total: 10, Truncated: true}},
		{"a file", map[string]any{"path": "a.go"}, LsOutput{Entries: []LsEntry{a}, Total: 1}},
		{"an empty directory", map[string]any{"path": "empty"}, LsOutput{Entries: []LsEntry{}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, codetest.MustCall[LsOutput](t, Ls(), env, tt.in), ignoreLevel); diff != "" {
				t.Error(diff)
			}
		})
	}
	_, err := codetest.Call[LsOutput](t, Ls(), env, map[string]any{"path": "srcs"})
	codetest.WantError(t, err, "PATH_NOT_FOUND", "code: srcs: not found; did you mean src/?")
}

func TestLsOverSeveralRoots(t *testing.T) {
	env := codetest.EnvWithRoots(t, codetest.WriteRoot(t, "web", map[string]string{"src/a.ts": "1"}), codetest.WriteRoot(t, "api", map[string]string{"b.go": "12"}))
	api, web := LsEntry{Path: "api", Kind: "dir", Files: 1}, LsEntry{Path: "web", Kind: "dir", Files: 1}
	b, src := LsEntry{Path: "api/b.go", Kind: "file", Bytes: 2}, LsEntry{Path: "web/src", Kind: "dir", Files: 1}
	for depth, want := range map[int][]LsEntry{1: {api, web}, 2: {api, b, web, src}} {
		out := codetest.MustCall[LsOutput](t, Ls(), env, map[string]any{"depth": depth})
		if diff := cmp.Diff(LsOutput{Entries: want, Total: len(want)}, out, ignoreLevel); diff != "" {
			t.Errorf("depth %d:\n%s", depth, diff)
		}
	}
	out := codetest.MustCall[LsOutput](t, Ls(), env, map[string]any{"path": "web"})
	if diff := cmp.Diff([]LsEntry{src}, out.Entries, ignoreLevel); diff != "" {
		t.Error(diff)
	}
}
