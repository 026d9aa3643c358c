package service

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/app/hook"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// hookEnv returns the hooks' view of the snapshot, including learnt usage.
func (s *Service) hookEnv(snap *Snapshot) hook.Env {
	w := snap.hookEnv()
	if l := s.learner.Load(); l != nil {
		w.Usage = l
	}
	return w
}

// hookEnv returns the hooks' view of the snapshot alone.
func (s *Snapshot) hookEnv() hook.Env {
	return hook.Env{Plan: s.Plan, Roles: agent.Runner{Chain: s.Models.chainOf(Call{}), Mask: s.maskOf}, Alone: agent.Runner{Mask: s.maskOf}, Sandbox: s.Roots, Kinds: s.Kinds, Line: s.Egress.Line}
}

// chooseTools returns the upstream tools that a session is listed.
func (s *Service) chooseTools(ctx context.Context, sess *session.Session, list []gateway.Listed) []gateway.Listed {
	snap := s.acquire().ofProfile(sess.Identity().Profile)
	defer snap.lease.release()
	return s.hooks.Choose(ctx, s.hookEnv(snap), sess, list)
}

// hookResult passes a masked result of an upstream tool through the hook.
func (s *Service) hookResult(ctx context.Context, r gateway.Result) gateway.HookResult {
	snap := s.acquire().ofProfile(r.Session.Identity().Profile)
	defer snap.lease.release()
	return s.hooks.Result(ctx, s.hookEnv(snap), r)
}

// Hooks returns the hooks that were skipped, by name.
func (s *Service) Hooks() map[string]hook.Use { return s.hooks.Skipped() }

// warn logs a problem that needs a person's attention.
func (s *Snapshot) warn(what string, more ...any) {
	if s.opt.Logger != nil {
		s.opt.Logger.Warn(what, more...)
	}
}
