package redact

import (
	"os"
	"path/filepath"
	"testing"
)

// The tools of public servers, with all that they say of passwords and tokens, pass as they are: what is masked of a
// definition is what a client is then shown.
func TestDefinitionsOfRealServersHoldNoSecrets(t *testing.T) {
	files, err := filepath.Glob("../../retrieval/toolrank/testdata/servers/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, n, _ := Default().JSON(t.Context(), data, Frame{}); n > 0 || string(got) != string(data) {
			t.Errorf("%s: %d found", file, n)
		}
	}
}
