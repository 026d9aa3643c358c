//go:build unix

package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// How many faults the tests of faults make, and with which seed, where it is not what they choose themselves.
const (
	faultsEnv = "COMPACTOR_FAULTS"
	seedEnv   = "COMPACTOR_SEED"
)

// A fault is one thing that a server does wrong.
type fault struct {
	name string
	kind int
	want int
}

// Where a fault happens.
const (
	atCall  = iota // tool "break"
	slowly         // tool "hang", whose time is short
	atStart        // the next connection
	atList         // the next list
	atStop         // when the connection is closed
)

// What the caller of a faulty tool gets.
const (
	anything = iota // an error or a result
	failure         // an error
	right           // the right result
)

// sick is a server that makes faults.
type sick struct {
	*fleet
	name    string
	faults  []fault
	restart string       // the fault of a call after which it is connected anew
	mode    func(string) // sets what goes wrong at starts and lists; "" nothing
	again   func()       // has it closed and made anew
	stands  func() bool  // reports whether it holds a call that asked it to "stand"
	order   iter
}

// iter gives faults in an order that a seed decides, each once before any comes twice. Servers of one fleet share the
// order and take turns, so that few faults are of many kinds and each server's are the same in every run.
type iter struct {
	rng   *rand.Rand
	place int // of this server in the turns
	of    int
	dealt []fault
}

func (i *iter) next(faults []fault) fault {
	for len(i.dealt) <= i.place {
		for _, n := range i.rng.Perm(len(faults)) {
			i.dealt = append(i.dealt, faults[n])
		}
	}
	x := i.dealt[i.place]
	i.dealt = i.dealt[i.place:]
	i.place = i.of
	return x
}

// fleet is a gateway over well and sick servers.
type fleet struct {
	*world
	well  []string
	sick  []*sick
	made  atomic.Int64 // faults
	limit atomic.Int64 // of faults
	kinds sync.Map     // name of fault → *atomic.Int64
	calls atomic.Int64 // of the well, all right
	conf  sync.Mutex
}

const (
	sickTime = 10 * time.Minute       // for what a sick server does in the end
	hangTime = 300 * time.Millisecond // for what it never does
)

func (f *fleet) addSick(name string, s config.Server) {
	s.Name, s.Prefix, s.Enabled = name, name, true
	s.Timeout, s.MaxTimeout, s.Start, s.MaxMessage = sickTime, hangTime, sickTime, 8<<20 // endless progress ends with a call's time
	s.Tools = map[string]config.ServerTool{"hang": {Timeout: hangTime}}
	f.cfg.Servers[name] = s
}

func number(env string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(env)); err == nil {
		return n
	}
	return otherwise
}

// join puts a sick server among the others.
func (f *fleet) join(s *sick, place, of int) {
	s.fleet, s.order = f, iter{rng: rand.New(rand.NewPCG(uint64(number(seedEnv, 1)), 7)), place: place, of: of}
	f.sick = append(f.sick, s)
}

// make makes faults until there are that many, while the well servers are called.
func (f *fleet) make(faults int) {
	f.limit.Store(int64(faults))
	stop := make(chan struct{})
	var well, ill sync.WaitGroup
	for _, name := range f.well {
		well.Go(func() { f.callWell(name, stop) })
	}
	for _, s := range f.sick {
		ill.Go(func() {
			for f.made.Load() < f.limit.Load() && !f.t.Failed() {
				s.fall(s.order.next(s.faults))
			}
		})
	}
	ill.Wait()
	close(stop)
	well.Wait()
}

// callWell calls a well server again and again: all must be right.
func (f *fleet) callWell(name string, stop chan struct{}) {
	pace := time.NewTicker(5 * time.Millisecond)
	defer pace.Stop()
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-pace.C:
		}
		if !f.echo(name, n) {
			return
		}
	}
}

// echo calls a well server and reports whether that was right.
func (f *fleet) echo(name string, n int) bool {
	args := fmt.Sprintf(`{"of":%q,"n":%d}`, name, n)
	got, err := f.say(context.Background(), name+"__echo", args)
	if err != nil || got != args {
		f.t.Errorf("%s, call %d: %.200s %v", name, n, got, err)
		return false
	}
	f.calls.Add(1)
	return true
}

// standstill has every sick server hold a call, and shows that calls of the well
// come back while it does.
func (f *fleet) standstill() {
	for _, s := range f.sick {
		f.change(s.name, func(c *config.Server) { c.Tools = nil })
	}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	var ended atomic.Int64
	var held sync.WaitGroup
	for _, s := range f.sick {
		held.Go(func() {
			_, _ = f.say(ctx, s.name+"__hang", `{"how":"stand"}`)
			ended.Add(1)
		})
	}
	clocktest.Until(f.t, "the sick hold their calls", func() bool {
		return !slices.ContainsFunc(f.sick, func(s *sick) bool { return !s.stands() })
	})
	for _, name := range f.well {
		f.echo(name, 0)
	}
	if n := ended.Load(); n > 0 {
		f.t.Errorf("%d calls of the sick ended before those of the well", n)
	}
	leave()
	held.Wait()
}

// say calls a tool and gives the first text of its result.
func (f *fleet) say(ctx context.Context, tool, args string) (string, error) {
	res, err := f.For(Caller{Note: func(string, json.RawMessage) {}}).Execute(ctx, tool, "", json.RawMessage(args))
	if err != nil {
		return "", err
	}
	var r struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(res.Raw, &r); err != nil || len(r.Content) == 0 {
		return string(res.Raw), nil
	}
	return r.Content[0].Text, nil
}

func (s *sick) count(name string) {
	s.made.Add(1)
	n, _ := s.kinds.LoadOrStore(name, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
}

// never gives what a server never does little time, and returns what takes that back.
func (s *sick) never(x fault) (back func()) {
	var short func(*config.Server)
	switch x.name {
	case "hang at initialize", "hang at start":
		short = func(c *config.Server) { c.Start = hangTime }
	case "hang at list":
		short = func(c *config.Server) { c.Timeout = hangTime }
	default:
		return func() {}
	}
	s.change(s.name, short)
	return func() { s.change(s.name, func(c *config.Server) { c.Start, c.Timeout = sickTime, sickTime }) }
}

// fall makes one fault, holds what its caller gets, and waits until the server is well again.
func (s *sick) fall(x fault) {
	args := fmt.Sprintf(`{"how":%q}`, x.name)
	back := s.never(x)
	switch x.kind {
	case atCall:
		s.expect(x, "break", args)
	case slowly:
		s.expect(x, "hang", args)
	case atStart:
		s.mode(x.name)
		s.expect(fault{name: s.restart}, "break", fmt.Sprintf(`{"how":%q}`, s.restart))
		s.expect(x, "ok", `{}`)
		s.mode("")
	case atList:
		s.mode(x.name)
		if x.name == "another schema at each list" { // the list may have been under way when the mode was set
			clocktest.Until(s.t, s.name+" offers mood", func() bool { s.list(x); return s.offers("mood") })
		}
		s.list(x)
		if _, err := s.say(context.Background(), s.name+"__mood", `{}`); err == nil {
			s.t.Errorf("%s: %s: a tool ran that is another at each look", s.name, x.name)
		}
		s.mode("")
	case atStop:
		s.mode(x.name)
		s.expect(fault{name: s.restart}, "break", fmt.Sprintf(`{"how":%q}`, s.restart))
		s.recover(x)
		s.again()
		s.count(x.name)
		s.mode("")
	}
	back()
	s.recover(x)
}

// list has the server's tools listed.
func (s *sick) list(x fault) {
	s.Probe(context.Background(), []string{s.name}, func(int, int, string) {})
	s.count(x.name)
}

// offers reports whether the server's last list has a tool.
func (s *sick) offers(tool string) bool {
	l, _ := s.entryNamed(s.name).known()
	return l != nil && slices.ContainsFunc(l.Tools, func(d definition) bool { return d.Name == tool })
}

func (s *sick) expect(x fault, tool, args string) {
	got, err := s.say(context.Background(), s.name+"__"+tool, args)
	s.count(x.name)
	switch {
	case x.want == failure && err == nil:
		s.t.Errorf("%s: %s: the caller was given %.200q", s.name, x.name, got)
	case x.want == right && (err != nil || got != "right"):
		s.t.Errorf("%s: %s: %.200q %v", s.name, x.name, got, err)
	case err != nil && (code(err) == "" || !utf8.ValidString(err.Error()) || len(err.Error()) > 4000):
		s.t.Errorf("%s: %s: an error of %d bytes that nobody can read: %.300q", s.name, x.name, len(err.Error()), err)
	}
}

// recover waits until a server answers rightly again.
func (s *sick) recover(x fault) {
	var err error
	var got string
	clocktest.Until(s.t, s.name+" is well again after "+x.name, func() bool {
		got, err = s.say(context.Background(), s.name+"__ok", `{}`)
		return err == nil
	}, func() any { return err })
	if got != "right" {
		s.t.Errorf("%s: after %s: %.200q", s.name, x.name, got)
	}
}

// held is what a process holds.
type held struct {
	goroutines, files int
	memory            int64 // bytes of the heap that are in use
}

func holding() held {
	runtime.GC()
	runtime.GC() // which empties the pools too
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	names, _ := os.ReadDir("/proc/self/fd")
	return held{goroutines: runtime.NumGoroutine(), memory: int64(m.HeapAlloc), files: len(names)}
}

// chaos makes faults in two parts and compares what is held after each.
func (f *fleet) chaos(faults int, before held) {
	f.names()
	f.make(faults / 4)
	f.relist()
	first := holding()
	f.make(faults)
	f.relist()
	var last held
	most := first.memory + first.memory/10 + 16<<20
	clocktest.Until(f.t, fmt.Sprintf("no more than %.1f MB are in use, %.1f MB after a quarter of the faults", mb(most), mb(first.memory)), func() bool {
		last = holding()
		return last.memory <= most
	}, func() any { return mb(last.memory) })
	f.standstill()
	f.t.Logf("%d faults of %d kinds, %d calls of the well all right; %.1f MB in use after a quarter, %.1f MB after all",
		f.made.Load(), f.different(), f.calls.Load(), mb(first.memory), mb(last.memory))
	if err := f.Close(); err != nil {
		f.t.Error(err)
	}
	f.after(before)
}

// relist has the lists of the sick read, of which some are long since their fault.
func (f *fleet) relist() {
	var names []string
	for _, s := range f.sick {
		names = append(names, s.name)
	}
	f.Probe(context.Background(), names, func(int, int, string) {})
}

// others counts the processes that run the same program as we do: servers, what they left behind, guards.
func others() (n int) {
	own, _ := os.Readlink("/proc/self/exe")
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == own {
			n++
		}
	}
	return max(n, 1) - 1
}

// after holds that all is given back when the gateway is closed.
func (f *fleet) after(before held) {
	var now held
	clocktest.Until(f.t, fmt.Sprintf("goroutines and files are as before: %+v", before), func() bool {
		now = holding()
		return now.goroutines <= before.goroutines && now.files <= before.files
	}, func() any { return now })
	clocktest.Until(f.t, "no process is left", func() bool { return others() == 0 }, func() any { return others() })
}

func (f *fleet) different() (n int) {
	f.kinds.Range(func(any, any) bool { n++; return true })
	return n
}

func mb(n int64) float64 { return float64(n) / (1 << 20) }

// replace gives a server a variable more, so that it is closed and started anew.
func (f *fleet) replace(name string, n int) {
	f.change(name, func(s *config.Server) {
		s.Env = maps.Clone(s.Env)
		s.Env["TURN"] = strconv.Itoa(n)
	})
}

// change takes over another configuration of one server.
func (f *fleet) change(name string, edit func(*config.Server)) {
	f.conf.Lock()
	defer f.conf.Unlock()
	next := *f.cfg
	next.Servers = maps.Clone(f.cfg.Servers)
	s := next.Servers[name]
	edit(&s)
	next.Servers[name] = s
	f.cfg = &next
	f.Configure(f.cfg)
}
