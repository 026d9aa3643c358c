package sandbox

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// stallTree is a tree whose files under one name hang until they are let go, as on a network file system.
type stallTree struct {
	tree
	name  string
	letGo chan struct{}
}

func (s stallTree) opener() opener { return stallOpener{s.tree.opener(), s} }

type stallOpener struct {
	opener
	stall stallTree
}

func (o stallOpener) open(path string) (file, meta, error) {
	if path == o.stall.name {
		<-o.stall.letGo
	}
	return o.opener.open(path)
}

// TestScanLeavesBehindWhatHangs cancels a scan whose worker hangs in an open. The scan comes back; when the worker does
// too, its file is no longer given to the function, and the root is closed only then.
func TestScanLeavesBehindWhatHangs(t *testing.T) {
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, plant(t, map[string]string{"a": "1", "slow": "2"}), Options{})
		stall := stallTree{r.core.tree, "slow", make(chan struct{})}
		r.core.tree = stall
		ctx, cancel := context.WithCancel(context.Background())
		var calls, late atomic.Int32
		var over atomic.Bool
		stats, err := r.Scan(ctx, mustFiles(t, r), 2, func(int, int, Entry, []byte) {
			if over.Load() {
				late.Add(1)
			}
			calls.Add(1)
			cancel()
		})
		over.Store(true)
		if err != nil || !stats.Cut || stats.Files != 1 || calls.Load() != 1 {
			t.Errorf("%+v, %v, %d calls", stats, err, calls.Load())
		}
		must(t, r.Close())
		close(stall.letGo)
		for deadline := time.Now().Add(10 * time.Second); r.core.stuck.Load() > 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if late.Load() > 0 {
			t.Error("the function was called after the scan")
		}
		if _, err := r.Stat("a"); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

// TestReadFileLeavesBehindWhatHangs wants the caller's buffer untouched by a read that was given up.
func TestReadFileLeavesBehindWhatHangs(t *testing.T) {
	r := modes[0].open(t, plant(t, map[string]string{"slow": "slow content"}), Options{})
	stall := stallTree{r.core.tree, "slow", make(chan struct{})}
	r.core.tree = stall
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	buf := []byte("mine, not yours")
	if _, err := r.ReadFile(ctx, "slow", buf); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ReadFile: %v", err)
	}
	close(stall.letGo)
	for deadline := time.Now().Add(10 * time.Second); r.core.stuck.Load() > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if string(buf) != "mine, not yours" {
		t.Errorf("the buffer was written to: %q", buf)
	}
}
