package upstream

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// yard is where programs in memory start that take their time.
type yard struct {
	t      *testing.T
	starts *Starts
	mu     sync.Mutex
	order  []string
	now    int // programs in their start
	most   int
}

func newYard(t *testing.T, limit int) *yard {
	y := &yard{t: t, starts: &Starts{}}
	y.starts.Limit(limit)
	return y
}

// busyProgram has done all the work there was time for.
type busyProgram struct {
	Program
	began time.Time
}

func (b busyProgram) Worked() (time.Duration, bool) { return time.Since(b.began), true }

// server starts for so long; a busy one works meanwhile, and one that takes an hour hangs.
func (y *yard) server(name string, takes time.Duration, busy bool, edit ...func(*Spec)) *Server {
	spec := Spec{Name: name, Command: "pipe", Args: []string{unique(y.t)}, Era: Handshake}
	for _, f := range edit {
		f(&spec)
	}
	return newServer(y.t, spec, Options{Starts: y.starts, Start: func(ctx context.Context, s Spec) (Program, error) {
		y.step(name, 1)
		p, err := startPiped(func(p *piped) {
			select {
			case <-time.After(takes):
			case <-p.stopped:
				y.step("", -1)
				return
			}
			y.step("", -1)
			p.messages(func(m incoming) {
				if !p.hello(m) {
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				}
			})
		})(ctx, s)
		if busy {
			p = busyProgram{p, time.Now()}
		}
		return p, err
	}})
}

func (y *yard) step(name string, n int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.now += n; n > 0 {
		y.order = append(y.order, name)
	}
	y.most = max(y.most, y.now)
}

func (y *yard) started() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	return strings.Join(y.order, " ")
}

func TestStartsTakeTurnsAndTheirTimeBeginsWithTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 2)
		var wg sync.WaitGroup
		for i := range 12 {
			s := y.server(fmt.Sprint("s", i), 8*time.Second, true, func(s *Spec) { s.StartTime = 20 * time.Second })
			wg.Go(func() {
				if err := ask(t, s); err != nil {
					t.Error(err)
				}
			})
		}
		began := time.Now()
		wg.Wait()
		if took := time.Since(began); y.most != 2 || took != 6*8*time.Second {
			t.Errorf("%d at once, %s in all", y.most, took)
		}
	})
}

func TestTheServerThatIsWaitedForStartsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 1)
		var wg sync.WaitGroup
		servers := map[string]*Server{}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			s := y.server(name, time.Second, true)
			servers[name] = s
			wg.Go(func() { _ = ask(t, s) })
			time.Sleep(time.Millisecond) // one behind the other
		}
		defer servers["d"].Wanted()()
		last := y.server("f", time.Second, true)
		defer last.Wanted()()
		wg.Go(func() { _ = ask(t, last) })
		wg.Wait()
		if got := y.started(); got != "a d f b c e" {
			t.Error(got)
		}
	})
}

// What hangs must not keep the others from starting, and has its own time all the same.
func TestAStartThatDoesNothingLosesItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 2)
		var ends []string
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, name := range []string{"hangs", "mute", "slow", "well"} {
			takes := map[string]time.Duration{"hangs": time.Hour, "mute": time.Hour, "slow": 9 * time.Second, "well": time.Second}[name]
			s := y.server(name, takes, false)
			wg.Go(func() {
				err := ask(t, s)
				if (err == nil) != (takes < time.Hour) {
					t.Error(name, err)
				}
				mu.Lock()
				defer mu.Unlock()
				ends = append(ends, name)
			})
			time.Sleep(time.Millisecond)
		}
		wg.Wait()
		if !slices.Equal(ends, []string{"well", "slow", "hangs", "mute"}) {
			t.Error(ends)
		}
	})
}

// One that works in a circle has half of its start time.
func TestAStartThatWorksForEverLosesItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 1)
		spins, well := y.server("spins", time.Hour, true), y.server("well", time.Second, true)
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := ask(t, spins); err == nil {
				t.Error("it started")
			}
		})
		time.Sleep(time.Millisecond)
		began := time.Now()
		if err := ask(t, well); err != nil || time.Since(began) > 20*time.Second || time.Since(began) < 14*time.Second {
			t.Error(err, time.Since(began))
		}
		wg.Wait()
	})
}

func TestAClosedServerLeavesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 1)
		first, gone, last := y.server("first", 3*time.Second, true), y.server("gone", 0, true), y.server("last", 0, true)
		var wg sync.WaitGroup
		for _, s := range []*Server{first, gone, last} {
			wg.Go(func() { _ = ask(t, s) })
			time.Sleep(time.Millisecond)
		}
		if err := gone.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if got := y.started(); got != "first last" || y.starts.going != 0 {
			t.Errorf("%s; %d are counted", got, y.starts.going)
		}
	})
}

// A server over the network works elsewhere.
func TestWhatIsReachedOverTheNetworkTakesNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 1)
		slow := y.server("slow", 10*time.Second, true)
		var wg sync.WaitGroup
		wg.Go(func() { _ = ask(t, slow) })
		time.Sleep(time.Millisecond)
		far := newServer(t, Spec{URL: "http://127.0.0.1:1/"}, Options{Starts: y.starts})
		began := time.Now()
		if err := ask(t, far); err == nil || time.Since(began) > time.Second {
			t.Error(err, time.Since(began))
		}
		wg.Wait()
	})
}
