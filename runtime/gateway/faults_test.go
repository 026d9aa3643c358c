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
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

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
	slow  latencies
	conf  sync.Mutex
}

type latencies struct {
	mu  sync.Mutex
	all []time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, d)
}

func (l *latencies) quantile(q float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.all)
	return l.all[int(q*float64(len(l.all)-1))]
}

const (
	sickTime = 5 * time.Second        // for a call, a list and a start of a sick server
	hangTime = 300 * time.Millisecond // for a call of its tool "hang"
)

func (f *fleet) addSick(name string, s config.Server) {
	s.Name, s.Prefix, s.Enabled = name, name, true
	s.Timeout, s.Start, s.MaxMessage = sickTime, sickTime, 8<<20
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
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(5 * time.Millisecond):
		}
		args := fmt.Sprintf(`{"of":%q,"n":%d}`, name, n)
		began := time.Now()
		got, err := f.say(name+"__echo", args)
		if err != nil || got != args {
			f.t.Errorf("%s, call %d: %.200s %v", name, n, got, err)
			return
		}
		f.slow.add(time.Since(began))
		f.calls.Add(1)
	}
}

// say calls a tool and gives the first text of its result.
func (f *fleet) say(tool, args string) (string, error) {
	res, err := f.For(Caller{Note: func(string, json.RawMessage) {}}).Execute(context.Background(), tool, "", json.RawMessage(args))
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

// fall makes one fault, holds what its caller gets, and waits until the server is well again.
func (s *sick) fall(x fault) {
	args := fmt.Sprintf(`{"how":%q}`, x.name)
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
		for range 2 {
			s.Probe(context.Background(), []string{s.name}, func(int, int, string) {})
			s.count(x.name)
		}
		if _, err := s.say(s.name+"__mood", `{}`); err == nil {
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
	s.recover(x)
}

func (s *sick) expect(x fault, tool, args string) {
	got, err := s.say(s.name+"__"+tool, args)
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
	for until := time.Now().Add(3 * time.Minute); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		if got, err = s.say(s.name+"__ok", `{}`); err == nil && got == "right" {
			return
		}
		if err == nil {
			s.t.Errorf("%s: after %s: %.200q", s.name, x.name, got)
			return
		}
	}
	s.t.Errorf("%s: it is not well again after %s: %v", s.name, x.name, err)
}

// held is what a process holds.
type held struct {
	goroutines, files int
	memory            int64 // bytes in RAM; of the heap where that is not known
}

func holding() held {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h := held{goroutines: runtime.NumGoroutine(), memory: int64(m.HeapAlloc)}
	names, _ := os.ReadDir("/proc/self/fd")
	h.files = len(names)
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(data)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			h.memory = pages * int64(os.Getpagesize())
		}
	}
	return h
}

// chaos makes faults in two parts and compares what is held after each.
func (f *fleet) chaos(faults int, before held) {
	f.names()
	f.make(faults / 4)
	first := f.rest()
	f.make(faults)
	last := f.rest()
	f.t.Logf("%d faults of %d kinds, %d calls of the well all right: p50 %v, p99 %v, longest %v; memory %.1f MB after a quarter, %.1f MB after all",
		f.made.Load(), f.different(), f.calls.Load(), f.slow.quantile(.5), f.slow.quantile(.99), f.slow.quantile(1), mb(first.memory), mb(last.memory))
	if p50 := f.slow.quantile(.5); p50 > hangTime {
		f.t.Errorf("half of the calls of the well took longer than %v: as if they waited for the sick", p50)
	}
	slack := first.memory/10 + 16<<20
	if faults < 1000 { // a quarter of a few does not meet all kinds, and the heap still grows to its size
		slack += 64 << 20
	}
	if last.memory > first.memory+slack && !raced { // the detector keeps a shadow of all that was ever touched
		f.t.Errorf("memory grew from %.1f MB to %.1f MB", mb(first.memory), mb(last.memory))
	}
	if err := f.Close(); err != nil {
		f.t.Error(err)
	}
	f.after(before)
}

// rest is what is held when nobody calls.
func (f *fleet) rest() held {
	least := holding()
	for range 20 {
		time.Sleep(20 * time.Millisecond)
		if h := holding(); h.memory < least.memory {
			least = h
		}
	}
	return least
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
	for range 200 {
		now = holding()
		if now.goroutines <= before.goroutines && now.files <= before.files {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if now.goroutines > before.goroutines || now.files > before.files {
		f.t.Errorf("%d goroutines and %d files, before %d and %d", now.goroutines, now.files, before.goroutines, before.files)
	}
	for until := time.Now().Add(10 * time.Second); others() > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			f.t.Errorf("%d processes are left", others())
			return
		}
	}
}

func (f *fleet) different() (n int) {
	f.kinds.Range(func(any, any) bool { n++; return true })
	return n
}

func mb(n int64) float64 { return float64(n) / (1 << 20) }

// replace gives a server a variable more, so that it is closed and started anew.
func (f *fleet) replace(name string, n int) {
	f.conf.Lock()
	defer f.conf.Unlock()
	next := *f.cfg
	next.Servers = maps.Clone(f.cfg.Servers)
	s := next.Servers[name]
	s.Env = maps.Clone(s.Env)
	s.Env["TURN"] = strconv.Itoa(n)
	next.Servers[name] = s
	f.cfg = &next
	f.Configure(f.cfg)
}
