package main

import (
	"context"
	"testing"
)

func TestServersThatWereNotWaitedForAreNotWell(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		name string
		ctx  context.Context
		row  serverRow
		well bool
	}{
		{"ready", t.Context(), serverRow{State: "ready"}, true},
		{"failing", t.Context(), serverRow{State: "failing", Problem: "gone"}, false},
		{"ended", ended, serverRow{State: "starting"}, false},
	} {
		if err := allAnswered(c.ctx, []serverRow{c.row}); (err == nil) != c.well {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
