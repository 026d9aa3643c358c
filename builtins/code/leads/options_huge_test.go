package leads

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// TestHugeFilesAreReadInPart says that a tree of few huge files costs what is
// allowed, and that the answer tells.
func TestHugeFilesAreReadInPart(t *testing.T) {
	const files, each = 5, 1 << 20
	var text strings.Builder
	text.WriteString("package p\n\n// SetIdle limits the idle connections of a host.\nfunc (o *Options) SetIdle(n int) { o.idle = n }\n\n")
	for i := 0; text.Len() < each; i++ {
		fmt.Fprintf(&text, "// names%d of what is not asked for, which a generator wrote.\nvar names%d = []string{%q}\n\n", i, i, strings.Repeat("x", 900))
	}
	tree := map[string]string{}
	for i := range files {
		tree[fmt.Sprintf("p%d/options.go", i)] = text.String()
	}
	env := codetest.EnvWithRoots(t, codetest.WriteRoot(t, "code", tree))
	env.Memo = &catalog.Memo{}
	r := codetest.MustCall[contract.Result](t, Options(), env, map[string]any{"question": "Which option limits idle connections of a host?"})
	if len(r.References) == 0 || r.Notes == nil || !strings.Contains(*r.Notes, "large files read in part") {
		t.Errorf("%+v, notes %v", r.References, r.Notes)
	}
}
