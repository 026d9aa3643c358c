package gateway

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// A definition is the same bytes in the next run, so that reading it again is
// no change: a client that is told of one reads its whole prompt anew.
func TestAKeptDefinitionIsTheSameBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": `{"name": "x", "description": "reads <path> -> \"text\" & more\u2028", "inputSchema": {"type": "object", "n": 1e2}}`})
		w.names()
		first := string(w.Listed()[0].Definition)
		w.open()
		var told atomic.Int32
		defer w.OnChange(func() { told.Add(1) })()
		w.LoadCached(t.Context())
		if got := string(w.Listed()[0].Definition); got != first {
			t.Errorf("recalled %s\nwant     %s", got, first)
		}
		clocktest.Until(t, "clients are told of what was recalled", func() bool { return told.Load() == 1 })
		w.Probe(t.Context(), nil, func(int, int, string) {})
		time.Sleep(2 * quiet)
		if told.Load() != 1 {
			t.Error("clients were told of a change that is none")
		}
	})
}

// Secrets of a definition are neither listed nor written down, and what is pinned
// is still what the server said: another secret is a change, another run is none.
func TestAKeptDefinitionHoldsNoSecret(t *testing.T) {
	with := func(secret string) string {
		return `{"name":"x","description":"Log in with ` + secret + `","inputSchema":{"type":"object","properties":{"password":{"type":"string","minLength":8,"default":"Zx9qLm2Wv8Kp"}}}}`
	}
	w := newWorld(t, map[string]string{"a": with(token)})
	again := func() {
		w.open()
		w.opt.Redactor = redact.Default
	}
	again()
	w.names()
	hash := w.tool("a__x").Hash
	for range 2 {
		const want = `{"name":"a__x","description":"Log in with [REDACTED:github-pat]","inputSchema":{"type":"object","properties":{"password":{"type":"string","minLength":8,"default":"[REDACTED:named-secret]"}}}}`
		if got := string(w.Listed()[0].Definition); got != want {
			t.Errorf("listed %s\nwant   %s", got, want)
		}
		if got := w.tool("a__x"); got.Hash != hash || got.Trust != trusted {
			t.Errorf("%s is %s, first %s", got.Hash, got.Trust, hash)
		}
		again()
		w.LoadCached(t.Context())
	}
	kept, err := filepath.Glob(filepath.Join(w.dir, "state.db*"))
	if err != nil || len(kept) == 0 {
		t.Fatal(kept, err)
	}
	for _, file := range kept {
		data, err := os.ReadFile(file)
		if err != nil || bytes.Contains(data, []byte(token)) || bytes.Contains(data, []byte("Zx9qLm2Wv8Kp")) {
			t.Errorf("%s holds a secret, or %v", file, err)
		}
	}
	w.offer("a", with(strings.Replace(token, "nLb6", "nLb7", 1)))
	w.Probe(t.Context(), nil, func(int, int, string) {})
	if got := w.tool("a__x"); got.Hash == hash || got.Trust == trusted {
		t.Errorf("another secret is no change: %s is %s", got.Hash, got.Trust)
	}
}

// tool is what is known of a tool by its listed name.
func (w *world) tool(listed string) *tool {
	w.t.Helper()
	t := w.catalog.Load().byName[listed]
	if t == nil {
		w.t.Fatalf("there is no %s", listed)
	}
	return t
}
