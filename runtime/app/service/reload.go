package service

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// OnChange registers a callback for changes of the listed tools: of one session, or of
// all if session is "".
func (s *Service) OnChange(fn func(session string)) (stop func()) {
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

// HeldError says that an edit of a project's configuration reaches further than the
// user has allowed, so the running configuration stays.
type HeldError struct {
	Place consent.Place
	Held  *consent.Effects
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s now reaches further than what you have allowed (%s), so the running configuration stays. Review and allow it with: %s",
		e.Place.Display, strings.Join(e.Held.Paths(), ", "), e.Place.Command())
}

// Reload loads the configuration again and, if it is valid, replaces the running one as
// a whole: running calls keep their snapshot. An invalid one changes nothing. An edit
// of an allowed item that is in effect changes nothing either, and returns a
// *HeldError; other held items are left out. The diagnostics are those of validate.
func (s *Service) Reload(ctx context.Context, opt Options) (diags diag.List, err error) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	defer func() { s.emitReloaded(diags, err) }()
	return s.reload(ctx, opt)
}

func (s *Service) reload(ctx context.Context, opt Options) (diag.List, error) {
	next, diags, err := Load(ctx, opt)
	if err != nil || next == nil {
		s.toldRefused(opt, diags)
		return diags, err
	}
	if err := s.checkAdmission(next); err != nil {
		_ = next.Close()
		s.toldHeld(err)
		return diags, err
	}
	s.adoptSnapshot(next)
	return diags, nil
}

// checkAdmission rejects a snapshot in which the project's configuration edits an item that is
// in effect.
func (s *Service) checkAdmission(next *Snapshot) *HeldError {
	now := s.current.Load()
	// An edit of an item in effect is held, and the item stays in effect, unless its consent was withdrawn.
	if now.reach.Changes(now.held, next.held) && !now.reach.TakenBack(now.held, consent.Allowed(next.opt.State), next.opt.Dir) {
		return &HeldError{next.opt.Place, next.held}
	}
	return nil
}

// adoptSnapshot makes next the current snapshot. The caller holds s.reloading.
func (s *Service) adoptSnapshot(next *Snapshot) {
	next.inheritCache(s.current.Load())
	before := s.current.Swap(next)
	before.lease.retire(func() { _ = before.Close() })
	s.configureGateway(next)
	s.gateway.DiscoverInBackground()
	select {
	case s.reread <- struct{}{}:
	default:
	}
	if l := s.learner.Load(); l != nil {
		l.Configured()
	}
	if len(before.profiles)+len(next.profiles) > 0 || toolSurface(before) != toolSurface(next) || before.hookEnv().OnLists() || next.hookEnv().OnLists() {
		s.notifyWatchers("")
	}
	if next.held != nil && (before.held == nil || before.held.Digest != next.held.Digest) {
		s.toldHeld(&HeldError{next.opt.Place, next.held})
	}
}

// reloading is the outcome of the last reload.
type reloading struct {
	found diag.List
	err   error
}

// emitReloaded stores and emits the outcome of a reload.
func (s *Service) emitReloaded(list diag.List, err error) {
	s.last.Store(&reloading{list, err})
	e := event.Event{Kind: event.Reload, Message: "configuration reloaded", Outcome: event.OK}
	var held *HeldError
	switch {
	case errors.As(err, &held):
		e.Message, e.Outcome, e.Error = "configuration not reloaded", "held", err.Error()
	case err != nil:
		e.Message, e.Outcome, e.Error = "configuration not reloaded", event.Failed, err.Error()
	case list.HasErrors():
		e.Message, e.Outcome, e.Attrs = "configuration refused", "refused", []slog.Attr{slog.Int("problems", len(list))}
	}
	s.events.Emit(e)
}

// warnClients sends a warning to the clients that listen for log messages.
func (s *Service) warnClients(text string) {
	params, _ := json.Marshal(map[string]any{"level": "warning", "logger": "compactor", "data": s.Snapshot().Egress.Text(text)})
	s.tellNotice(server.Notice{Method: "notifications/message", Params: params})
}

// toldHeld notifies clients that something awaits the user's consent.
func (s *Service) toldHeld(e *HeldError) {
	s.warnClients(e.Error())
}

// toldRefused notifies clients that an edit was refused. It quotes no values from the
// edit, since one may be a key.
func (s *Service) toldRefused(opt Options, list diag.List) {
	n, _ := list.Count()
	if n == 0 {
		return
	}
	first := list[slices.IndexFunc(list, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })]
	text := fmt.Sprintf("the edit of %s was refused, and the old configuration stays: %s %s %s", opt.Display, first.Range, first.Code, first.Path)
	if n > 1 {
		text += fmt.Sprintf(" (and %d more)", n-1)
	}
	s.warnClients(text + ". See it with: compactor validate")
}

// notifyWatchers calls the watchers of the list of tools of one session, or of all if session is "".
func (s *Service) notifyWatchers(session string) {
	s.mu.Lock()
	watchers := make([]func(string), 0, len(s.watchers))
	for _, fn := range s.watchers {
		watchers = append(watchers, fn)
	}
	s.mu.Unlock()
	for _, fn := range watchers {
		fn(session)
	}
}

// toolSurface returns all that a client sees of the tools, for comparison.
func toolSurface(s *Snapshot) string {
	var b strings.Builder
	// the first server makes the discovery tools appear
	servers := slices.ContainsFunc(slices.Collect(maps.Values(s.Plan.Config.Servers)), func(c config.Server) bool { return c.Enabled })
	fmt.Fprintln(&b, s.Plan.Config.Gateway.Surface, s.Plan.Config.Gateway.Digest, servers)
	for _, t := range s.Plan.Tools {
		if s.Plan.OnMenu(t, servers) {
			fmt.Fprintln(&b, t.Name, t.Title, t.Description, t.Instructions, t.Hints, t.Advanced, string(t.Input.JSON()), string(t.Output.JSON()))
		}
	}
	return b.String()
}

// settle is how long a changed directory must stay unchanged before it is read: editors
// write a file in several steps.
const settle = 150 * time.Millisecond

// Watch polls files and directories at the given interval. It calls changed when a file
// has changed and all have settled. Polling size and time works in containers and on
// network disks, where file notifications do not.
func Watch(ctx context.Context, paths []string, interval time.Duration, changed func()) {
	last := fingerprint(paths)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := fingerprint(paths)
		if now == last {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(settle):
		}
		if fingerprint(paths) != now {
			continue // still being written; look again at the next tick
		}
		last = now
		changed()
	}
}

// Watched returns the paths that a running server watches: the directories of its
// configuration, and the file with the user's consent.
func (o Options) Watched() []string {
	var out []string
	for _, layer := range o.layers() {
		out = append(out, layer.Dir)
	}
	if list := consent.Allowed(o.State).Path(); o.Project != "" && list != "" {
		out = append(out, list)
	}
	return out
}

// maxWatched limits the files that are examined per path. A configuration has no more
// (see runtime/config); other files next to it are irrelevant.
const maxWatched = 5_000

// fingerprint returns a digest of name, size and time of all CUE files below the paths,
// of secrets files, whose values a reload picks up, and of paths that are files
// themselves.
func fingerprint(paths []string) string {
	var lines []string
	for _, top := range paths {
		seen := 0
		_ = filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
			if seen++; seen > maxWatched {
				return filepath.SkipAll
			}
			if err != nil || d.IsDir() || path != top && filepath.Ext(path) != ".cue" && path != filepath.Join(top, SecretsFile) {
				return nil
			}
			if info, err := d.Info(); err == nil {
				lines = append(lines, fmt.Sprint(path, info.Size(), info.ModTime().UnixNano()))
			}
			return nil
		})
	}
	slices.Sort(lines)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}
