package service_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/service"
)

// A key that is renewed is taken up like an edit of the configuration.
func TestAChangeOfTheSecretsIsWatched(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	changed := make(chan struct{}, 1)
	go service.Watch(ctx, []string{dir}, 5*time.Millisecond, func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	// Each write is another, for the watch may begin after the first.
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for n, text := 0, "KEY=a"; ; n++ {
		if err := os.WriteFile(filepath.Join(dir, service.SecretsFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		text += "a"
		select {
		case <-changed:
			return
		case <-tick.C:
			if n == 100 {
				t.Fatal("not seen")
			}
		}
	}
}
