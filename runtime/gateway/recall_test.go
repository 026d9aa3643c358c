package gateway

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// A command line that runs one tool does not wait for servers that are down,
// nor start those that have nothing to do with it.
func TestAToolOfAnEarlierRunIsFoundWithoutOtherServers(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x"), "b": simple("y")})
	w.names()
	w.open()
	if got, err := w.run("a__x", `{}`); err != nil || got != "{}" {
		t.Errorf("run = %q, %v", got, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := w.log("b"); len(got) != 1 {
		t.Errorf("b was started too: %q", got)
	}
	// A name that none is known by may be one of a server that was never asked.
	w.offer("b", simple("y")+","+simple("z"))
	w.open()
	w.run("b__z", `{}`)
	clocktest.Until(t, "the new tool", func() bool { return strings.Contains(strings.Join(w.log("b"), "\n"), "start\nstart") })
}

func TestATwinInOtherCapitalsIsNoTwin(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("up") + "," + simple("UP"), "b": simple("Down"), "c": simple("down")})
	w.names()
	for name, want := range map[string]string{"up": "a__up", "UP": "a__UP", "down": "c__down"} {
		if got, err := w.Why(t.Context(), name); err != nil || got.Listed != want {
			t.Errorf("%s is %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"Up", "DOWN"} {
		if _, err := w.Why(t.Context(), name); err == nil {
			t.Errorf("%s was guessed", name)
		}
	}
	if _, err := w.Why(t.Context(), "Up"); err == nil || strings.Contains(err.Error(), "2 servers") {
		t.Errorf("two tools of one server: %v", err)
	}
}
