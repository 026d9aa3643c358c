package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// BenchmarkOpen opens a store of 20 servers with 50 tools each, which takes its check of the whole file.
func BenchmarkOpen(b *testing.B) {
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "s.db")
	s, err := store.Open(ctx, path)
	if err != nil {
		b.Fatal(err)
	}
	for server := range 20 {
		list := pins(50)
		for i := range list {
			list[i].Server = fmt.Sprint(server)
			list[i].Definition = make([]byte, 1500)
		}
		if err := s.PutPins(ctx, list); err != nil {
			b.Fatal(err)
		}
	}
	s.Close()
	for b.Loop() {
		s, err := store.Open(ctx, path)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkCount is what a call pays.
func BenchmarkCount(b *testing.B) {
	s, err := store.Open(context.Background(), ":memory:")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		s.Count("", "server", "tool", true)
	}
}
