package gateway

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/tools"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

const coldServers = 12

// BenchmarkColdStart starts twelve servers that each work for about a second
// before they read, once with nothing known and once with what an earlier run has
// seen, and searches meanwhile. A start is told as a multiple of what one server
// takes alone; two cores cannot do better than half the number of servers.
func BenchmarkColdStart(b *testing.B) {
	b.Run("nothing-known", func(b *testing.B) { coldStart(b, false) })
	b.Run("known-before", func(b *testing.B) { coldStart(b, true) })
}

func coldStart(b *testing.B, known bool) {
	work := strconv.Itoa(secondOfWork())
	var ratio, first, cold, warm []float64
	for b.Loop() {
		one := coldWorld(b, 1, work)
		began := time.Now()
		one.DiscoverAll(b.Context())
		alone := time.Since(began)
		_ = one.Close()

		w := coldWorld(b, coldServers, work)
		if known {
			w.DiscoverAll(b.Context())
			w.open()
			w.LoadCached(b.Context())
		}
		done := make(chan struct{})
		began = time.Now()
		go func() {
			defer close(done)
			if known {
				w.Probe(b.Context(), nil, func(int, int, string) {})
			} else {
				w.DiscoverAll(b.Context())
			}
		}()
		took := coldSearches(b, w, done)
		ratio = append(ratio, time.Since(began).Seconds()/alone.Seconds())
		if n := len(w.Tools(b.Context()).List); n != coldServers {
			b.Fatalf("%d servers are known", n)
		}
		first, cold = append(first, took[0]), append(cold, took[1:]...)
		for range 200 {
			warm = append(warm, coldSearch(b, w))
		}
		_ = w.Close()
	}
	for name, list := range map[string][]float64{"x-alone": ratio, "first-search-ms": first, "search-cold-p50-ms": cold, "search-warm-p50-ms": warm} {
		slices.Sort(list)
		if len(list) > 0 {
			b.ReportMetric(list[len(list)/2], name)
		}
	}
	slices.Sort(cold)
	b.ReportMetric(cold[len(cold)*99/100], "search-cold-p99-ms")
	b.ReportMetric(0, "ns/op")
}

// coldWorld has servers whose starts are work.
func coldWorld(b *testing.B, n int, work string) *world {
	list := map[string]string{}
	for i := range n {
		list[fmt.Sprint("s", i)] = lake
	}
	w := newRealWorld(b, list)
	for name, s := range w.cfg.Servers {
		s.Env[workFor] = work
		w.cfg.Servers[name] = s
	}
	w.open()
	return w
}

// secondOfWork is how much of labour takes a second on this machine as it is now.
func secondOfWork() int {
	const some = 200
	began := time.Now()
	labour(strconv.Itoa(some))
	return int(some * time.Second / time.Since(began))
}

// coldSearches are the milliseconds that searches took, one behind the other with
// a pause, until done.
func coldSearches(b *testing.B, w *world, done chan struct{}) (took []float64) {
	pause := time.NewTicker(50 * time.Millisecond)
	defer pause.Stop()
	for {
		took = append(took, coldSearch(b, w))
		select {
		case <-done:
			return append(took, coldSearch(b, w))
		case <-pause.C:
		}
	}
}

func coldSearch(b *testing.B, w *world) float64 {
	began := time.Now()
	env := &catalog.Env{Upstreams: w.For(Caller{}), Progress: func(catalog.Progress) {}}
	if _, err := tools.Search(func(s string) string { return s }).Run(context.Background(), env, map[string]any{"query": "how deep is the lake"}); err != nil {
		b.Fatal(err)
	}
	return float64(time.Since(began).Microseconds()) / 1e3
}
