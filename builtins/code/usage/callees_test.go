package usage

import (
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

func TestWhatADocstringNamesIsNotCalled(t *testing.T) {
	for _, c := range []struct {
		lang symbols.Lang
		body string
	}{
		{symbols.Python, "def send(self):\n\t\"\"\"\n\tBuild one with `build()`.\n\t\"\"\"\n\t# as check() says\n\treturn self.go('see other()')\n"},
		{symbols.Go, "func send() {\n\t// as check() says\n\t/* build() */\n\tgo_(\"see other()\", `raw()`)\n}\n"},
	} {
		got := calledNames(BlankNonCode(c.lang, c.body))
		want := map[symbols.Lang][]string{symbols.Python: {"send", "go"}, symbols.Go: {"send", "go_"}}[c.lang]
		if !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", c.lang, got, want)
		}
	}
}
