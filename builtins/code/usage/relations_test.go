package usage

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// TestRelations holds what is said of small trees, one for each language, against what
// stands at the head of each: every place that calls a definition, and no other.
func TestRelations(t *testing.T) {
	files, err := filepath.Glob("testdata/relations/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no trees:", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tree := map[string]string{}
			for _, f := range archive.Files {
				tree[f.Name] = string(f.Data)
			}
			want := string(archive.Comment)
			if d := cmp.Diff(inOrder(want), inOrder(relationsOf(t, tree, want))); d != "" {
				t.Error(d)
			}
		})
	}
}

// relationsOf says of each line "of path:line Name" who uses what is defined there.
func relationsOf(t *testing.T, files map[string]string, want string) string {
	t.Helper()
	env := codetest.NewEnv(t, files)
	var b strings.Builder
	for line := range strings.Lines(want) {
		ref, name, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "of "), " ")
		if !strings.HasPrefix(line, "of ") || !ok {
			continue
		}
		at := contract.ParseReference(ref)
		targets := []Target{{Name: find.ParseSymbolName(name).Base, Ref: at, Root: "code"}}
		found, err := FindUses(t.Context(), env, targets)
		if err != nil {
			t.Fatal(err)
		}
		var of []rooted
		for _, d := range found.defsOf(0, "code") {
			if d.Path == at.Path && d.Line == at.Line {
				of = append(of, rooted{"code", d})
			}
		}
		if len(of) != 1 {
			t.Fatalf("%s is defined %d times at %s", name, len(of), ref)
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(line))
		s := found.sites(t.Context(), env, 0, of)
		for _, at := range s.sure {
			what := "yes"
			switch {
			case at.bucket == coderank.Test:
				what = "test"
			case at.Form == relation.Value:
				what = "value"
			}
			fmt.Fprintf(&b, "%s %s\n", what, at.ref())
		}
		for _, at := range s.may {
			fmt.Fprintf(&b, "may %s\n", at.ref())
		}
	}
	return b.String()
}

// inOrder sorts the places of each definition.
func inOrder(text string) string {
	var out, block []string
	for _, line := range append(strings.Split(strings.TrimSpace(text), "\n"), "of") {
		if strings.HasPrefix(line, "of") {
			slices.Sort(block)
			out = append(out, block...)
			block = nil
			out = append(out, line)
			continue
		}
		block = append(block, line)
	}
	return strings.Join(out, "\n")
}
