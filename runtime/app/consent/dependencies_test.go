package consent_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
)

// What a project's dependency runs, and where it has others connect to, is part of what is allowed, files included.
func TestDependenciesWait(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	c := newClone(t)
	put(t, filepath.Join(c.work, "run.sh"), "echo 1")
	put(t, filepath.Join(c.work, "ready.sh"), "exit 0")
	put(t, filepath.Join(c.work, "probe"), "exit 0")
	base := `dependencies: db: {command: "./run.sh", args: ["-p", "1"], env: {A: "${B}", PATH: "` + c.work + `"}, check: ["./ready.sh", "now"], addr: "127.0.0.1:1"}` + "\n"
	named := strings.Replace(base, `"./ready.sh"`, `"probe"`, 1)
	list := consent.Allowed(t.TempDir())
	look := func(text string, allow bool) *consent.Effects {
		t.Helper()
		c.write(t, "", text)
		w := c.world(t)
		cfg, ok := c.load(t, w)
		if !ok {
			t.Fatalf("not valid: %s", text)
		}
		all := consent.Of(cfg, w)
		if allow {
			if err := list.Add(w.Dir, all); err != nil {
				t.Fatal(err)
			}
		} else if held, fresh := all.Held(list, w.Dir) != nil, all.FreshDependency(cfg.Dependencies["db"], w); !fresh {
			t.Errorf("held %t, and its files are others than those just looked at", held)
		}
		return all.Held(list, w.Dir)
	}
	if look(base, false) == nil {
		t.Fatal("nothing waits at first")
	}
	look(base, true)
	look(named, true)
	if look(base, false) != nil || look(named, false) != nil {
		t.Fatal("what was allowed waits")
	}
	for name, text := range map[string]string{
		"the program": strings.Replace(base, "./run.sh", "./ready.sh", 1),
		"an argument": strings.Replace(base, `"1"`, `"2"`, 1),
		"a variable":  strings.Replace(base, "${B}", "${C}", 1),
		"the check":   strings.Replace(base, `"now"`, `"later"`, 1),
		"the address": strings.Replace(base, "127.0.0.1:1", "192.0.2.1:1", 1),
		"a directory": base + `dependencies: db: dir: "src"`,
		"a page":      base + `dependencies: db: health: "http://192.0.2.1/"`,
		"another one": base + `dependencies: web: command: "x"`,
	} {
		if look(text, false) == nil {
			t.Errorf("%s changed, and nothing waits", name)
		}
	}
	for file, text := range map[string]string{"run.sh": base, "ready.sh": base, "probe": named, ".compactor/secrets.env": base} {
		path := filepath.Join(c.work, file)
		put(t, path, "changed")
		if look(text, false) == nil {
			t.Errorf("%s changed, and nothing waits", file)
		}
		switch file {
		case "run.sh":
			put(t, path, "echo 1")
		default:
			put(t, path, "exit 0")
		}
	}
}

// Without a dependency that waits, those that need it are left out as well, the user's own too.
func TestWithoutHeldDependencies(t *testing.T) {
	r, cfg, w := reach(t, `dependencies: {own: command: "x", asks: {command: "x", needs: ["web"]}}`+"\n",
		`dependencies: {db: command: "x", web: {command: "x", needs: ["db"]}}`+"\n")
	got := consent.Restrained(cfg, r.Only("dependencies.db"), w)
	if names := slices.Sorted(maps.Keys(got.Dependencies)); !slices.Equal(names, []string{"own"}) {
		t.Errorf("left: %v", names)
	}
	if len(cfg.Dependencies) != 4 {
		t.Error("the configuration itself was changed")
	}
}
