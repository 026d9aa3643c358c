package toolrank

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// TestListsSayWhereTheyComeFrom reads the headers of the word lists.
func TestListsSayWhereTheyComeFrom(t *testing.T) {
	files, _ := filepath.Glob("lists/*.txt")
	if len(files) < 9 {
		t.Fatalf("only %d lists", len(files))
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(data), "\n\n")
		if !strings.Contains(header, "\n# Source: ") || !strings.Contains(header, "Licence: ") || len(words.Set(header)) > 0 {
			t.Errorf("%s does not say in its header where it comes from:\n%s", path, header)
		}
	}
}

// TestEverydayLinesAreRead: a line without both sides would be left out silently.
func TestEverydayLinesAreRead(t *testing.T) {
	for _, text := range []string{everyday, kinds} {
		for line := range words.Lines(text) {
			if said, meaning, ok := strings.Cut(line, " > "); !ok || strings.TrimSpace(said) == "" || strings.TrimSpace(meaning) == "" {
				t.Errorf("%q is no line of the list", line)
			}
		}
	}
}
