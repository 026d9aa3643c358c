package service_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/event/metrics"
	"github.com/compactor-mcp/compactor/runtime/store"
	"github.com/compactor-mcp/compactor/runtime/timeline"
)

// BenchmarkEvents runs the same session with and without the timeline, its store and
// metrics: calls of upstream tools through the MCP face, in turns of 100.
func BenchmarkEvents(b *testing.B) {
	lists, queries, _ := warehouse(200)
	face := func(on bool) func() {
		svc := newFleet(b, lists).behind(b, "")
		if on {
			recent := timeline.New(timeline.Options{Stream: svc.Events()})
			s, err := store.Open(context.Background(), filepath.Join(b.TempDir(), "t.db"))
			if err != nil {
				b.Fatal(err)
			}
			recent.Shelve(s.Timeline(), func() timeline.Keeping { return timeline.Keeping{For: time.Hour, Sessions: 100} }, func(err error) { b.Error(err) })
			counts := metrics.New(metrics.Options{Stream: svc.Events()})
			b.Cleanup(func() {
				counts.Close()
				recent.Close()
				b.ReportMetric(float64(recent.Lost()), "lost")
			})
		}
		f, n := newFace(b, svc), 0
		return func() {
			for range 100 {
				n++
				params, _ := json.Marshal(map[string]any{"name": "search_tools", "arguments": map[string]any{"query": queries[n%len(queries)]}})
				f.ask("tools/call", string(params))
			}
		}
	}
	off, on := face(false), face(true)
	off()
	on()
	var without, with []time.Duration
	for b.Loop() {
		began := time.Now()
		off()
		middle := time.Now()
		on()
		without, with = append(without, middle.Sub(began)), append(with, time.Since(middle))
	}
	slices.Sort(without)
	slices.Sort(with)
	x, y := without[len(without)/2], with[len(with)/2]
	b.ReportMetric(float64(x.Microseconds())/100, "off-us/call")
	b.ReportMetric(float64(y.Microseconds())/100, "on-us/call")
	b.ReportMetric(100*(float64(y)/float64(x)-1), "cost-%")
	b.ReportMetric(0, "ns/op")
}
