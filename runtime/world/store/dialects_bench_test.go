package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/cputime"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// eachStore runs a benchmark on each kind of database.
func eachStore(b *testing.B, bench func(b *testing.B, s *store.Store)) {
	for _, kind := range []string{"sqlite", "postgres"} {
		b.Run(kind, func(b *testing.B) {
			at := filepath.Join(b.TempDir(), "s.db")
			if kind == "postgres" {
				at = storetest.Shared(b).URL()
			}
			s, err := store.Open(b.Context(), at)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			before := cputime.Process()
			bench(b, s)
			b.ReportMetric(float64(cputime.Process()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

// BenchmarkKeepCalls writes what 100 calls of one second leave: their use and their spans.
func BenchmarkKeepCalls(b *testing.B) {
	var tools []string
	for n := range 100 {
		tools = append(tools, fmt.Sprint("t", n))
	}
	eachStore(b, func(b *testing.B, s *store.Store) {
		n := 0
		for b.Loop() {
			n++
			if err := s.Usage().Append(b.Context(), batch("r", fmt.Sprint("x", n), time.Now(), tools...)); err != nil {
				b.Fatal(err)
			}
			session, spans := sessionOf(n, "some words")
			if err := s.Timeline().Put(b.Context(), []timeline.Session{session}, append(spans, spans...)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkApprove is what a person waits for.
func BenchmarkApprove(b *testing.B) {
	eachStore(b, func(b *testing.B, s *store.Store) {
		for b.Loop() {
			if err := s.ChangePins(b.Context(), "counter", increment); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPins reads what a serve reads of each server once.
func BenchmarkPins(b *testing.B) {
	eachStore(b, func(b *testing.B, s *store.Store) {
		if err := s.PutPins(b.Context(), pins(50)); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := s.Pins(b.Context(), "files"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
