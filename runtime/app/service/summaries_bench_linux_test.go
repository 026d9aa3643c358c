package service_test

import (
	"encoding/json"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"golang.org/x/sys/unix"
)

// BenchmarkResultHook is what the hook adds to a result of 100 kB: under the
// threshold, where it is counted and passes, and over it, where it is made short. The
// time is that of the processor, which no other load of the machine adds to.
func BenchmarkResultHook(b *testing.B) {
	text := strings.Repeat("2026-11-02T10:00:00Z INFO worker-3 took job 17 of queue mail\n", 1640)
	raw := json.RawMessage("{" + textResult(text) + "}")
	svc := newFleet(b, map[string]string{"logs": ""}).behind(b, "")
	for name, threshold := range map[string]int{"under": 1_000_000, "over": 2000} {
		b.Run(name, func(b *testing.B) {
			r := gateway.Result{Server: "logs", Tool: "read", Args: json.RawMessage("{}"), Raw: raw, Now: time.Now, Summaries: &config.Summaries{Threshold: threshold, Limit: 1000}}
			goruntime.LockOSThread()
			defer goruntime.UnlockOSThread()
			var took []time.Duration
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				began := processorTime(b)
				out := service.ResultOf(b.Context(), svc, r)
				took = append(took, processorTime(b)-began)
				if (out.Summary != nil) != (name == "over") {
					b.Fatal(name)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-cpu-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-cpu-µs")
		})
	}
}

// processorTime is what this thread has used of a processor.
func processorTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}
