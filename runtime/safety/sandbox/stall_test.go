package sandbox

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// stallTree is a tree whose files under one name hang until they are let go, as on a network file system.
type stallTree struct {
	tree
	name    string
	hanging chan struct{} // one value for each open that hangs
	letGo   chan struct{}
}

func newStallTree(r *Root, name string) stallTree {
	return stallTree{r.core.tree, name, make(chan struct{}, 10), make(chan struct{})}
}

func (s stallTree) opener() opener { return stallOpener{s.tree.opener(), s} }

type stallOpener struct {
	opener
	stall stallTree
}

func (o stallOpener) open(path string) (file, meta, error) {
	if path == o.stall.name {
		o.stall.hanging <- struct{}{}
		<-o.stall.letGo
	}
	return o.opener.open(path)
}

// awaitStuck waits until no call of the root hangs any more.
func awaitStuck(t *testing.T, r *Root) {
	t.Helper()
	clocktest.Until(t, "what hung has ended", func() bool { return r.core.stuck.Load() == 0 })
}

// TestScanLeavesBehindWhatHangs cancels a scan whose worker hangs in an open. The scan comes back; when the worker does
// too, its file is no longer given to the function, and the root is closed only then.
func TestScanLeavesBehindWhatHangs(t *testing.T) {
	eachMode(t, func(t *testing.T, m mode) {
		r := m.open(t, plant(t, map[string]string{"a": "1", "slow": "2"}), Options{})
		stall := newStallTree(r, "slow")
		r.core.tree = stall
		ctx, cancel := context.WithCancel(context.Background())
		var calls, late atomic.Int32
		var over atomic.Bool
		stats, err := r.Scan(ctx, mustFiles(t, r), 2, func(int, int, Entry, []byte) {
			if over.Load() {
				late.Add(1)
			}
			calls.Add(1)
			<-stall.hanging // the other worker
			cancel()
		})
		over.Store(true)
		if err != nil || !stats.Cut || stats.Files != 1 || calls.Load() != 1 {
			t.Errorf("%+v, %v, %d calls", stats, err, calls.Load())
		}
		must(t, r.Close())
		close(stall.letGo)
		awaitStuck(t, r)
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
	stall := newStallTree(r, "slow")
	r.core.tree = stall
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-stall.hanging
		cancel()
	}()
	buf := []byte("mine, not yours")
	if _, err := r.ReadFile(ctx, "slow", buf); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadFile: %v", err)
	}
	close(stall.letGo)
	awaitStuck(t, r)
	if string(buf) != "mine, not yours" {
		t.Errorf("the buffer was written to: %q", buf)
	}
}
