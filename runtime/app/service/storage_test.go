package service

import (
	"strings"
	"testing"
)

func TestTheStoresAddressHasItsVariables(t *testing.T) {
	values := map[string]string{"PG_PASSWORD": `p@ss:w/rd %41${X}`, "PG_HOST": "db.example.org:5433", "WHOLE": "postgres://me:x@h/db"}
	lookup := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	for at, want := range map[string]string{
		"postgres://me:${PG_PASSWORD}@${PG_HOST}/db": "postgres://me:p%40ss%3Aw%2Frd%20%2541%24%7BX%7D@db.example.org:5433/db",
		"${WHOLE}":           "postgres://me:x@h/db",
		"postgres:///db":     "postgres:///db",
		"sqlite::memory:":    "sqlite::memory:",
		"postgres://me@h/$X": "postgres://me@h/$X",
	} {
		if got, err := expandStore(at, lookup); err != nil || got != want {
			t.Errorf("%s: %s %v", at, got, err)
		}
	}
	_, err := expandStore("postgres://${USER_A}:${PASS_B}@h/${USER_A}", lookup)
	if err == nil || !strings.Contains(err.Error(), "needs USER_A and PASS_B, which is not set; set it in") {
		t.Error(err)
	}
}
