package service

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// callsRead limits the stored calls that a page reads.
const callsRead = 50_000

// Lists returns what sessions were listed, and which of it they called.
func (l DashboardSource) Lists(ctx context.Context) (dashboard.Lists, error) {
	t := l.tracker.Load()
	if t == nil {
		return dashboard.Lists{}, nil
	}
	sum := summing{Lists: dashboard.Lists{Known: true}, tools: map[string]*dashboard.ListedTool{}, profiles: map[string]*dashboard.ListedProfile{}}
	err := t.Read(ctx, time.Time{}, callsRead, func(s usage.Session, calls []usage.Call) error {
		sum.addSession(s, calls)
		return ctx.Err()
	})
	if errors.Is(err, usage.ErrUnkept) {
		return dashboard.Lists{}, nil
	}
	for _, name := range slices.Sorted(maps.Keys(sum.tools)) {
		sum.Tools = append(sum.Tools, *sum.tools[name])
	}
	for _, name := range slices.Sorted(maps.Keys(sum.profiles)) {
		if name != "" || len(sum.profiles) > 1 {
			sum.Profiles = append(sum.Profiles, *sum.profiles[name])
		}
	}
	return sum.Lists, err
}

// summing accumulates sessions.
type summing struct {
	dashboard.Lists
	tools    map[string]*dashboard.ListedTool
	profiles map[string]*dashboard.ListedProfile
}

func (s *summing) tool(name string) *dashboard.ListedTool {
	t := s.tools[name]
	if t == nil {
		t = &dashboard.ListedTool{Name: name}
		s.tools[name] = t
	}
	return t
}

func (s *summing) profile(name string) *dashboard.ListedProfile {
	p := s.profiles[name]
	if p == nil {
		p = &dashboard.ListedProfile{Name: name}
		s.profiles[name] = p
	}
	return p
}

func (s *summing) addSession(x usage.Session, calls []usage.Call) {
	if s.Sessions++; s.Since.IsZero() || x.Started.Before(s.Since) {
		s.Since = x.Started
	}
	if x.Shown != nil {
		s.Listed, s.Shown, s.Offered, s.Calls = s.Listed+1, s.Shown+len(x.Shown), s.Offered+x.Offered, s.Calls+len(calls)
	}
	p := s.profile(x.Profile)
	if p.Sessions++; x.Shown != nil {
		p.Listed, p.Calls = p.Listed+1, p.Calls+len(calls)
	}
	for _, name := range x.Shown {
		s.tool(name).Listed++
	}
	used, missed := map[string]bool{}, map[string]bool{}
	for _, c := range calls {
		t := s.tool(c.Name())
		t.Calls++
		if !used[t.Name] {
			t.Used++
		}
		if c.Hidden && !missed[t.Name] {
			t.Missed++
		}
		if c.Hidden {
			s.Hidden++
			p.Hidden++
		}
		used[t.Name], missed[t.Name] = true, missed[t.Name] || c.Hidden
		if c.At.After(t.LastUsed) {
			t.LastUsed = c.At
		}
	}
}
