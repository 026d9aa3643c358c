package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// attackSwap lets one goroutine swap a directory and a file for links, to outside and to a denied file, as fast as it
// can, while others open them by name, by walks and by scans: 20,000 opens, 1,000,000 in the long form.
func attackSwap(t *testing.T, m mode) {
	needLinks(t)
	top := plant(t, map[string]string{
		"proj/d/f":      "fine",
		"proj/e":        "fine",
		"proj/g/key":    "fine",
		"proj/.ssh/key": canary,
		"outside/f":     canary,
	})
	root := filepath.Join(top, "proj")
	plantIn(t, root, map[string]string{
		"d.link": "-> ../outside", "e.link": "-> .ssh/key", "g.link": "-> .ssh",
	})
	r := m.open(t, root, Options{})

	var stop atomic.Bool
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for !stop.Load() {
			for _, name := range []string{"d", "e", "g"} {
				swap(filepath.Join(root, name))
			}
		}
	})
	defer swapper.Wait()
	defer stop.Store(true)

	want := int64(20_000)
	if long() {
		want = 1_000_000
	}
	var opens, good, refused, escapes atomic.Int64
	count := func(data []byte, err error) {
		opens.Add(1)
		switch {
		case strings.Contains(string(data), canary):
			escapes.Add(1)
		case err == nil:
			good.Add(1)
		default:
			refused.Add(1)
		}
	}
	var openers sync.WaitGroup
	for range 2 {
		openers.Go(func() {
			for opens.Load() < want {
				openAll(r, count)
			}
		})
	}
	openers.Wait()
	t.Logf("%d opens: %d served, %d refused, %d escapes", opens.Load(), good.Load(), refused.Load(), escapes.Load())
	if escapes.Load() > 0 {
		t.Errorf("%d of %d opens gave what lies outside or is denied", escapes.Load(), opens.Load())
	}
	if good.Load() == 0 || refused.Load() == 0 {
		t.Errorf("%d served and %d refused: the race was not run", good.Load(), refused.Load())
	}
}

// swap puts the link in the place of the real thing, and back.
func swap(path string) {
	link, parked := path+".link", path+".parked"
	os.Rename(path, parked)
	os.Rename(link, path)
	os.Rename(path, link)
	os.Rename(parked, path)
}

func openAll(r *Root, count func([]byte, error)) {
	ctx := context.Background()
	var buf []byte
	for range 8 {
		for _, path := range []string{"d/f", "e", "g/key"} {
			data, err := r.ReadFile(ctx, path, buf)
			count(data, err)
		}
	}
	entries, _, _ := r.Files(ctx, ".")
	entries = append(entries, Entry{Path: "d/f"}, Entry{Path: "e"}, Entry{Path: "g/key"})
	seen := make([]bool, len(entries))
	r.Scan(ctx, entries, 2, func(_, i int, _ Entry, data []byte) {
		seen[i] = true
		count(data, nil)
	})
	for _, ok := range seen {
		if !ok {
			count(nil, ErrNotFound)
		}
	}
}

// TestPortableOpenRace does nothing but the one step in which a name could change between look and open.
func TestPortableOpenRace(t *testing.T) {
	needLinks(t)
	dir := plant(t, map[string]string{"e": "fine", "g/key": "fine", ".ssh/key": canary, "e.link": "-> .ssh/key", "g.link": "-> .ssh"})
	r := modes[1].open(t, dir, Options{})
	var stop atomic.Bool
	var swapper sync.WaitGroup
	swapper.Go(func() {
		for !stop.Load() {
			swap(filepath.Join(dir, "e"))
			swap(filepath.Join(dir, "g"))
		}
	})
	defer swapper.Wait()
	defer stop.Store(true)
	buf := make([]byte, 64)
	for range 20_000 {
		o := r.core.tree.opener()
		for _, path := range []string{"e", "g/key"} {
			f, _, err := o.open(path)
			if err != nil {
				continue
			}
			if n, _ := f.read(buf); string(buf[:n]) != "fine" {
				t.Errorf("%s gave %q", path, buf[:n])
			}
			f.close()
		}
		o.close()
	}
}
