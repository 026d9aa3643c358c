package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/metrics"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"golang.org/x/sys/unix"
)

// Calls are made in turns, one after the other; a block is as many turns as take about
// a second, so that each holds what the timeline writes once in a second.
const (
	turn  = 50 // calls
	block = 20 // turns
)

// BenchmarkEvents runs the same session with and without the timeline, its store and
// metrics: calls of upstream tools through the MCP face. Each way has a process of its
// own, so that what is done later, such as writing and collecting garbage, counts for
// the one that caused it; they take turns, so that what else the machine does falls on
// both. What is compared is time of the processor, which waiting for it adds nothing
// to, and the time that went by: of blocks, the median of their ratios with the bounds
// of its 95 % confidence.
func BenchmarkEvents(b *testing.B) {
	off, on := newTurns(b, "off"), newTurns(b, "on")
	off.take(2)
	on.take(2)
	var cpu, wall []float64
	for i := 0; b.Loop(); i++ {
		var x, y took
		for k := range block {
			if (i+k)%2 == 0 {
				x, y = x.and(off.take(1)), y.and(on.take(1))
			} else {
				y, x = y.and(on.take(1)), x.and(off.take(1))
			}
		}
		cpu, wall = append(cpu, 100*(y.cpu/x.cpu-1)), append(wall, 100*(y.wall/x.wall-1))
	}
	for name, list := range map[string][]float64{"cpu": cpu, "wall": wall} {
		median, low, high := middle(list)
		b.ReportMetric(median, name+"-cost-%")
		b.ReportMetric(low, name+"-low-%")
		b.ReportMetric(high, name+"-high-%")
	}
	b.ReportMetric(off.all.cpu/float64(off.calls)*1e6, "off-cpu-µs/call")
	b.ReportMetric(on.all.cpu/float64(on.calls)*1e6, "on-cpu-µs/call")
	b.ReportMetric(0, "ns/op")
}

// middle is the median of a list, and the bounds that it has with a confidence of 95 %,
// whatever its numbers are distributed like.
func middle(list []float64) (median, low, high float64) {
	slices.Sort(list)
	n := len(list)
	off := int(math.Ceil(0.98 * math.Sqrt(float64(n))))
	return (list[(n-1)/2] + list[n/2]) / 2, list[max(n/2-off, 0)], list[min((n-1)/2+off, n-1)]
}

// took is what turns took, in seconds.
type took struct{ cpu, wall float64 }

func (t took) and(o took) took { return took{t.cpu + o.cpu, t.wall + o.wall} }

// turns are those of a process.
type turns struct {
	b      *testing.B
	ask    io.Writer
	said   *bufio.Reader
	before float64 // time of the processor
	all    took
	calls  int
}

// turnsEnv makes a process of TestTurnsOfEvents; it says which.
const turnsEnv = "COMPACTOR_TURNS"

func newTurns(b *testing.B, which string) *turns {
	in, out := benchProcess(b, "TestTurnsOfEvents", turnsEnv, which, os.Getenv("COMPACTOR_TURNS_PROFILE"))
	return &turns{b: b, ask: in, said: out}
}

// benchProcess runs a test of this package as a process that a benchmark speaks with, until the benchmark ends. env says
// to the test which of them it is; a directory for profiles may be named.
func benchProcess(b *testing.B, test, env, which, profiles string) (io.Writer, *bufio.Reader) {
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	cmd.Env, cmd.Stderr = append(os.Environ(), env+"="+which), os.Stderr
	if profiles != "" {
		cmd.Args = append(cmd.Args, "-test.cpuprofile="+filepath.Join(profiles, which+".prof"))
	}
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	return in, bufio.NewReader(out)
}

// take has turns made. What the process did since those before counts for them.
func (t *turns) take(n int) (out took) {
	t.b.Helper()
	for range n {
		fmt.Fprintln(t.ask)
		var cpu, wall float64
		if _, err := fmt.Fscanf(t.said, "turn %g %g\n", &cpu, &wall); err != nil {
			t.b.Fatal(err)
		}
		if t.before > 0 {
			out = out.and(took{cpu - t.before, wall})
			t.calls += turn
		}
		t.before = cpu
	}
	t.all = t.all.and(out)
	return out
}

// TestTurnsOfEvents is a process of BenchmarkEvents: for every line it makes a turn.
func TestTurnsOfEvents(t *testing.T) {
	which := os.Getenv(turnsEnv)
	if which == "" {
		t.Skip("it is a process of BenchmarkEvents")
	}
	lists, queries, _ := warehouse(200)
	svc := newFleet(t, lists).behind(t, "")
	if which == "on" {
		recent := timeline.New(timeline.Options{Stream: svc.Events()})
		s, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "t.db"))
		if err != nil {
			t.Fatal(err)
		}
		recent.PersistTo(s.Timeline(), func() timeline.Retention { return timeline.Retention{For: time.Hour, Sessions: 100} }, func(err error) { t.Error(err) })
		counts := metrics.New(metrics.Options{Stream: svc.Events()})
		t.Cleanup(func() {
			counts.Close()
			recent.Close()
			if lost := recent.Lost(); lost > 0 {
				t.Error(lost, "events were lost")
			}
		})
	}
	f, n := newFace(t, svc), 0
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		began := time.Now()
		for range turn {
			n++
			params, _ := json.Marshal(map[string]any{"name": "search_tools", "arguments": map[string]any{"query": queries[n%len(queries)]}})
			f.ask("tools/call", string(params))
		}
		var used unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &used); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("turn %.6f %.6f\n", time.Duration(used.Nano()).Seconds(), time.Since(began).Seconds())
	}
}
