package sandbox

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

func (r *Root) mustSub(t *testing.T, dir string) *Root {
	t.Helper()
	view, err := r.Sub("view", dir)
	must(t, err)
	return view
}

// TestViewKeepsTheRulesOfItsRoot looks at a directory through a view: what the root denies and ignores is denied and
// ignored there too.
func TestViewKeepsTheRulesOfItsRoot(t *testing.T) {
	needLinks(t)
	eachMode(t, func(t *testing.T, m mode) {
		dir := plant(t, map[string]string{
			".gitignore": "*.log\n/src/gen/\n", "src/a.go": "a", "src/sub/b.go": "b", "src/x.log": "log", "src/gen/g.go": "g",
			"src/.gitignore": "!keep.log\n", "src/keep.log": "kept",
			"src/internal.txt": canary, "src/priv/k.txt": canary, "customers/acme.txt": canary, "src/.env": canary,
			"src/up": "-> ../other/o.txt", "src/round": "-> ../src/a.go", "src/in": "-> sub/b.go", "src/dir": "-> ../other",
			"other/o.txt": canary, "alias": "-> src", "src/deny": "-> priv",
		})
		r := m.open(t, dir, Options{Deny: []string{"customers/**", "src/internal.txt", "/src/priv/"}})
		v := r.mustSub(t, "src")
		if v.Path() != filepath.Join(r.Path(), "src") || v.Name() != "view" {
			t.Errorf("the view is %s at %s", v.Name(), v.Path())
		}
		served(t, v, "a.go", "a")
		served(t, v, "sub/b.go", "b")
		served(t, v, "in", "b")
		for _, path := range []string{"internal.txt", "priv/k.txt", "priv", ".env", "deny/k.txt"} {
			refused(t, v, path, ErrDenied)
		}
		for _, path := range []string{"../other/o.txt", "..", "../src/a.go", "up", "round", "dir/o.txt", "dir", "sub/../../other/o.txt"} {
			refused(t, v, path, ErrOutside)
		}
		refused(t, v, "src/a.go", ErrNotFound)
		if got := strings.Join(filesOf(t, v, "."), " "); got != ".gitignore a.go keep.log sub/b.go" {
			t.Errorf("listed: %s", got)
		}
		if got := strings.Join(filesOf(t, v, "sub"), " "); got != "sub/b.go" {
			t.Errorf("listed below: %s", got)
		}
		if got := strings.Join(filesOf(t, v, "gen"), " "); got != "gen/g.go" {
			t.Errorf("what is asked for by name: %s", got)
		}
		if got := filesOf(t, r.mustSub(t, "customers"), "."); len(got) > 0 {
			t.Errorf("a denied directory lists %q", got)
		}
		read, _ := scanned(t, v, []Entry{{Path: "a.go"}, {Path: "internal.txt"}, {Path: "../other/o.txt"}, {Path: "priv/k.txt"}, {Path: "up"}, {Path: "sub/b.go"}})
		if len(read) != 2 || read["a.go"] != "a" || read["sub/b.go"] != "b" {
			t.Errorf("scanned: %q", read)
		}
		entries, _, err := v.List(context.Background(), ".")
		must(t, err)
		for _, e := range entries {
			if strings.HasPrefix(e.Path, "src") || e.Path == "internal.txt" || e.Path == "priv" || e.Path == "gen" {
				t.Errorf("List gives %s", e.Path)
			}
		}
		one, err := v.Stat("sub/b.go")
		if err != nil || one.Path != "sub/b.go" {
			t.Errorf("Stat: %v, %v", one, err)
		}
		inner := v.mustSub(t, "sub")
		served(t, inner, "b.go", "b")
		refused(t, inner, "../a.go", ErrOutside)
		for _, bad := range []string{"alias", "src/dir", "none", "src/a.go", "..", "/", "src/priv", ".ssh"} {
			if got, err := r.Sub("view", bad); err == nil {
				t.Errorf("Sub(%s) gives %s", bad, got.Path())
			}
		}
	})
}

// TestViewKeepsTheGuardsOfItsSet takes a view of a root that overlaps another one, and puts it into a set of its own.
func TestViewKeepsTheGuardsOfItsSet(t *testing.T) {
	dir := plant(t, map[string]string{"a/b/keep.txt": "k", "a/b/c/s.txt": canary})
	outer, inner := modes[0].open(t, dir, Options{}), modes[0].open(t, filepath.Join(dir, "a/b"), Options{Deny: []string{"c/"}})
	inner.name = "inner"
	roots := NewSet(outer, inner).Roots()
	alone := NewSet(roots[0].mustSub(t, "a")).Roots()[0]
	served(t, alone, "b/keep.txt", "k")
	refused(t, alone, "b/c/s.txt", ErrDenied)
	both := NewSet(roots[0].mustSub(t, "a"), roots[1]).Roots()
	refused(t, both[0], "b/c/s.txt", ErrDenied)
	refused(t, both[1], "c/s.txt", ErrDenied)
}

// TestRootBelowAnAnchor opens a directory below the configured one as a root of its own.
func TestRootBelowAnAnchor(t *testing.T) {
	dir := plant(t, map[string]string{"src/internal.txt": canary, "src/a.txt": "a", "customers/x.txt": canary, "customers/in/y.txt": canary, "off/z.txt": canary,
		".config/gh/hosts.yml": canary, ".config/app.txt": "app", ".config/sops/age/keys.txt": canary})
	opt := Options{Deny: []string{"customers/**", "/src/internal.txt", "off"}, Anchors: []string{dir, filepath.Join(dir, "none")}}
	r := modes[0].open(t, filepath.Join(dir, "src"), opt)
	served(t, r, "a.txt", "a")
	refused(t, r, "internal.txt", ErrDenied)
	if got := strings.Join(filesOf(t, r, "."), " "); got != "a.txt" {
		t.Errorf("listed: %s", got)
	}
	r = modes[0].open(t, filepath.Join(dir, "customers"), opt)
	refused(t, r, "x.txt", ErrDenied)
	refused(t, r, "in/y.txt", ErrDenied)
	for _, below := range []string{"off", "customers/in"} {
		if r, err := OpenRoot("code", filepath.Join(dir, below), opt); err == nil {
			r.Close()
			t.Errorf("%s is denied, and was opened as a root", below)
		}
	}
	r = modes[0].open(t, filepath.Join(dir, ".config"), Options{})
	served(t, r, "app.txt", "app")
	refused(t, r, "gh/hosts.yml", ErrDenied)
	refused(t, r, "sops/age/keys.txt", ErrDenied)
	refused(t, modes[0].open(t, filepath.Join(dir, ".config"), Options{}), "gh", ErrDenied)
}

// TestIgnoreFilesAboveARoot opens a directory of a repository as a root.
func TestIgnoreFilesAboveARoot(t *testing.T) {
	tests := []struct {
		name, root string
		files      map[string]string
		opt        Options
		want       string
	}{
		{"the repository's rules hold", "src", map[string]string{".git/": "", ".gitignore": "*.log\n/src/gen/\n", "src/a.go": "", "src/x.log": "", "src/gen/g.go": "", "src/deep/y.log": ""}, Options{}, "a.go"},
		{"each level, the nearest last", "a/b", map[string]string{".git/": "", ".gitignore": "*.log\n", "a/.gitignore": "!b/keep.log\n", "a/b/keep.log": "", "a/b/c/keep.log": "", "a/b/d.go": ""}, Options{}, "d.go keep.log"},
		{"the root's own win", "src", map[string]string{".git/": "", ".gitignore": "*.log\n", "src/.gitignore": "!x.log\n", "src/x.log": ""}, Options{}, ".gitignore x.log"},
		{".ignore and exclude", "src", map[string]string{".git/info/exclude": "*.tmp\n", ".ignore": "/src/big/\n", "src/a.tmp": "", "src/big/b": "", "src/c": ""}, Options{}, "c"},
		{"no repository, no rules", "src", map[string]string{".gitignore": "*.log\n", "src/x.log": ""}, Options{}, "x.log"},
		{"a repository of its own", "src", map[string]string{".git/": "", ".gitignore": "*.log\n", "src/.git/": "", "src/x.log": ""}, Options{}, "x.log"},
		{"one that ignores the root has no say", "home/src", map[string]string{".git/": "", ".gitignore": "*\n", "home/src/x.log": ""}, Options{}, "x.log"},
		{"installed things of a repository count", "web", map[string]string{".git/": "", "web/node_modules/x.js": ""}, Options{}, "node_modules/x.js"},
		{"switched off", "src", map[string]string{".git/": "", ".gitignore": "*.log\n", "src/x.log": ""}, Options{NoIgnore: true}, "x.log"},
		{"a link is no ignore file", "src", map[string]string{".git/": "", "rules": "*.log\n", ".gitignore": "-> rules", "src/x.log": ""}, Options{}, "x.log"},
	}
	needLinks(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, m mode) {
				r := m.open(t, filepath.Join(plant(t, tt.files), tt.root), tt.opt)
				if got := strings.Join(filesOf(t, r, "."), " "); got != tt.want {
					t.Errorf("listed %q, want %q", got, tt.want)
				}
				list, err := r.ReadDir(context.Background(), ".")
				must(t, err)
				for _, e := range list {
					if strings.HasSuffix(e.Path, ".log") && !strings.Contains(tt.want, e.Path) {
						t.Errorf("ReadDir gives %s", e.Path)
					}
				}
			})
		})
	}
}

func TestLongNamesOfRoots(t *testing.T) {
	for name, ok := range map[string]bool{"": false, strings.Repeat("n", maxRootName): true, strings.Repeat("n", maxRootName+1): false, "...": false} {
		r, err := OpenRoot(name, t.TempDir(), Options{})
		if (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
		if err == nil {
			r.Close()
		}
	}
}
