package plan_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const want = "want"

// TestMistakes holds the diagnostics of every wrong configuration in
// testdata/mistakes against the text beside it, to the letter.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	files, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got, list := diagnose(t, ar)
			for _, d := range list {
				if d.Range.Line == 0 || !userFile(ar, d.Range.File) {
					t.Errorf("%s has no place in a user file: %s", d.Code, d.Text())
				}
				if _, ok := diag.Explain(d.Code); !ok {
					t.Errorf("code %s is not explained", d.Code)
				}
			}
			compare(t, f, ar, got)
		})
	}
}

func diagnose(t *testing.T, ar *txtar.Archive) (string, diag.List) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range ar.Files {
		if f.Name == want {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cfg, list, err := config.Load(context.Background(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	if list.HasErrors() {
		t.Fatalf("the mistake is found by config, not by plan: %v", list.Err())
	}
	cat, err := catalog.Of(builtins.All(func(s string) string { return s })...)
	if err != nil {
		t.Fatal(err)
	}
	_, more := plan.Compile(cfg, cat)
	if len(more) == 0 {
		t.Fatal("no diagnostic")
	}
	var b bytes.Buffer
	text := func(file string) []byte {
		for _, f := range ar.Files {
			if f.Name == file {
				return f.Data
			}
		}
		return nil
	}
	if err := diag.Text(&b, more, text); err != nil {
		t.Fatal(err)
	}
	return b.String(), more
}

func userFile(ar *txtar.Archive, name string) bool {
	for _, f := range ar.Files {
		if f.Name == name && name != want {
			return true
		}
	}
	return false
}

func compare(t *testing.T, file string, ar *txtar.Archive, got string) {
	t.Helper()
	if *update {
		files := ar.Files[:0:0]
		for _, f := range ar.Files {
			if f.Name != want {
				files = append(files, f)
			}
		}
		ar.Files = append(files, txtar.File{Name: want, Data: []byte(got)})
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range ar.Files {
		if f.Name == want {
			if d := cmp.Diff(string(f.Data), got); d != "" {
				t.Errorf("%s: -want +got\n%s", file, d)
			}
			return
		}
	}
	t.Errorf("%s has no section %q; run with -update", file, want)
}
