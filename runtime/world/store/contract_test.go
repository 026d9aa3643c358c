package store_test

import (
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// onEach runs a test on each kind of database. fresh is the URL of a store that is not there yet.
func onEach(t *testing.T, test func(t *testing.T, fresh string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "s.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, storetest.Shared(t).URL()) })
}
