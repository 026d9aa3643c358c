package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"compactor/runtime/diag"
)

// OnChange registers a function that is called after the tool surface changed.
func (s *Service) OnChange(fn func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.next
	s.next++
	s.watchers[id] = fn
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, id)
	}
}

// Reload loads the configuration again and, if it is valid, swaps it in whole:
// calls that run keep the snapshot they began with. An invalid one changes
// nothing. The diagnostics are those of validate.
func (s *Service) Reload(ctx context.Context, opt Options) (diag.List, error) {
	next, diags, err := Load(ctx, opt)
	if err != nil || next == nil {
		return diags, err
	}
	next.inherit(s.current.Load())
	before := s.current.Swap(next)
	before.lease.retire(func() { _ = before.Close() })
	s.gateway.Configure(next.Plan.Config)
	if surface(before) != surface(next) {
		s.tell()
	}
	return diags, nil
}

// tell calls those who watch the tool surface.
func (s *Service) tell() {
	s.mu.Lock()
	watchers := make([]func(), 0, len(s.watchers))
	for _, fn := range s.watchers {
		watchers = append(watchers, fn)
	}
	s.mu.Unlock()
	for _, fn := range watchers {
		fn()
	}
}

// surface is all that a client sees of the tools, for comparison.
func surface(s *Snapshot) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Plan.Config.Gateway.Surface, s.Plan.Config.Gateway.Digest)
	for _, t := range s.Plan.Tools {
		fmt.Fprintln(&b, t.Name, t.Title, t.Description, t.Annotations, string(t.Input.JSON()), string(t.Output.JSON()))
	}
	return b.String()
}

// settle is how long a changed directory must stay as it is before it is
// read: an editor writes a file in several steps.
const settle = 150 * time.Millisecond

// Watch looks at the configuration directory every interval and calls changed
// when its files differ and have come to rest. Polling size and time works in
// containers and on network disks, where file notifications do not.
func Watch(ctx context.Context, dir string, interval time.Duration, changed func()) {
	last := fingerprint(dir)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := fingerprint(dir)
		if now == last {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(settle):
		}
		if fingerprint(dir) != now {
			continue // still being written; look again at the next tick
		}
		last = now
		changed()
	}
}

// fingerprint is a digest of name, size and time of every CUE file below dir, and of the file
// of secrets, whose values a reload takes up.
func fingerprint(dir string) string {
	var lines []string
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".cue" && path != filepath.Join(dir, SecretsFile) {
			return nil
		}
		if info, err := d.Info(); err == nil {
			lines = append(lines, fmt.Sprint(path, info.Size(), info.ModTime().UnixNano()))
		}
		return nil
	})
	slices.Sort(lines)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}
