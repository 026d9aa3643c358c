package leads

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// shop is a tree that raises messages in the ways that code does.
var shop = map[string]string{
	"pool/pool.go": `package pool

// Take hands out a connection.
func (p *Pool) Take(name string) (*Conn, error) {
	c, ok := p.conns[name]
	if !ok {
		return nil, fmt.Errorf("no connection named %q in the pool", name)
	}
	if p.closed {
		return nil, errGone
	}
	return c, nil
}

var errGone = errors.New("the pool was closed while waiting")
`,
	"pool/pool_test.go": "package pool\n\nfunc TestTake(t *testing.T) {\n\twant := `no connection named \"disk\" in the pool`\n}\n",
	"web/views.py": `E_NESTED = """
Never render a view within a view!
Use a fragment.
"""


class StockError(ValueError):
    def __init__(self, item):
        super().__init__(f"There is no more stock of {item} in any store")


def render(view, depth):
    if depth > 1:
        raise RuntimeError(E_NESTED)
    return view


def buy(item, count):
    left = stock_of(item)
    if left < count:
        raise StockError(item)
    if not item:
        log.warning("Bought %s items without a name for %s", count,
                    item)
`,
	"lib/errors.js":    "module.exports = {\n  ERR_TWICE: createError(\n    'ERR_TWICE',\n    \"The plugin '%s' has already been registered\"\n  )\n}\n",
	"lib/register.js":  "function register (app, name) {\n  if (app.plugins.has(name)) {\n    throw new ERR_TWICE(name)\n  }\n}\n",
	"src/Store.java":   "class Store {\n  void open(String path) {\n    if (path == null) {\n      throw new IllegalArgumentException(\"The store at \" + path +\n        \" cannot be opened for writing\");\n    }\n  }\n}\n",
	"config/en.yml":    "en:\n  basket_emptied: \"The basket of %{name} was emptied last night\"\n",
	"app/basket.rb":    "class Basket\n  def check\n    raise Emptied, t(:basket_emptied) if lines.none?\n  end\nend\n",
	"docs/errors.md":   "# Errors\n\nno connection named \"x\" in the pool: open one.\n",
	"src/lock.rs":      "impl Lock {\n    fn take(&self) {\n        match self.state {\n            State::Held => panic!(\"lock {} is held by another task\", self.id),\n            _ => {}\n        }\n    }\n}\n",
	"src/quiet/gap.go": "package quiet\n\nfunc gap() { log(\"%s: %s\") }\n",
}

func TestMessages(t *testing.T) {
	env := codetest.NewEnv(t, shop)
	tests := map[string]struct {
		question string
		lead     string // begins the summary
		has      []string
	}{
		"values": {`Error: no connection named "disk" in the pool`,
			"`Pool.Take` (pool/pool.go:4) returns it when `if !ok {` (line 6): 7: ", []string{"5: c, ok := p.conns[name]"}},
		"a variable": {"level=error msg=\"the pool was closed while waiting\"",
			"`Pool.Take` (pool/pool.go:4) returns it when `if p.closed {` (line 9): 10: ", []string{"`errGone` (pool/pool.go:15)"}},
		"a constant of many lines": {"RuntimeError: Never render a view within a view!",
			"`render` (web/views.py:12) raises `RuntimeError` when `if depth > 1:` (line 13): 14: ", []string{"`E_NESTED` (web/views.py:1)"}},
		"a class": {"web.views.StockError: There is no more stock of pencils in any store",
			"`buy` (web/views.py:18) raises `StockError` when `if left < count:` (line 20): 21: ", []string{"19: left = stock_of(item)"}},
		"a log": {"2025-03-01 10:11:12 WARNING shop: Bought 3 items without a name for None",
			"`buy` (web/views.py:18) logs it (warning) when `if not item:` (line 22): 23: ", nil},
		"a code": {"ShopError [ERR_TWICE]: The plugin 'cors' has already been registered\n    at register (lib/register.js:3:11)",
			"`register` (lib/register.js:1) throws `ERR_TWICE` when `if (app.plugins.has(name)) {` (line 2): 3: ", []string{"`ERR_TWICE` (lib/errors.js:"}},
		"put together": {"java.lang.IllegalArgumentException: The store at /tmp/x cannot be opened for writing",
			"`Store.open` (src/Store.java:2) throws `IllegalArgumentException` when `if (path == null) {` (line 3): 4: ", nil},
		"a catalogue": {"Emptied: The basket of Ann Lee was emptied last night",
			"`Basket::check` (app/basket.rb:2) raises `Emptied`: 3: ", []string{"`basket_emptied` (config/en.yml:2)"}},
		"a panic": {"thread 'main' panicked at src/lock.rs:4:28:\nlock 7 is held by another task",
			"`Lock::take` (src/lock.rs:2) panics with it: 4: ", nil},
		"asked": {`why do I get "no connection named 'x' in the pool" every night?`, "`Pool.Take` (pool/pool.go:4)", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := codetest.MustCall[contract.Result](t, Messages(), env, map[string]any{"question": tt.question})
			if !strings.HasPrefix(r.Summary, tt.lead) {
				t.Errorf("got  %s\nwant %s", r.Summary, tt.lead)
			}
			text := r.Summary
			for _, f := range r.KeyFindings {
				text += "\n" + f.Text
			}
			for _, want := range tt.has {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if len(r.References) == 0 || strings.Contains(text, "_test.go") {
				t.Errorf("references %v\n%s", r.References, text)
			}
		})
	}
}

func TestMessagesNone(t *testing.T) {
	env := codetest.NewEnv(t, shop)
	for _, q := range []string{"where is the pool closed?", "Error: the moon is made of green cheese today", "x: y", "Error: a: b", ""} {
		if r := codetest.MustCall[contract.Result](t, Messages(), env, map[string]any{"question": q}); len(r.References) > 0 {
			t.Errorf("%q: %s", q, r.Summary)
		}
	}
}

// TestMessagesHostile asks a tree that is nothing but literals for what is nothing
// but text.
func TestMessagesHostile(t *testing.T) {
	trees := map[int]*catalog.Env{}
	for name, question := range map[string]func(n int) string{
		"log":  func(n int) string { return strings.Repeat("2025-03-01 10:11:12 ERROR the pool 7 is closed\n", n) },
		"line": func(n int) string { return "Error: " + strings.Repeat("the pool is closed ", 2*n) },
	} {
		clocktest.Linear(t, 1<<10, func(n int) func() {
			env := trees[n]
			if env == nil {
				env = codetest.NewEnv(t, literalsOnly(n))
				trees[n] = env
			}
			in := map[string]any{"question": question(n)}
			return func() {
				if _, err := codetest.Call[contract.Result](t, Messages(), env, in); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// literalsOnly are a literal of n sentences, and n literals, flat and nested.
func literalsOnly(n int) map[string]string {
	files := map[string]string{"long.go": "package p\n\nvar s = \"" + strings.Repeat("the pool is closed ", 16*n) + "\"\n"}
	var b strings.Builder
	b.WriteString("package p\n\nfunc f() {\n")
	for i := range 8 * n {
		fmt.Fprintf(&b, "\tlog(\"the pool %d is closed\" + x)\n", i)
	}
	files["many.go"] = b.String() + "}\n"
	files["deep.py"] = strings.Repeat("if a:\n ", 2*n) + "raise E(\"the pool is closed\")\n"
	return files
}
