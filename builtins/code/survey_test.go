package code

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
)

// TestTraceAfterLocateIsTheSame says that what a request has learned of the
// tree while it ranked it changes nothing in what a trace finds.
func TestTraceAfterLocateIsTheSame(t *testing.T) {
	files := map[string]string{
		"pool/pool.go": "package pool\n\n// Pool runs work.\ntype Pool struct{}\n\nfunc NewPool(n int) *Pool { return &Pool{} }\n",
		"ops.cpp":      "struct Pool { bool operator==(const Pool& o) const { return true; } };\nbool same(Pool a, Pool b) { return a == b; }\n",
		"wide.go":      "package wide\n\nfunc f() { größe := NewPool(1); _ = größe }\n",
		"readme.md":    "NewPool is in pool.go\n",
	}
	for i := range 60 {
		use := "NewPools(1)"
		if i%7 == 0 {
			use = "pool.NewPool(1)"
		}
		files[fmt.Sprintf("use/use%02d.go", i)] = "package use\n\nimport \"example.com/app/pool\"\n\n// " + strings.Repeat("padding ", i) + "\nfunc f() {\n\t" + use + "\n}\n"
	}
	for _, question := range []string{"where is NewPool", "wo ist die Größe von NewPool"} {
		with, without := tree(t, files), tree(t, files)
		with.Memo = &catalog.Memo{}
		must[contract.Result](t, Locate(), with, map[string]any{"question": question})
		for _, in := range []map[string]any{
			{"references": []string{"pool/pool.go:6"}}, {"names": []string{"NewPool", "Pool", "operator==", "größe", "f", "missing"}},
		} {
			a, b := must[TraceOutput](t, Trace(), with, in), must[TraceOutput](t, Trace(), without, in)
			got, _ := json.Marshal(a)
			want, _ := json.Marshal(b)
			if string(got) != string(want) {
				t.Errorf("%s: %v\nafter a locate  %s\nwithout         %s", question, in, got, want)
			}
			if len(a.Calls) == 0 || a.Calls[0].Total < 9 {
				t.Errorf("%s: %v: want at least 9 uses: %s", question, in, got)
			}
		}
	}
}

// TestTraceReadsWhatMayHoldTheName says that the filter is used at all.
func TestTraceReadsWhatMayHoldTheName(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nfunc Wanted() {}\n"}
	for i := range 40 {
		files[fmt.Sprintf("b%02d.go", i)] = "package a\n\nfunc other() {}\n"
	}
	files["c.go"] = "package a\n\nfunc c() { Wanted() }\n"
	env := tree(t, files)
	env.Memo = &catalog.Memo{}
	must[contract.Result](t, Locate(), env, map[string]any{"question": "where is Wanted"})
	got, err := filesWith(t.Context(), env, env.Roots.Roots()[0], []string{"Wanted"})
	if err != nil || len(got) > 5 || len(got) < 2 {
		t.Errorf("%d files to read, want a.go, c.go and at most a few more: %v %v", len(got), got, err)
	}
	for _, f := range got {
		if symbols.Language(f.Path) == "" {
			t.Errorf("%s is no source", f.Path)
		}
	}
}
