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
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestScanGolden lists the definitions of one file of each language.
func TestScanGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/scan/*.txtar")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			src := ar.Files[0]
			got := listing(Scan(src.Name, src.Data))
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(f, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(ar.Files) != 2 {
				t.Fatal("no golden section; run with -update")
			}
			if d := cmp.Diff(string(ar.Files[1].Data), got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

func listing(defs []Def) string {
	var b strings.Builder
	for _, d := range defs {
		name := d.Name
		if d.Container != "" {
			name = d.Container + " / " + d.Name
		}
		mark := " "
		if d.Exported {
			mark = "+"
		}
		fmt.Fprintf(&b, "%d-%d %s%s %s", d.Line, d.EndLine, mark, d.Kind, name)
		if d.Doc != "" {
			fmt.Fprintf(&b, " | %s", d.Doc)
		}
		b.WriteString("\n")
	}
	return b.String()
}
