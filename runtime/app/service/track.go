package service

import (
	"cmp"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/selection"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Track records calls and lists of upstream tools with the tracker from now on, and
// lets its records influence lists. end closes the tracker and the learner.
func (s *Service) Track(t *usage.Tracker) (end func() error) {
	l := selection.New(t, selection.Options{Say: func(message string) { s.Snapshot().warn(message) }, Learning: s.Learning})
	s.tracker.Store(t)
	s.learner.Store(l)
	t.Marked(func() {
		l.Configured() // drops first lists, which were made with the old marks
		if s.Snapshot().choosesSomewhere() {
			s.notifyWatchers("")
		}
	})
	return func() error {
		l.Close()
		return t.Close()
	}
}

// Learning returns how each profile learns; the entry "" applies without a profile.
func (s *Service) Learning() map[string]selection.Learning {
	snap := s.Snapshot()
	out := map[string]selection.Learning{"": {HalfLife: halfLife(snap.ofProfile("").Plan.Config.Gateway.Selection)}}
	for name, p := range snap.Plan.Config.Profiles {
		out[name] = selection.Learning{HalfLife: halfLife(cmp.Or(p.Selection, snap.Plan.Config.Gateway.Selection)), From: p.LearnFrom}
	}
	return out
}

// halfLife returns the time after which a session counts half as much.
func halfLife(s *config.Selection) time.Duration {
	if s != nil {
		return s.HalfLife
	}
	return predict.DefaultHalfLife
}

// trackCall records a call with the tracker.
func (s *Service) trackCall(c gateway.Called) {
	if t := s.tracker.Load(); t != nil {
		t.Called(toldOf(c.Session), usage.Call{Server: c.Server, Tool: c.Tool, At: c.At, Elapsed: c.Elapsed, OK: c.OK}, c.Arguments)
	}
}

// trackList records which upstream tools a session was listed.
func (s *Service) trackList(sess *session.Session, l listing) {
	if t := s.tracker.Load(); t != nil && l.proxies {
		t.Shown(toldOf(sess), l.upstream, l.all)
	}
}

func toldOf(s *session.Session) usage.Told {
	who := s.Identity()
	return usage.Told{ID: who.ID, Client: who.Client.Name, Version: who.Client.Version, Era: who.Era, Profile: who.Profile}
}
