package service_test

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
)

// A key that is renewed is taken up like an edit of the configuration.
func TestAChangeOfTheSecretsIsWatched(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var changed atomic.Int32
		go service.Watch(t.Context(), []string{dir}, time.Second, func() { changed.Add(1) })
		for i, text := range []string{"KEY=a", "KEY=ab"} {
			synctest.Wait() // the directory has been looked at
			if err := os.WriteFile(filepath.Join(dir, service.SecretsFile), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if n := int(changed.Load()); n != i+1 {
				t.Errorf("%q: told %d times, want %d", text, n, i+1)
			}
		}
	})
}
