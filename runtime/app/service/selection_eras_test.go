package service_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
)

// flows are what people do in the shop: each uses tools of several servers in some order.
var flows = [][]string{
	{"orders__search_orders", "orders__get_orders", "mail__send_mail", "tickets__create_tickets", "tickets__update_tickets"},
	{"git__list_git", "files__get_files", "files__update_files", "git__create_git", "mail__send_mail"},
	{"calendar__search_calendar", "calendar__create_calendar", "mail__list_mail", "mail__send_mail"},
}

// someSession is a flow with calls left out, made twice or strange to it, the same for
// the same number.
func someSession(n int) (calls []string) {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	for _, tool := range flows[n%len(flows)] {
		switch r.IntN(10) {
		case 0: // not this time
		case 1:
			calls = append(calls, tool, tool)
		case 2:
			other := flows[r.IntN(len(flows))]
			calls = append(calls, other[r.IntN(len(other))], tool)
		default:
			calls = append(calls, tool)
		}
	}
	return calls
}

// worked is what became of sessions: tools that were first used and on the list then, and
// lists that a client had to read again.
type worked struct{ used, listed, changes, hidden int }

// work goes through sessions as a client does that asks for its list before each call.
func work(t *testing.T, svc *service.Service, modern, overHTTP bool, from, to int) (w worked) {
	srv, url := serverOf(t, service.Backend{Service: svc})
	if !overHTTP {
		url = ""
	}
	for n := from; n < to; n++ {
		c := toServer(t, srv, url, modern, "shopper")
		shown, seen := clienttest.Upstream(t, c), map[string]bool{}
		for i, tool := range someSession(n) {
			now := clienttest.Upstream(t, c)
			if !slices.Equal(now, shown) {
				w.changes++
				if !modern && !slices.Equal(now[:min(len(shown), len(now))], shown) && len(now) > len(shown) {
					t.Errorf("session %d: a list that grew was not appended to:\n%q\n%q", n, shown, now)
				}
			}
			shown = now
			if !seen[tool] && i > 0 {
				w.used++
				if slices.Contains(shown, tool) {
					w.listed++
				} else {
					w.hidden++
				}
			}
			seen[tool] = true
			echo(t, c, tool, map[string]any{}) // listed or not
		}
		_ = c.Close()
	}
	return w
}

// Clients of both eras go through sessions, over a pipe and over HTTP: lists hold most of
// what is wanted by what earlier sessions used, also those of an earlier run; what they
// leave out works; and a session is seldom told of another list.
func TestListsHoldWhatSessionsWant(t *testing.T) {
	for _, c := range []struct {
		name             string
		modern, overHTTP bool
		cover            float64
	}{
		{"with a handshake, over a pipe", false, false, 0.8},
		{"with a handshake, over HTTP", false, true, 0.8},
		{"stateless, over a pipe", true, false, 0.8},
		{"stateless, over HTTP: one list for all", true, true, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "u.db")
			svc, end := learning(t, file, "")
			work(t, svc, c.modern, c.overHTTP, 0, 15)
			end()
			svc, _ = learning(t, file, "")
			awaitListed(t, svc, "mail__send_mail")
			w := work(t, svc, c.modern, c.overHTTP, 15, 24)
			cover := float64(w.listed) / float64(w.used)
			t.Logf("%d of %d tools were listed before their first use, %d called though hidden, %d lists changed in 9 sessions", w.listed, w.used, w.hidden, w.changes)
			if cover < c.cover {
				t.Errorf("lists of 12 of 60 tools held %.2f of what was wanted, want %.2f", cover, c.cover)
			}
			if most := 9 * 4; w.changes > most {
				t.Errorf("%d lists changed in 9 sessions", w.changes)
			}
			if c.modern && c.overHTTP && w.changes > 0 {
				t.Errorf("requests that stand alone were listed %d different tools", w.changes)
			}
		})
	}
}
