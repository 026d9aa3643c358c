package builtins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// questions are of every kind that a builtin answers.
var questions = []string{
	"how does Grab0 work?", "who calls Grab0?", "which tests cover Grab0?", "what happens when Grab0 fails?", "give me an overview of this repository",
	"how do I add a new Holder?", "which option sets the lamp size?", "Error: grab0 of the lamp fails", "show examples of Grab0", "what is LampSize?", "",
}

// filled is an input that a builtin can work with.
func filled(b catalog.Builtin, question, ref string) map[string]any {
	in := fill(b.In, func(string) string { return question })
	path, _, _ := strings.Cut(ref, ":")
	for name, v := range map[string]any{
		"reference": ref, "references": []any{ref}, "path": path, "pattern": "Grab0", "earlier": []any{}, "roots": []any{}, "root": "", "globs": []any{},
		"include": []any{}, "exclude": []any{}, "names": []any{"Grab0"}, "keywords": []any{"grab0", "lamp"}, "avoid": []any{},
	} {
		if f := b.In.Field(name); f != nil {
			if have, ok := in[name]; ok && fmt.Sprintf("%T", have) == fmt.Sprintf("%T", v) {
				in[name] = v
			}
		}
	}
	return in
}

func smallTree(t *testing.T, files map[string]string) *catalog.Env {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	root, err := sandbox.OpenRoot("code", dir, sandbox.Options{Anchors: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	artifacts, err := sandbox.OpenArtifacts(t.TempDir(), "notes", sandbox.ArtifactOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &catalog.Env{Roots: sandbox.NewSet(root), Artifacts: artifacts, Ledger: budget.New(budget.Limits{}), Workers: 2, Deterministic: true,
		Progress: func(catalog.Progress) {}, Run: func() catalog.RunInfo { return catalog.RunInfo{} }}
}

// lampTree has one of everything that the builtins look for, with a text in each that is quoted.
func lampTree(text string) map[string]string {
	return map[string]string{
		"README.md":    "# Lamp\n\nLamp is a library for those who hold a lamp " + text + " and more words of the readme.\n",
		"package.json": `{"name": "lamp", "description": "Holds a lamp ` + text + ` and more words"}`,
		"src/lamp.go": "// Package src holds a lamp " + text + " and more.\npackage src\n\n// Holder holds a lamp " + text + " and more.\ntype Holder interface {\n\tHold(x string) error\n}\n\n" +
			"// One is a holder.\ntype One struct{}\n\nfunc (One) Hold(x string) error { return nil }\n\n// Two is a holder.\ntype Two struct{}\n\nfunc (Two) Hold(x string) error { return nil }\n\n" +
			"// Options are those of a lamp.\ntype Options struct {\n\t// LampSize is how large " + text + " a lamp is.\n\tLampSize int `default:\"" + text + "\"`\n}\n\n" +
			"// Grab0 takes a lamp " + text + " and more.\nfunc Grab0(x string) error {\n\tif x == \"" + text + " and more\" { // the lamp " + text + "\n\t\treturn errors.New(\"grab0 of the lamp fails " + text + " and more words\")\n\t}\n\treturn hold(\"" + text + " and more\", x)\n}\n\n" +
			"func hold(a, b string) error {\n\treturn Grab0(a + b + \"" + text + " and more\")\n}\n",
		"src/lamp_test.go": "package src\n\nfunc TestGrab0(t *testing.T) {\n\tif Grab0(\"" + text + " and more\") == nil {\n\t\tt.Fatal(\"lamp\")\n\t}\n}\n",
		"docs/options.md":  "# Options\n\n## `lamp_size`\n\nHow large a lamp is " + text + " and more. Default: `" + text + "`\n",
	}
}

// TestEveryBuiltinRuns asks each builtin, in the open: a pipeline goes on after one that panics, and nobody would see it.
func TestEveryBuiltinRuns(t *testing.T) {
	for name, tree := range map[string]map[string]string{"a lamp": lampTree("of brass"), "nothing": {}, "an empty file": {"src/lamp.go": "", "README.md": ""}} {
		env := smallTree(t, tree)
		for _, b := range builtins.All(func(s string) string { return s }) {
			for _, q := range questions {
				for _, ref := range []string{"src/lamp.go:28", "src/lamp.go", "README.md:1", "src/lamp.go:999999"} {
					func() {
						in := filled(b, q, ref)
						defer func() {
							if p := recover(); p != nil {
								t.Errorf("%s in %s, asked %v: %v", b.Name, name, in, p)
							}
						}()
						run(t, b, env, in)
					}()
				}
			}
		}
	}
}

// TestNoBuiltinQuotesHalfOfASecret moves a token through all that is quoted, so that every cut falls into it once:
// redaction, which comes afterwards, knows whole ones only.
func TestNoBuiltinQuotesHalfOfASecret(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const token = "github_pat_" + "11ABCDEFG0a8Kd02LmQz7R_tYv3WxNc5BjHf1GsPe6UoIi4Kd02LmQz7RtYv3WxNc5BjHf1GsPe6UoIi4kk"
	mask := func(s string) string { s, _ = redact.Default().Redact(s); return s }
	for pad := 0; pad < 450; pad += 18 {
		env := smallTree(t, lampTree(strings.Repeat("a word ", 70)[:pad]+token))
		for _, b := range builtins.All(mask) {
			if b.Caps&catalog.Roots == 0 {
				continue
			}
			for _, q := range questions {
				got := run(t, b, env, filled(b, q, "src/lamp.go:28"))
				if left := mask(got); strings.Contains(left, token[11:21]) {
					at := strings.Index(left, token[11:21])
					t.Fatalf("%s, asked %q, pad %d: …%s", b.Name, q, pad, left[max(0, at-80):min(len(left), at+60)])
				}
			}
		}
	}
}

// TestLongFilesOfOneKindEndInTime has files in which a look at each name, or each type, must not cost a look at the rest.
func TestLongFilesOfOneKindEndInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	trees, parent := map[int]*catalog.Env{}, t
	for _, b := range builtins.All(func(s string) string { return s }) {
		for _, ref := range []string{"src/deep.js:1", "src/lamp.go:3", "src/wide.go:3"} {
			t.Run(b.Name+" of "+ref, func(t *testing.T) {
				clocktest.Linear(t, 400, func(size int) func() {
					if trees[size] == nil {
						trees[size] = longTree(parent, size)
					}
					in := filled(b, "how do I add a new Holder?", ref)
					return func() { run(t, b, trees[size], in) }
				})
			})
		}
	}
}

// longTree has n types that have a method, ten times as many methods of an
// interface, and calls as deep.
func longTree(t *testing.T, n int) *catalog.Env {
	t.Helper()
	types := strings.Builder{}
	for i := range n {
		fmt.Fprintf(&types, "type W%d struct{}\n\nfunc (W%d) Hold() error { return nil }\n", i, i)
	}
	methods := strings.Builder{}
	for i := range 10 * n {
		fmt.Fprintf(&methods, "\tGrab%d()\n", i)
	}
	return smallTree(t, map[string]string{
		"src/deep.js": "function grab0(lamp) { return " + strings.Repeat("lamp.grab0(", 10*n) + "w" + strings.Repeat(")", 10*n) + "; }\n",
		"src/lamp.go": "package src\n\ntype Holder interface{ Hold() error }\n\n" + types.String(),
		"src/wide.go": "package src\n\ntype Wide interface {\n" + methods.String() + "}\n",
	})
}
