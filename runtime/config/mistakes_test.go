package config_test

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
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// want is the section of an archive that holds the diagnostics.
const want = "want"

// TestMistakes holds the diagnostics of every wrong configuration in
// testdata/mistakes against the text beside it, to the letter. Each must point
// into a user's file and have an explained code.
func TestMistakes(t *testing.T) {
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
			_, list, err := config.Load(context.Background(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: write(t, ar)}}})
			if err != nil {
				t.Fatal(err)
			}
			if !list.HasErrors() {
				t.Error("no mistake was found")
			}
			for _, d := range list {
				if d.Range.Line == 0 || content(ar, d.Range.File) == nil {
					t.Errorf("%s has no place in a user's file: %s", d.Code, d.Text())
				}
				if _, ok := diag.Explain(d.Code); !ok {
					t.Errorf("code %s is not explained", d.Code)
				}
			}
			var b bytes.Buffer
			if err := diag.Text(&b, list, func(file string) []byte { return content(ar, file) }); err != nil {
				t.Fatal(err)
			}
			golden(t, f, ar, b.String())
		})
	}
}

// write puts an archive's files into a directory of the test's own.
func write(t testing.TB, ar *txtar.Archive) string {
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
	return dir
}

func content(ar *txtar.Archive, name string) []byte {
	for _, f := range ar.Files {
		if f.Name == name && name != want {
			return f.Data
		}
	}
	return nil
}

func golden(t *testing.T, file string, ar *txtar.Archive, got string) {
	t.Helper()
	var kept []txtar.File
	old := ""
	for _, f := range ar.Files {
		if f.Name == want {
			old = string(f.Data)
			continue
		}
		kept = append(kept, f)
	}
	if !*update {
		if d := cmp.Diff(old, got); d != "" {
			t.Errorf("%s: -want +got\n%s", file, d)
		}
		return
	}
	ar.Files = append(kept, txtar.File{Name: want, Data: []byte(got)})
	if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
		t.Fatal(err)
	}
}
