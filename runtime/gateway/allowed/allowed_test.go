package allowed_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"compactor/runtime/gateway/allowed"
)

func TestOnlyWhatWasAllowedMayStart(t *testing.T) {
	state, dir, other := filepath.Join(t.TempDir(), "state"), t.TempDir(), t.TempDir()
	list := allowed.In(state)
	if list.Has(dir, "a") {
		t.Error("allowed before anybody said so")
	}
	for _, digest := range []string{"a", "b", "b"} {
		if err := list.Add(dir, digest); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir
	}
	for _, c := range []struct {
		dir, digest string
		want        bool
	}{{dir, "a", true}, {link, "b", true}, {dir, "c", false}, {other, "a", false}} {
		if got := allowed.In(state).Has(c.dir, c.digest); got != c.want {
			t.Errorf("%s of %s is allowed: %v", c.digest, filepath.Base(c.dir), got)
		}
	}
}

func TestADamagedListAllowsNothingAndIsNotWrittenOver(t *testing.T) {
	state := t.TempDir()
	path := filepath.Join(state, "allowed.json")
	for _, text := range []string{`{"x":["a"]`, `[]`, `null`, ``, `{"x":"a"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if allowed.In(state).Has("x", "a") {
			t.Errorf("%q allows", text)
		}
		if err := allowed.In(state).Add("x", "b"); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%q: %v", text, err)
		}
		if now, _ := os.ReadFile(path); string(now) != text {
			t.Errorf("%q became %q", text, now)
		}
	}
}

func TestWithoutAStateDirectoryNothingIsAllowed(t *testing.T) {
	if allowed.In("").Has("x", "a") || allowed.In("").Add("x", "a") == nil {
		t.Error("allowed, and remembered nowhere")
	}
}
