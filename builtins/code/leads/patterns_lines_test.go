package leads

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestPatternsShowTheLinesThatUseIt says that directories of examples come first, that
// prose of documents is no example, and that a kind of thing is shown by its kind.
func TestPatternsShowTheLinesThatUseIt(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{
		"lib/parser.js":       "function Parser () {}\n\nParser.prototype.add = function (contentType, parse) {\n  return contentType\n}\n",
		"examples/parser.js":  "const app = require('../')()\n\napp.addContentParser('text/x', function (body, done) {\n  done(null, body)\n})\n",
		"test/parser.test.js": "test('adds a content parser', () => {\n  const app = make()\n  app.addContentParser(/^x/, () => 1)\n})\n",
		"docs/parser.md":      "# Content parser\n\nA content parser (of your own) parses content.\n\n```js\napp.addContentParser('text/y', parse)\n```\n",
	})
	got := codetest.MustCall[contract.Result](t, Patterns(), env, map[string]any{"question": "Show examples of adding a content parser"})
	if len(got.References) < 3 || got.References[0] != "examples/parser.js:3" {
		t.Errorf("%v", got.References)
	}
	for _, want := range []string{"examples/parser.js:3, in examples/:\n  app.addContentParser('text/x'", "in a test", "app.addContentParser(/^x/", "docs/parser.md:6"} {
		if !strings.Contains(got.Summary, want) {
			t.Errorf("want %q in\n%s", want, got.Summary)
		}
	}
	if strings.Contains(got.Summary, "of your own") {
		t.Errorf("prose is shown\n%s", got.Summary)
	}
}

func TestPatternsOfAKindAreItsImplementers(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{
		"app/steps.py": "class StartStep:\n    \"\"\"One step.\"\"\"\n\n    def start(self):\n        pass\n",
		"app/heart.py": "from . import steps\n\n\nclass Heart(steps.StartStep):\n    def start(self):\n        return 1\n",
		"app/hub.py":   "from . import steps\n\n\nclass Hub(steps.StartStep):\n    def start(self):\n        return 2\n",
	})
	got := codetest.MustCall[contract.Result](t, Patterns(), env, map[string]any{"question": "Show me examples of steps"})
	for _, want := range []string{"`Heart` (app/heart.py:4)", "`Hub` (app/hub.py:4)", "Bases: `StartStep` (app/steps.py:1)"} {
		if !strings.Contains(got.Summary, want) {
			t.Errorf("want %q in\n%s", want, got.Summary)
		}
	}
	got = codetest.MustCall[contract.Result](t, Patterns(), env, map[string]any{"question": "Show me examples of steps", "avoid": []any{"app/heart.py:4"}})
	if strings.Contains(got.Summary, "`Heart`") || !strings.Contains(got.Summary, "`Hub`") {
		t.Errorf("with one known already:\n%s", got.Summary)
	}
}
