package gateway

import (
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

func (w *world) starts(server string) (n int) {
	for _, line := range w.log(server) {
		if line == "start" {
			n++
		}
	}
	return n
}

// keyed is what the server's tool says of the key that it was started with.
func (w *world) keyed(t *testing.T) string {
	t.Helper()
	res, err := w.For(Caller{}).Execute(t.Context(), "a__leak", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(res.Raw)
}

func keyedWorld(t *testing.T) *world {
	w := newWorld(t, map[string]string{"a": simple("leak")})
	s := w.cfg.Servers["a"]
	s.Env["API_KEY"] = "${SHORT}" // which is too short to be masked
	s.Idle = 50 * time.Millisecond
	w.cfg.Servers["a"] = s
	w.env["SHORT"] = "first"
	w.open()
	return w
}

func TestAChangedVariableIsTakenUpByAReload(t *testing.T) {
	w := keyedWorld(t)
	s := w.cfg.Servers["a"]
	s.Idle = time.Hour
	w.cfg.Servers["a"] = s
	w.Configure(w.cfg)
	if got := w.keyed(t); !strings.Contains(got, "first") {
		t.Fatal(got)
	}
	w.Configure(w.cfg)
	if got := w.keyed(t); !strings.Contains(got, "first") || w.starts("a") != 1 {
		t.Errorf("nothing has changed: %s, %d starts", got, w.starts("a"))
	}
	w.set("SHORT", "second")
	if got := w.keyed(t); !strings.Contains(got, "first") {
		t.Errorf("while it runs: %s", got)
	}
	w.Configure(w.cfg)
	if got := w.keyed(t); !strings.Contains(got, "second") {
		t.Errorf("after a reload: %s", got)
	}
}

func TestAChangedVariableIsTakenUpAfterAnIdleClose(t *testing.T) {
	w := keyedWorld(t)
	if got := w.keyed(t); !strings.Contains(got, "first") {
		t.Fatal(got)
	}
	clocktest.Until(t, "it is closed", func() bool { h, _ := w.Health("a"); return h.State == "idle" })
	w.set("SHORT", "second")
	if got := w.keyed(t); !strings.Contains(got, "second") {
		t.Errorf("after an idle close: %s", got)
	}
}
