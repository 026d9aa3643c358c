package plan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// Mistakes of a role without end are not all looked at: each takes time that grows
// with the size of the role.
func TestRolesFullOfMistakesAreNotReadToTheEnd(t *testing.T) {
	fields := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	const role = `roles: r: {purpose: "p", task: "free", #input: {q: string}, #output: {%s}, prompt: "%s"%s}
pipelines: p: {input: {q: string}, stages: s: {role: "r", with: q: "input.q"}, output: "s"}`
	for name, c := range map[string]struct {
		role, says string
		most       int
	}{
		"braces":     {fmt.Sprintf(role, "a: string", strings.Repeat("{{}}", 3_000), ""), "more than 100 expressions", 101},
		"open":       {fmt.Sprintf(role, "a: string", strings.Repeat("{{", 3_000), ""), "{{ without }}", 1},
		"fields":     {fmt.Sprintf(role, "a: string", "x", `, verify: quotes: fields: [`+fields(3_000, `"no%d",`)+`]`), "names 3000 fields", 1},
		"of many":    {fmt.Sprintf(role, fields(300, "a%d: string\n"), "x", `, verify: quotes: fields: [`+fields(201, `"a%d",`)+`]`), "names 201 fields", 1},
		"as many as": {fmt.Sprintf(role, fields(300, "a%d: string\n"), "x", `, verify: quotes: fields: [`+fields(200, `"a%d",`)+`]`), "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			list := mistakes(t, c.role)
			if len(list) > c.most || c.says != "" && !strings.Contains(strings.Join(list, "\n"), c.says) {
				t.Errorf("%d problems, want %d with %q, the last: %q", len(list), c.most, c.says, list[max(len(list)-1, 0):])
			}
		})
	}
}

// mistakes are the problems of the shipped configuration with a change.
func mistakes(t *testing.T, change string) (out []string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.cue"), []byte("package compactor\n"+change), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, list, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir}}})
	if err != nil || list.HasErrors() {
		t.Fatal(err, list.Err())
	}
	cat, err := catalog.Of(builtins.All(func(s string) string { return s })...)
	if err != nil {
		t.Fatal(err)
	}
	_, list = plan.Compile(cfg, cat)
	for _, d := range list {
		out = append(out, d.Message)
	}
	return out
}
