package builtins_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// What lies under the denied names, and what of it a reply must not have. The word that is asked for may be repeated.
const (
	hiddenText = "// ZebraMarker answers.\nfunc ZebraMarker() int { return Quokka(41, \"the striped marker was lost\") }\n" +
		"\nvar stripes = flag.Int(\"zebra-stripes\", 41, \"stripes that a Quokka has\")\n"
	wanted = "ZebraMarker"
)

var (
	hiddenNames = []string{
		"src/customers/acme.go", "src/customers/acme_test.go", "src/customers/deep/er/acme.go", "src/internal_acme.go", "customers/acme.go",
		"src/.aws/acme.go", "src/conf/acme.tfvars", "src/acme.env", "src/.ssh/acme.go",
	}
	tells = []string{"Quokka", "acme"}
	deny  = []string{"customers/**", "src/customers/**", "*internal_acme*"}
)

// asks are what every text field of every builtin is filled with.
var asks = []string{
	wanted, "where is ZebraMarker?", "how does ZebraMarker work", "func ZebraMarker", "Zebra", "examples of ZebraMarker", "Error: the striped marker was lost", "which flag sets the zebra-stripes?", "", ".", "/", "**", "*", "*.go", "*.*",
	"customers", "src/customers", "src/customers/deep", "src/.aws", "src", "src/conf", "customers/**",
	"src/customers/acme.go", "src/customers/acme.go:2", "customers/acme.go:2", "customers/deep/er/acme.go:1", "src//customers/./acme.go", "src/customers/../customers/acme.go:2",
	"SRC/Customers/ACME.go", "src/internal_acme.go:2", "internal_acme.go", "acme.go", "acme.go:2", "src/.aws/acme.go", "src/conf/acme.tfvars:1", "conf/acme.tfvars", "acme.env", "src/acme.env:1", "src/.ssh/acme.go",
	"src/door/acme.go:2", "src/door", "door/acme.go", "src/door.go:2", "door.go", "../customers/acme.go", "../src/customers/acme.go:1",
}

// world is a tree with or without what is to be hidden, and the ways in which a request may see it.
func world(t *testing.T, hidden bool, opt sandbox.Options) map[string]*catalog.Env {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "src/open.go", "package src\n\nfunc Open() int { return 1 }\n")
	write(t, dir, "docs/a.md", "# Open\n")
	for _, name := range hiddenNames {
		text := hiddenText
		if strings.HasSuffix(name, ".go") {
			text = "package hidden\n\n" + text + "\nfunc AddZebraMarker(m any) int { return Quokka(42) }\n"
		}
		if strings.HasSuffix(name, "_test.go") {
			text += "\nfunc TestZebraMarkerQuokka() { ZebraMarker() }\n"
		}
		if hidden {
			write(t, dir, name, text)
		} else if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"src/door": "customers", "src/door.go": "customers/acme.go"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	opt.Anchors = []string{dir}
	open := func(name, at string) *sandbox.Root {
		r, err := sandbox.OpenRoot(name, filepath.Join(dir, at), opt)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r
	}
	whole := open("code", ".")
	view := func(at string) *sandbox.Root {
		r, err := whole.Sub(filepath.Base(at), at)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	sets := map[string]*sandbox.Set{
		"the root":            sandbox.NewSet(whole),
		"a view of src":       sandbox.NewSet(view("src")),
		"a view of customers": sandbox.NewSet(view("customers")),
		"two views":           sandbox.NewSet(view("src"), view("customers")),
		"src as a root":       sandbox.NewSet(open("src", "src")),
		"customers as a root": sandbox.NewSet(open("customers", "customers")),
	}
	out := map[string]*catalog.Env{}
	for name, set := range sets {
		artifacts, err := sandbox.OpenArtifacts(t.TempDir(), "notes", sandbox.ArtifactOptions{})
		if err != nil {
			t.Fatal(err)
		}
		note := "# Research Handoff\n\n## Question\n\nq\n\n## References\n\n- " + strings.Join(asks, "\n- ") + "\n"
		if err := artifacts.Write(t.Context(), "note.md", []byte(note), true); err != nil {
			t.Fatal(err)
		}
		out[name] = &catalog.Env{Roots: set, Artifacts: artifacts, Ledger: budget.New(budget.Limits{}), Workers: 2, Deterministic: true,
			Progress: func(catalog.Progress) {}, Run: func() catalog.RunInfo { return catalog.RunInfo{} }}
	}
	return out
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// inputs are what a builtin is asked: each text in every field at once, and in each field alone.
func inputs(s *schema.Schema) []map[string]any {
	out := []map[string]any{{}}
	for _, ask := range asks {
		out = append(out, fill(s, func(string) string { return ask }))
		for _, f := range s.Fields {
			in := map[string]any{}
			for _, g := range s.Fields {
				if g.Name == f.Name {
					in[g.Name] = value(g.Schema, func(string) string { return ask })
				} else if g.Required {
					in[g.Name] = value(g.Schema, func(string) string { return wanted })
				}
				if in[g.Name] == nil {
					delete(in, g.Name)
				}
			}
			out = append(out, in)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(in map[string]any) bool {
		raw, _ := json.Marshal(in)
		known := seen[string(raw)]
		seen[string(raw)] = true
		return known
	})
}

func fill(s *schema.Schema, text func(field string) string) map[string]any {
	out := map[string]any{}
	for _, f := range s.Fields {
		if v := value(f.Schema, text); v != nil {
			out[f.Name] = v
		}
	}
	return out
}

func value(s *schema.Schema, text func(string) string) any {
	switch {
	case len(s.Enum) > 0:
		return nil
	case s.Type == schema.String:
		return text("")
	case s.Type == schema.Array && s.Items != nil:
		if v := value(s.Items, text); v != nil {
			return []any{v}
		}
	case s.Type == schema.Object:
		return fill(s, text)
	case s.Type == schema.Integer && s.Max != nil:
		return int(min(*s.Max, 50))
	}
	return nil
}

// silent are the builtins that are given the roots and show nothing of what is in the files.
var silent = []string{"code.report", "host.roots"}

// TestDeniedNamesGiveNothingThroughAnyBuiltin asks every builtin that is given the roots for denied files in every field
// it has: the reply is the same, byte for byte, whether they are there or not. The same questions without the deny list
// find them, so that they would show a leak; a builtin that is new is asked too, and must find something of them.
func TestDeniedNamesGiveNothingThroughAnyBuiltin(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	with, without := world(t, true, sandbox.Options{Deny: deny}), world(t, false, sandbox.Options{Deny: deny})
	control, empty := world(t, true, sandbox.Options{Allow: []string{"*"}})["the root"], world(t, false, sandbox.Options{Allow: []string{"*"}})["the root"]
	asked := 0
	for _, b := range builtins.All(func(s string) string { return s }) {
		if b.Caps&catalog.Roots == 0 {
			continue
		}
		if t.Failed() {
			break // one builtin's leaks are enough to read
		}
		finds := false
		for _, in := range inputs(b.In) {
			finds = finds || elsewhere(run(t, b, control, in), control) != elsewhere(run(t, b, empty, in), empty)
			for name, env := range with {
				asked++
				got, want := run(t, b, env, in), run(t, b, without[name], in)
				if told(in, got) {
					t.Errorf("%s in %s, asked %v, tells of a denied file: %s", b.Name, name, in, got)
				}
				if elsewhere(got, env) != elsewhere(want, without[name]) {
					t.Errorf("%s in %s, asked %v, tells a denied file from none:\n%s\n%s", b.Name, name, in, got, want)
				}
			}
		}
		if finds == slices.Contains(silent, b.Name) {
			t.Errorf("%s finds the files of the control: %v; say in silent, or in asks, how it is to be asked", b.Name, finds)
		}
	}
	t.Logf("%d questions", asked)
}

func run(t *testing.T, b catalog.Builtin, env *catalog.Env, in map[string]any) string {
	t.Helper()
	got, err := b.Run(t.Context(), env, in)
	if err != nil {
		return "error: " + err.Error()
	}
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// told reports whether a reply has what the question has not.
func told(in map[string]any, reply string) bool {
	question := strings.ToLower(fmt.Sprint(in))
	if strings.Contains(reply, `"stale_count"`) { // a note, which names what its writer was told
		question += strings.Join(asks, " ")
	}
	return slices.ContainsFunc(tells, func(s string) bool {
		return strings.Contains(reply, s) && !strings.Contains(question, strings.ToLower(s))
	})
}

// elsewhere is a reply without the directories that the two worlds lie in.
func elsewhere(reply string, env *catalog.Env) string {
	for _, r := range env.Roots.Roots() {
		reply = strings.ReplaceAll(reply, r.Path(), "ROOT")
	}
	return reply
}
