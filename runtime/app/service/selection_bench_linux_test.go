package service_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"golang.org/x/sys/unix"
)

// BenchmarkSelection is what short lists and tracking add where 500 tools are behind and
// 500 sessions are open that go on calling: to a list, and to a call that is kept, on the
// raw pipe. With and without have a process of their own, which take turns; the time is
// that which goes by, and that of the processor, in which what is written and learnt aside
// counts for the request that it falls on.
func BenchmarkSelection(b *testing.B) {
	off, on := newCrowd(b, "off"), newCrowd(b, "on")
	for _, what := range []string{"list", "call"} {
		b.Run(what, func(b *testing.B) {
			var sums [2]spent
			for i := 0; b.Loop(); i++ {
				for k := range 2 {
					which := (i + k) % 2
					sums[which] = sums[which].and([]*crowded{off, on}[which].take(b, what))
				}
			}
			for name, of := range map[string]func(spent) []float64{"wall": func(s spent) []float64 { return s.wall }, "cpu": func(s spent) []float64 { return s.cpu }} {
				without, with := of(sums[0]), of(sums[1])
				slices.Sort(without)
				slices.Sort(with)
				for p, at := range map[string]int{"p50": 50, "p99": 99} {
					x, y := without[len(without)*at/100], with[len(with)*at/100]
					b.ReportMetric(x, name+"-off-"+p+"-us")
					b.ReportMetric(y, name+"-on-"+p+"-us")
					b.ReportMetric(y-x, name+"-added-"+p+"-us")
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// spent is what requests took, each in microseconds.
type spent struct{ wall, cpu []float64 }

func (s spent) and(o spent) spent { return spent{append(s.wall, o.wall...), append(s.cpu, o.cpu...)} }

// crowded is a process of TestCrowd.
type crowded struct {
	ask  io.Writer
	said *bufio.Reader
}

// The environment of a process of TestCrowd: which it is, and where to leave a profile.
const (
	crowdEnv        = "COMPACTOR_CROWD"
	crowdProfileEnv = "COMPACTOR_CROWD_PROFILE"
)

// atOnce are the requests of one turn.
const atOnce = 25

func newCrowd(b *testing.B, which string) *crowded {
	in, out := benchProcess(b, "TestCrowd", crowdEnv, which, os.Getenv(crowdProfileEnv))
	c := &crowded{in, out}
	for _, what := range []string{"list", "call"} {
		c.take(b, what)
	}
	return c
}

func (c *crowded) take(b *testing.B, what string) (out spent) {
	b.Helper()
	fmt.Fprintln(c.ask, what)
	for range atOnce {
		var wall, cpu float64
		if _, err := fmt.Fscanf(c.said, "took %g %g\n", &wall, &cpu); err != nil {
			b.Fatal(err)
		}
		out.wall, out.cpu = append(out.wall, wall), append(out.cpu, cpu)
	}
	return out
}

// TestCrowd is a process of BenchmarkSelection: for every line it makes a turn.
func TestCrowd(t *testing.T) {
	which := os.Getenv(crowdEnv)
	if which == "" {
		t.Skip("it is a process of BenchmarkSelection")
	}
	lists, _, names := warehouse(500)
	more := ""
	if which == "on" {
		more = ", selection: {}"
	}
	svc := newFleet(t, lists).behind(t, "gateway: {surface: \"proxy\""+more+"}")
	var tracker *usage.Tracker
	if which == "on" {
		file := filepath.Join(t.TempDir(), "u.db")
		tracker = usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Open: func(ctx context.Context) (usage.Log, error) {
			s, err := store.Open(ctx, file)
			if err != nil {
				return nil, err
			}
			return s.Usage(), nil
		}})
		end := svc.Track(tracker)
		t.Cleanup(func() { _ = end() })
	}
	crowd := &crowd{svc: svc, tracker: tracker, names: names}
	for n := range 500 * 20 {
		if crowd.call(); n%1000 == 0 && tracker != nil {
			_ = tracker.Flush(t.Context())
		}
	}
	f := newFace(t, svc)
	f.ask("tools/list", `{}`)
	for i := range 20 {
		f.call(names[i*7%len(names)])
	}
	lines, n := bufio.NewScanner(os.Stdin), 0
	for lines.Scan() {
		stop := crowd.goOn()
		var out spent
		for range atOnce {
			cpu, began := used(t), time.Now()
			if n++; lines.Text() == "list" {
				f.ask("tools/list", `{}`)
			} else {
				f.call(names[n%40])
			}
			wall := time.Since(began)
			out.wall, out.cpu = append(out.wall, micros(wall)), append(out.cpu, micros(used(t)-cpu))
			before := crowd.n.Load()
			clocktest.Until(t, "the crowd calls meanwhile", func() bool { return crowd.n.Load() > before })
		}
		stop()
		for i := range atOnce {
			fmt.Printf("took %g %g\n", out.wall[i], out.cpu[i])
		}
	}
	if tracker != nil && tracker.Lost() > 0 {
		t.Errorf("%d calls were lost", tracker.Lost())
	}
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// used is what this process has used of processors.
func used(t *testing.T) time.Duration {
	var spec unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &spec); err != nil {
		t.Fatal(err)
	}
	return time.Duration(spec.Nano())
}

// crowd is 500 sessions that call one tool after the other, each session in its turn.
type crowd struct {
	svc     *service.Service
	tracker *usage.Tracker // nil: nothing is tracked
	names   []string
	n       atomic.Int64
}

// call has the next session call a tool. Its client was listed twenty of them.
func (c *crowd) call() {
	n := int(c.n.Add(1)) - 1
	i, k := n%500, n/500
	id := fmt.Sprint("crowd", i)
	name := c.names[(i+k*11)%len(c.names)]
	c.svc.Session(id).Add(session.Call{Tool: name, Server: "s", Outcome: session.OK, Tokens: 300})
	if c.tracker == nil {
		return
	}
	who := usage.Told{ID: id, Client: "crowd", Era: "handshake"}
	if k%20 == 0 {
		c.tracker.Shown(who, c.names[i%400:i%400+20], c.names)
	}
	c.tracker.Called(who, usage.Call{Server: "s", Tool: name, At: time.Now(), Elapsed: time.Millisecond, OK: true}, []byte(`{"path":"a/b/c","limit":10}`))
}

// goOn has the sessions call about 500 times in a second, until it is stopped.
func (c *crowd) goOn() (stop func()) {
	end := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				c.call()
			case <-end:
				return
			}
		}
	})
	return func() {
		close(end)
		work.Wait()
	}
}
