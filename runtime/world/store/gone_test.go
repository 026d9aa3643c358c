package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// A file that is deleted or replaced while it is open is named by the next change: what is
// written there is read by nobody.
func TestTheFileIsGone(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"deleted": os.Remove,
		"moved":   func(path string) error { return os.Rename(path, path+".aside") },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("another"), 0o600), os.Rename(path+".new", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "s.db")
			s, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if _, err := s.ForgetSessions(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			if err := spoil(path); err != nil && runtime.GOOS == "windows" {
				t.Skip("this system keeps files that are open: ", err)
			} else if err != nil {
				t.Fatal(err)
			}
			_, err = s.ForgetSessions(t.Context(), time.Now())
			if !errors.Is(err, store.ErrGone) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "start compactor again") {
				t.Errorf("%v", err)
			}
		})
	}
}
