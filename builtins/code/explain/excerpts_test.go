package explain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

func TestExcerpts(t *testing.T) {
	long := "package a\n\n// Open opens.\nfunc Open() {\n" + strings.Repeat("\twork()\n", 40) + "}\n"
	env := codetest.NewEnv(t, map[string]string{
		"a.go":     "package a\n\nvar x = 1\n\nfunc Open(key string) {\n\tif key == \"SECRET\" {\n\t\treturn\n\t}\n}\n\nfunc Close() {}\n",
		"long.go":  long,
		"bin.dat":  "\x00\x01",
		"notes.md": "one\ntwo\nthree\n",
	})
	mask := func(s string) string { return strings.ReplaceAll(s, "SECRET", "******") }
	b := Excerpts(mask)
	for _, c := range []struct {
		ref   string
		lines int
		first int
		text  string
	}{
		{"a.go:5", 12, 5, "func Open(key string) {\n\tif key == \"******\" {\n\t\treturn\n\t}\n}"},
		{"a.go:6", 2, 5, "func Open(key string) {\n\tif key == \"******\" {"},
		{"a.go:11", 12, 11, "func Close() {}"},
		{"long.go:30", 4, 27, "\twork()\n\twork()\n\twork()\n\twork()"},
		{"notes.md", 2, 1, "one\ntwo"},
		{"bin.dat", 5, 0, ""},
		{"gone.go:3", 5, 0, ""},
	} {
		t.Run(c.ref, func(t *testing.T) {
			v, err := b.Run(t.Context(), env, map[string]any{"references": []any{c.ref}, "lines": c.lines})
			if err != nil {
				t.Fatal(err)
			}
			got := v.(contract.Excerpts).Excerpts
			if c.text == "" {
				if len(got) > 0 {
					t.Fatalf("got %+v, want nothing", got)
				}
				return
			}
			if len(got) != 1 || got[0].Text != c.text || got[0].First != c.first || got[0].Reference != c.ref {
				t.Fatalf("got %q, want %d %q", fmt.Sprintf("%+v", got), c.first, c.text)
			}
		})
	}
}
