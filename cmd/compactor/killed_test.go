package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// digestOf is what is kept of the arguments that say sends.
func digestOf(salt []byte, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, `{"n":%d}`, n))
	mac := hmac.New(sha256.New, salt)
	mac.Write(sum[:])
	return fmt.Sprintf("%x", mac.Sum(nil)[:12])
}

// answeredCalls are the calls that were answered, by the number that they sent.
type answeredCalls struct {
	mu   sync.Mutex
	at   map[int]time.Time
	next int
}

// number is one that no call has yet.
func (a *answeredCalls) number() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.next++
	return a.next
}

func (a *answeredCalls) took(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.at[n] = time.Now()
}

func (a *answeredCalls) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.at)
}

// openCalls opens the calls that are kept beside a store in a file.
func openCalls(t *testing.T, file string) usage.Log {
	t.Helper()
	s, err := store.Open(context.Background(), store.UsagePath("sqlite:"+file))
	if err != nil {
		t.Fatal(err)
	}
	return s.Usage()
}

// keptBy are the calls of a store by the digest of their arguments, those of each session in order, and the runs of which
// it is not said that they ended.
func keptBy(t *testing.T, log usage.Log, since time.Time) (calls map[string]int, sessions map[string][]usage.Call, open []usage.Run) {
	t.Helper()
	calls, sessions = map[string]int{}, map[string][]usage.Call{}
	if err := log.Sessions(t.Context(), since, 1_000_000, func(s usage.Session, list []usage.Call) error {
		sessions[s.ID] = list
		for _, c := range list {
			calls[c.Arguments]++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Unended(t.Context(), func(r usage.Run) bool {
		open = append(open, r)
		return false
	}); err != nil {
		t.Fatal(err)
	}
	return calls, sessions, open
}

// A serve is killed at any moment while clients call: what was answered before its last batch is kept, once; what is lost
// came after that; and a serve that starts at once says until when calls are kept, and which was the last of each session.
// COMPACTOR_LONG=1 kills 200 times, -short twice.
func TestAServeIsKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	if os.Getenv("COMPACTOR_LONG") != "" || os.Getenv("USAGE_TEST_LONG") != "" {
		rounds = 200
	}
	file := filepath.Join(t.TempDir(), "s.db")
	dir, binary := frontDir(t, fmt.Sprintf("gateway: surface: \"proxy\"\nstore: url: %q\nservers: e: {command: \"toolserver\", args: [\"echo\", \"say\"]}\n", "sqlite:"+file))
	said := map[string][]string{} // that has to be said, by the run that was killed
	lost, most, unknown, answered := 0, 0, 0, 0
	all := &answeredCalls{}
	for round := range rounds {
		all.at = map[int]time.Time{}
		began := time.Now()
		a, errs, _ := serveWeb(t, dir, binary)
		listed(t, a.at)
		for run, parts := range said {
			for _, part := range append(parts, run) {
				clocktest.Until(t, fmt.Sprintf("%q of %s is said", part, run), func() bool { return strings.Contains(errs.String(), part) }, func() any { return errs })
			}
		}
		clear(said)
		killed := make(chan struct{})
		var clients sync.WaitGroup
		for range 3 {
			clients.Go(func() {
				for c := (&caller{at: a.at}); ; {
					n := all.number()
					ok, err := c.say(n)
					if ok && err == nil {
						all.took(n)
					}
					select {
					case <-killed:
						return
					case <-t.Context().Done():
						return
					default:
					}
				}
			})
		}
		kept := round%2 == 1 // in every other round it is killed after a batch, else at any call
		if kept {
			clocktest.Until(t, "a batch is written", func() bool {
				log := openCalls(t, file)
				defer log.Close()
				calls, _, _ := keptBy(t, log, began)
				return len(calls) > 0
			})
		}
		goal := all.count() + rand.IntN(800)
		clocktest.Until(t, "calls are answered", func() bool { return all.count() >= goal }, func() any { return all.count() })
		process, err := os.FindProcess(a.pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, _ = process.Wait()
		close(killed)
		clients.Wait()
		log := openCalls(t, file)
		salt, err := log.Salt(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		calls, sessions, open := keptBy(t, log, began)
		_ = log.Close()
		for digest, n := range calls {
			if n > 1 {
				t.Errorf("%d calls have the arguments %s", n, digest)
			}
		}
		for id, list := range sessions {
			for i, c := range list {
				if c.Number != i+1 {
					t.Fatalf("call %d of %s has number %d", i+1, id, c.Number)
				}
			}
		}
		var until time.Time
		switch {
		case len(open) == 1:
			until = open[0].Written
			parts := []string{"its calls until " + until.Format("2006-01-02 15:04:05.000")}
			for _, id := range slices.Sorted(maps.Keys(sessions)) {
				last := sessions[id][len(sessions[id])-1]
				parts = append(parts, fmt.Sprintf("%s call %d (e/say)", id, last.Number))
			}
			said[open[0].ID] = parts
		case len(open) == 0 && len(calls) == 0 && !kept:
			unknown++
		default:
			t.Fatalf("%d runs are open, %d calls are kept", len(open), len(calls))
		}
		missing := 0
		for n, at := range all.at {
			if calls[digestOf(salt, n)] == 1 {
				continue
			}
			if missing++; at.Before(until) {
				t.Errorf("call %d was answered %v before the last batch, and is lost", n, until.Sub(at))
			}
		}
		answered, lost, most = answered+len(all.at), lost+missing, max(most, missing)
	}
	t.Logf("killed %d times, %d times before anything was written; of %d calls that were answered %d are lost, %d at most at once", rounds, unknown, answered, lost, most)
}
