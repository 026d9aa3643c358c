package code

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

func TestFirstLines(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"a\nb\n", 9, "a\nb\n"}, {"a\nbcd\n", 4, "a\n"}, {"a\nb\nc", 4, "a\nb\n"}, {"abcdef", 3, "abc"}, {"", 0, ""}} {
		if got := string(firstLines([]byte(c.text), c.n)); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

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
	env := envOf(t, root(t, "code", tree))
	env.Memo = &catalog.Memo{}
	r := must[contract.Result](t, Options(), env, map[string]any{"question": "Which option limits idle connections of a host?"})
	if len(r.References) == 0 || r.Notes == nil || !strings.Contains(*r.Notes, "large files read in part") {
		t.Errorf("%+v, notes %v", r.References, r.Notes)
	}
	share := portions{room: optionBytes}
	read := 0
	for range files {
		read += share.take(each)
	}
	if most := optionBytes + files*minPart; read > most || share.cut == 0 {
		t.Errorf("%d bytes read, want %d at most; %d files cut", read, most, share.cut)
	}
}
