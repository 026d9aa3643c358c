package compactor_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTheMapNamesEveryPackage fails for a package that docs/architecture.md does
// not have: the map is what a new maintainer reads first.
func TestTheMapNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range list(t) {
		rel := strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/")
		if rel != "" && !strings.Contains(string(text), "`"+rel+"`") {
			t.Errorf("docs/architecture.md does not name %s", rel)
		}
	}
}

// TestTheMapListsTheLayers holds the first table of docs/architecture.md against the
// layers that the imports are held to.
func TestTheMapListsTheLayers(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| --- | --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var want, got []string
	for _, l := range layers {
		want = append(want, l.dir)
	}
	slices.Reverse(want) // the highest layer comes first there
	for row := range strings.Lines(table) {
		_, dir, _ := strings.Cut(row, "`")
		dir, _, _ = strings.Cut(dir, "`")
		got = append(got, dir)
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/architecture.md lists the layers\n%q, want\n%q", got, want)
	}
}

// paths are what looks like a place in this repository.
var paths = regexp.MustCompile("(?:^|[\\s`(\"])((?:runtime|builtins|cmd|docs|schemas|pipelines)/[a-zA-Z0-9_./-]*[a-zA-Z0-9_])")

// TestDocumentsNameWhatIsThere holds the paths in documents and in package
// comments against the tree.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !(filepath.Ext(path) == ".md" || d.Name() == "doc.go") || path == "CHANGELOG.md": // which tells of what was
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range paths.FindAllStringSubmatch(string(text), -1) {
			seen++
			if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
				t.Errorf("%s names %s, which is not there", path, m[1])
			}
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d paths: %v", seen, err)
	}
}
