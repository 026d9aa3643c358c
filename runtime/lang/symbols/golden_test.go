package symbols

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor/runtime/base/notebook"
)

var update = flag.Bool("update", false, "rewrite the expected listings of testdata/golden")

// TestGolden compares what is found in each input file with the listing that
// follows it. A line reads: lines, + when exported, kind, container, name,
// signature, doc.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			goldenFile(t, path)
		})
	}
}

func goldenFile(t *testing.T, path string) {
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := txtar.Parse(old)
	out := &txtar.Archive{Comment: in.Comment}
	for _, f := range in.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(listing(f.Name, f.Data))})
	}
	got := txtar.Format(out)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(old), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func listing(name string, src []byte) string {
	if Language(name) == Notebook {
		src, _ = notebook.Lines(src)
	}
	var b strings.Builder
	for _, d := range Scan(name, src) {
		exported := " "
		if d.Exported {
			exported = "+"
		}
		fmt.Fprintf(&b, "%d-%d %s%s %s", d.Line, d.EndLine, exported, d.Kind, d.Name)
		if d.Container != "" {
			fmt.Fprintf(&b, " in %s", d.Container)
		}
		fmt.Fprintf(&b, ": %s", d.Signature)
		if d.Doc != "" {
			fmt.Fprintf(&b, " | %s", d.Doc)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
