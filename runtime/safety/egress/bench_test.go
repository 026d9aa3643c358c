package egress

import (
	"fmt"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// BenchmarkOut lets out a value of the size of a research reply, and one of 100 KB.
func BenchmarkOut(b *testing.B) {
	for _, n := range []int{12, 700} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var rows []map[string]any
			for i := range n {
				rows = append(rows, map[string]any{"reference": fmt.Sprintf("runtime/pool/pool.go:%d", i), "finding": "`NewPool` builds the worker pool with n workers <and> a limit", "score": 1.25, "seen": true})
			}
			v := map[string]any{"question": "where is the worker pool built?", "findings": rows}
			f := New(redact.Default())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Apply(b.Context(), v, nil, nil, 1_000_000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
