package service_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/service"
)

// BenchmarkResultHook is what the hook adds to a result of 100 kB: under the
// threshold, where it is counted and passes, and over it, where it is made short.
func BenchmarkResultHook(b *testing.B) {
	text := strings.Repeat("2026-11-02T10:00:00Z INFO worker-3 took job 17 of queue mail\n", 1640)
	raw := json.RawMessage("{" + textResult(text) + "}")
	svc := newFleet(b, map[string]string{"logs": ""}).behind(b, "")
	for name, threshold := range map[string]int{"under": 1_000_000, "over": 2000} {
		b.Run(name, func(b *testing.B) {
			r := gateway.Result{Server: "logs", Tool: "read", Args: json.RawMessage("{}"), Raw: raw, Now: time.Now, Summaries: &config.Summaries{Threshold: threshold, Limit: 1000}}
			var took []time.Duration
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				began := time.Now()
				out := service.ResultOf(b.Context(), svc, r)
				took = append(took, time.Since(began))
				if (out.Summary != nil) != (name == "over") {
					b.Fatal(name)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}
