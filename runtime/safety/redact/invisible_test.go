package redact

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// TestWhatIsNotSeenTakesNoTokenApart: what Strip takes out behind redaction would make the token whole again.
func TestWhatIsNotSeenTakesNoTokenApart(t *testing.T) {
	const head, tail = "gh" + "p_nLb6arg", "KHKnP4UF5Jmq8CdauoOT60Q9UUJDf"
	for r := rune(0); r < 0xF0000; r++ {
		if !sanitize.Invisible(r) {
			continue
		}
		if got, _ := Default().Redact("t = " + head + string(r) + tail + "\n"); strings.Contains(got, tail) {
			t.Errorf("%U: %+q", r, got)
		}
	}
}
