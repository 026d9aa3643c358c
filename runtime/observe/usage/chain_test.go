package usage_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Requests that stand alone make sessions of what a client of one name does in one
// profile, one thing soon after the other.
func TestRequestsThatStandAloneAreChained(t *testing.T) {
	file, start := filepath.Join(t.TempDir(), "u.db"), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var passed atomic.Int64 // the tracker's writer reads the clock too
	now := func() time.Time { return start.Add(time.Duration(passed.Load())) }
	tr := usage.New(usage.Options{Open: opener(file), Settings: func() usage.Settings { return usage.Settings{Clients: usage.Name} }, Now: now})
	t.Cleanup(func() { _ = tr.Close() })
	who := func(profile, client string) usage.Told {
		return usage.Told{Profile: profile, Client: client, Era: "stateless"}
	}
	does := func(w usage.Told, tools ...string) {
		for _, tool := range tools {
			tr.Called(w, usage.Call{Server: "files", Tool: tool, At: now(), OK: true}, nil)
		}
	}
	tr.Shown(who("work", "a"), []string{"files/read"}, numbered(9))
	does(who("work", "a"), "read")
	does(who("work", "b"), "list")
	does(who("home", "a"), "list")
	passed.Add(int64(4 * time.Minute))
	_ = tr.Flush(context.Background())
	does(who("work", "a"), "write")
	passed.Add(int64(6 * time.Minute))
	does(who("work", "a"), "write", "read")
	tr.Shown(who("work", "idle"), []string{"files/read"}, numbered(9))
	if live := tr.Open(); len(live) != 0 {
		t.Errorf("requests that stand alone are open sessions: %+v", live)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	sessions, calls := kept(t, file)
	got := map[string]int{}
	for i, s := range sessions {
		text := fmt.Sprint(s.Profile, " ", s.Client, " ", s.Era, " ", s.Offered, ":")
		for n, c := range calls[i] {
			if c.Number != n+1 {
				t.Errorf("call %d has the number %d", n+1, c.Number)
			}
			text += fmt.Sprint(" ", c.Tool, " ", c.Hidden)
		}
		got[text]++
	}
	for _, want := range []string{
		"work a stateless 9: read false write true",
		"work a stateless 9: write true read false", // after a rest, by the list that still stands
		"work b stateless 0: list false",
		"home a stateless 0: list false",
	} {
		if got[want] != 1 {
			t.Errorf("%q is not among %v", want, got)
		}
	}
	if len(sessions) != 4 {
		t.Errorf("%d sessions: %v", len(sessions), got)
	}
}

// However many requests that stand alone come, and of however many names, they are kept in
// sessions of a length, and make no session that is open forget its number.
func TestManyRequestsThatStandAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _ := tracking(t, file, usage.Settings{})
	const alone, names = 3200, 1100
	tr.Called(usage.Told{ID: "s"}, call("first"), nil)
	_ = tr.Flush(context.Background())
	for range alone {
		tr.Called(usage.Told{}, call("read"), nil)
	}
	for n := range names {
		tr.Called(usage.Told{Client: fmt.Sprint("named ", n)}, call("named"), nil)
	}
	tr.Called(usage.Told{ID: "s"}, call("second"), nil)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	sessions, calls := kept(t, file)
	if len(sessions) != alone/32+names+1 || tr.Lost() != 0 {
		t.Fatalf("%d sessions, %d lost", len(sessions), tr.Lost())
	}
	for _, of := range calls {
		if of[0].Tool == "first" && len(of) != 2 || of[0].Tool == "read" && len(of) != 32 || of[0].Tool == "named" && len(of) != 1 {
			t.Errorf("%+v", of)
		}
	}
}
