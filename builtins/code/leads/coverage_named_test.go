package leads

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestATestThatIsNamedForItIsNoGuess: tests whose names say all that is asked for are
// the answer, though none names the definition that was found.
func TestATestThatIsNamedForItIsNoGuess(t *testing.T) {
	files := map[string]string{
		"keys.py":            "def lazy_expire_generic(key):\n    return key\n",
		"tests/test_keys.py": "def test_lazy_expire_of_hashes():\n    send('HGET')\n\ndef test_other():\n    pass\n",
	}
	got := codetest.MustCall[contract.Result](t, Coverage(), codetest.NewEnv(t, files), map[string]any{"question": "which tests cover lazy expire?", "references": []string{"keys.py:1"}})
	if !strings.HasPrefix(got.Summary, "`test_lazy_expire_of_hashes` (tests/test_keys.py:1)") || strings.Contains(got.Summary, "None of them") || got.Confidence != contract.Med {
		t.Errorf("%s: %s", got.Confidence, got.Summary)
	}
}
