package gateway

import (
	"sync/atomic"
	"testing"
	"time"
)

// A definition is the same bytes in the next run, so that reading it again is
// no change: a client that is told of one reads its whole prompt anew.
func TestAKeptDefinitionIsTheSameBytes(t *testing.T) {
	w := newWorld(t, map[string]string{"a": `{"name": "x", "description": "reads <path> -> \"text\" & more\u2028", "inputSchema": {"type": "object", "n": 1e2}}`})
	w.names()
	first := string(w.Listed()[0].Definition)
	w.open()
	var told atomic.Int32
	defer w.OnChange(func() { told.Add(1) })()
	w.Recall(t.Context())
	if got := string(w.Listed()[0].Definition); got != first {
		t.Errorf("recalled %s\nwant     %s", got, first)
	}
	w.eventually("clients are told of what was recalled", func() bool { return told.Load() == 1 })
	w.Probe(t.Context(), nil, func(int, int, string) {})
	time.Sleep(2 * quiet)
	if told.Load() != 1 {
		t.Error("clients were told of a change that is none")
	}
}
