package gateway

import (
	"strings"
	"testing"
)

// Whoever misses a tool is told why it is not there, in this run and in later
// ones; what cannot be seen in its name is written out.
func TestAToolThatCannotBeOfferedIsTold(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x") + "," + simple("gr\u00a0e") + "," + simple("x\u200by") + "," + simple("x") + `,{"name":"bare"},{}`})
	w.names()
	for range 2 {
		if got := len(w.Refused()); got != 5 {
			t.Errorf("%d tools are refused: %v", got, w.Refused())
		}
		for name, want := range map[string]string{"gr\u00a0e": "visible ASCII", "a__gr\u00a0e": "visible ASCII", "bare": "no input schema", "x\u200by": `x\u200by`} {
			if _, err := w.Why(t.Context(), name); code(err) != CodeNotFound || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := w.Why(t.Context(), "x"); err != nil {
			t.Errorf("the first of two is one: %v", err)
		}
		w.open()
		w.LoadCached(t.Context())
	}
}
