package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

// What a project's file says stands in no command so that a shell would obey it.
func TestWordsOfAProjectInACommand(t *testing.T) {
	for word, want := range map[string]string{
		"src/a": "src/a", "$(id)": `'$(id)'`, "`id`": "'`id`'", "a b": "'a b'", "it's;id": `'it'\''s;id'`, "a\nid": "'aid'", "": "''", "-x": "'-x'", "a\u202eb": "'ab'",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
	work := t.TempDir()
	text := `{"mcpServers":{"compactor":{"command":"` + "no-such-program/compactor" + `","args":["serve","--root","$(touch x)","--root","` + "`id`" + `"]}}}`
	text = strings.ReplaceAll(text, "no-such-program", filepath.ToSlash(filepath.Join(work, "gone")))
	if err := os.WriteFile(filepath.Join(work, ".mcp.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	i := &installs{place: clients.Place{Home: t.TempDir(), GOOS: runtime.GOOS, Getenv: func(string) string { return "" }}, work: work}
	c, err := clients.Find("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	checks := i.ofProject(t.Context(), c)
	if len(checks) != 1 || checks[0].Level != Bad || !strings.Contains(checks[0].Do, "--root '$(touch x)' --root '`id`'") {
		t.Errorf("%+v", checks)
	}
}
