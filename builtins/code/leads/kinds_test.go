package leads

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestExtendNamesBaseFollowerAndRegistry says what a reply to "how do I add one
// more" holds.
func TestExtendNamesBaseFollowerAndRegistry(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{
		"store/base.py":  "class Backend:\n    \"\"\"Keeps results.\"\"\"\n\n    def get(self, key):\n        raise NotImplementedError\n\n    def close(self):\n        pass\n",
		"store/redis.py": "from .base import Backend\n\n\nclass RedisBackend(Backend):\n    def get(self, key):\n        return self.client.get(key)\n\n    def put(self, key):\n        return 1\n",
		"store/files.py": "from .base import Backend\n\n\nclass FileBackend(Backend):\n    def get(self, key):\n        return open(key)\n",
		"store/find.py":  "from . import files, redis\n\nBACKENDS = {\n    'redis': redis.RedisBackend,\n    'file': files.FileBackend,\n}\n",
	})
	got := codetest.MustCall[contract.Result](t, Extend(), env, map[string]any{"question": "How do I add my own backend?", "references": []string{"store/base.py:1"}})
	for _, want := range []string{"Derive from `Backend` (store/base.py:1)", "`def get(self, key)` (line 4)", "`RedisBackend` (store/redis.py:4)", "store/find.py:"} {
		if !strings.Contains(got.Summary, want) {
			t.Errorf("want %q in\n%s", want, got.Summary)
		}
	}
	if strings.Contains(got.Summary, "def close") {
		t.Errorf("close has a body\n%s", got.Summary)
	}
}

// TestCoverageListsTestsByNameTitleAndUse says that titles count as names, and
// that what merely resembles the question does not.
func TestCoverageListsTestsByNameTitleAndUse(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{
		"src/retry.js":       "export function retryJob (job) {\n  return job\n}\n",
		"test/retry.test.js": "test('retries a failed job', () => {\n  retryJob(1)\n})\n\ntest('prints a banner', () => {\n  banner()\n})\n",
		"test/other.test.js": "test('opens a file', () => {})\n",
	})
	got := codetest.MustCall[contract.Result](t, Coverage(), env, map[string]any{"question": "Which tests cover retries of a job?", "references": []string{"src/retry.js:1"}})
	if !strings.Contains(got.Summary, "`retries a failed job` (test/retry.test.js:1)") || strings.Contains(got.Summary, "banner") {
		t.Errorf("got\n%s", got.Summary)
	}
}
