package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// canary stands in every file that must not be read.
const canary = "func CanaryQuokka() {}"

// opened is the shipped configuration over a tree, with a directory of configuration. A text "-> x" makes a link.
func opened(t *testing.T, work string, tree map[string]string, cue string, change func(*Options)) *Snapshot {
	t.Helper()
	plant(t, work, tree)
	config := t.TempDir()
	plant(t, config, map[string]string{"c.cue": "package compactor\n\n" + cue})
	opt := Options{Defaults: compactor.Defaults, Work: work, Place: consent.Place{Dir: config}, Builtins: builtins.All, Artifacts: filepath.Join(t.TempDir(), "out")}
	plant(t, opt.Artifacts, map[string]string{"note.md": "# Research Handoff\n\n## References\n\n- customers/acme.go:3\n- acme.go:3\n- src/internal.go:3\n- internal.go:3\n- src/.env:1\n"})
	if change != nil {
		change(&opt)
	}
	snap, diags, err := Load(t.Context(), opt)
	if err != nil || snap == nil {
		t.Fatal(err, diags.Err())
	}
	t.Cleanup(func() { _ = snap.Close() })
	return snap
}

func plant(t *testing.T, dir string, tree map[string]string) {
	t.Helper()
	for name, text := range tree {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if to, link := strings.CutPrefix(text, "-> "); err == nil && link {
			if err = os.Symlink(to, path); err != nil {
				t.Skipf("no links here: %v", err)
			}
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

var shop = map[string]string{
	".git/HEAD": "", ".gitignore": "*.gen.go\n", "src/open.go": "package src\n\nfunc Open() {}\n",
	"customers/acme.go": "package customers\n\n" + canary + "\n", "src/internal.go": "package src\n\n" + canary + "\n",
	"src/x.gen.go": "package src\n\n" + canary + "\n", "src/.env": canary, "src/deep/.aws/a.go": canary,
	"src/far": "-> ../customers", "src/out": "-> /etc",
}

// One directory in several spellings is one root: each place would be found twice.
func TestARootNamedTwiceIsOneRoot(t *testing.T) {
	work := t.TempDir()
	tree := map[string]string{"pkg/step.go": "package pkg\n\nfunc Step() {}\n", "other/pkg/step.go": "package pkg\n", "link": "-> pkg"}
	snap := opened(t, work, tree, "", func(o *Options) {
		o.Roots = map[string][]string{"code": {"./pkg", filepath.Join(work, "pkg"), "link", "pkg/../pkg", "other/pkg"}}
		o.OnlyRoots = true
	})
	if got := strings.Join(snap.Roots.Names(), " "); got != "pkg pkg-2" {
		t.Error(got)
	}
	if dir := snap.Roots.Roots()[1].Path(); filepath.Base(filepath.Dir(dir)) != "other" {
		t.Error(dir)
	}
}

const shopDeny = `sandbox: deny: ["customers/**", "src/internal.go"]`

// tells reports whether a reply knows a denied file. A note names what its writer named, whether it is there or not.
func tells(reply string) bool {
	if strings.Contains(reply, `"stale_count"`) {
		return strings.Contains(reply, `"resolves":true`)
	}
	for _, s := range []string{"acme", "internal.go", "gen.go", "func CanaryQuokka"} {
		if strings.Contains(reply, s) {
			return true
		}
	}
	return false
}

// TestRootsOfACallTakeNothingOffTheDenyList asks every shipped tool, narrowed to every directory and through --root,
// for what is denied from above; the same question finds it where nothing is denied.
func TestRootsOfACallTakeNothingOffTheDenyList(t *testing.T) {
	ask := func(svc *Service, tool, roots string) string {
		input := `{"question":"where is CanaryQuokka?","component":"CanaryQuokka","roots":` + roots + `}`
		var in map[string]json.RawMessage
		_ = json.Unmarshal([]byte(input), &in)
		got, _ := svc.Tool(tool)
		for name := range in {
			if got.Input.Field(name) == nil {
				delete(in, name)
			}
		}
		raw, _ := json.Marshal(in)
		reply, err := svc.Invoke(t.Context(), Call{Tool: tool, Args: raw, Deterministic: true})
		if err != nil {
			return err.Error()
		}
		return string(reply.JSON)
	}
	work := t.TempDir()
	denied := New(opened(t, work, shop, shopDeny, nil))
	t.Cleanup(func() { _ = denied.Close() })
	control := New(opened(t, t.TempDir(), shop, `sandbox: {allow: ["*"], no_ignore: true}`, nil))
	t.Cleanup(func() { _ = control.Close() })
	asked := 0
	for _, tool := range denied.Snapshot().Plan.Tools {
		if tool.Input.Field("roots") == nil {
			continue
		}
		if got := ask(control, tool.Name, `["customers"]`); !tells(got) {
			t.Errorf("%s does not find it where nothing is denied: %s", tool.Name, got)
		}
		for _, roots := range []string{"[]", `["."]`, `["customers"]`, `["src"]`, `["src","customers"]`, `["src/deep"]`, `["src/far"]`, `["src/out"]`, `["src/deep/.aws"]`,
			`["./src/../customers"]`, `["` + filepath.ToSlash(work) + `/customers"]`, `["CUSTOMERS"]`, `["src/"]`, `["../"]`, `["/"]`} {
			asked++
			if got := ask(denied, tool.Name, roots); tells(got) {
				t.Errorf("%s with roots %s: %s", tool.Name, roots, got)
			}
		}
		for _, root := range []string{"src", "customers"} {
			below := New(opened(t, work, nil, shopDeny, func(o *Options) { o.Roots = map[string][]string{"code": {root}} }))
			asked++
			if got := ask(below, tool.Name, "[]"); tells(got) {
				t.Errorf("%s with --root %s: %s", tool.Name, root, got)
			}
			_ = below.Close()
		}
	}
	if asked < 50 {
		t.Errorf("only %d questions", asked)
	}
}

// TestRootsOfACallAreFew asks with more directories than a person would name.
func TestRootsOfACallAreFew(t *testing.T) {
	snap := opened(t, t.TempDir(), map[string]string{"a/x.go": "package a\n"}, "", nil)
	many := make([]any, 100_000)
	for i := range many {
		many[i] = "a"
	}
	if _, err := snap.narrowRoots(many); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("100,000 roots: %v", err)
	}
	for _, odd := range []any{7, "", "a\x00b", "a\n", "~", "file:///etc", "a/x.go", strings.Repeat("a/", 5000), "\\\\host\\share", "C:\\"} {
		if n, err := snap.narrowRoots([]any{odd}); err == nil && n.set.Roots()[0].Path() != snap.Roots.Roots()[0].Path() {
			t.Errorf("%q is taken for %s", odd, n.set.Roots()[0].Path())
		}
	}
}

// TestRootsOfACallInARace reads through the roots of calls while links and directories are exchanged and directories
// move out of the root and back: 20,000 opens, 1,000,000 in the long form.
func TestRootsOfACallInARace(t *testing.T) {
	top := t.TempDir()
	work := filepath.Join(top, "work")
	snap := opened(t, work, map[string]string{
		"a/d/f": "fine", "b/f": "fine", "m/in/f": "fine", "priv/f": canary, ".ssh/f": canary, "c/d/f": "fine",
		"../outside/f": canary, "../outside/d/f": canary, "../outside/in/f": canary, "../away/f": canary, "../away/in2/f": canary,
		"a.link": "-> ../outside", "a/d.link": "-> ../../outside", "b.link": "-> priv", "c.link": "-> .ssh", "c/d.link": "-> ../../priv",
		"m.link": "-> ../outside", "keep/f": "fine",
	}, `sandbox: deny: ["priv/"]`, nil)
	var stop atomic.Bool
	var movers sync.WaitGroup
	mover := func(turn func()) {
		movers.Go(func() {
			for !stop.Load() {
				turn()
			}
		})
	}
	at := func(name string) string { return filepath.Join(work, name) }
	mover(func() {
		for _, n := range []string{"a", "b", "c", "m", "a/d", "c/d"} {
			_ = exchange(at(n), at(n+".link"))
		}
	})
	mover(func() { // the directory under way leaves the root, and comes back
		_ = os.Rename(at("m/in"), filepath.Join(top, "away", "in"))
		_ = os.Rename(filepath.Join(top, "away", "in"), at("m/in"))
	})
	defer movers.Wait()
	defer stop.Store(true)

	want := int64(20_000)
	if os.Getenv("COMPACTOR_LONG") != "" {
		want = 1_000_000
	}
	var opens, served, escapes atomic.Int64
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			var buf []byte
			for opens.Load() < want {
				for _, c := range []struct{ root, file string }{{"a", "d/f"}, {"a/d", "f"}, {"b", "f"}, {"c", "d/f"}, {"c/d", "f"}, {"m", "in/f"}, {"m/in", "f"}, {at("a"), "d/f"}, {"keep", "f"}} {
					opens.Add(1)
					n, err := snap.narrowRoots([]any{c.root})
					if err != nil {
						continue
					}
					root := n.set.Roots()[0]
					buf, err = root.ReadFile(t.Context(), c.file, buf)
					if strings.Contains(string(buf), canary) {
						escapes.Add(1)
					} else if err == nil {
						served.Add(1)
					}
					if opens.Load()%64 == 0 {
						entries, _, _ := root.Files(t.Context(), ".")
						_, _ = root.Scan(t.Context(), entries, 1, func(_, _ int, e sandbox.Entry, data []byte) {
							opens.Add(1)
							if strings.Contains(string(data), canary) {
								escapes.Add(1)
							}
						})
					}
				}
			}
		})
	}
	readers.Wait()
	t.Logf("%d opens: %d served, %d escapes", opens.Load(), served.Load(), escapes.Load())
	if escapes.Load() > 0 {
		t.Errorf("%d of %d opens read outside", escapes.Load(), opens.Load())
	}
	if served.Load() == 0 || served.Load() == opens.Load() {
		t.Error("the race was not run")
	}
}
