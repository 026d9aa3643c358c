package service

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// Programs returns the names of the servers that this process would start as programs,
// excluding held ones.
func (s *Snapshot) Programs() []string {
	var out []string
	for _, server := range s.Plan.Config.Servers {
		if server.Enabled && server.Command != "" && s.allowsServer(server) {
			out = append(out, server.Name)
		}
	}
	slices.Sort(out)
	return out
}

// Confine restricts this process to the files of the snapshot and of the system; more
// lists paths that the caller writes to. It does nothing if servers are started as
// programs, which would be confined too. Git is the only program that can still be
// started, and is confined as well. Directories for writing are created first, because
// access cannot be granted to a missing one.
func (s *Snapshot) Confine(more ...string) landlock.Status {
	would := s.Wall()
	if would.Why != "" {
		return would
	}
	if slices.ContainsFunc(s.Roots.Roots(), func(r *sandbox.Root) bool { return len(githistory.Reads(r.Path())) > 0 }) {
		githistory.RememberTrusted(context.Background())
	}
	return landlock.Restrict(s.Grants(more...))
}

// Wall returns the status that Confine would reach, or has reached.
func (s *Snapshot) Wall() landlock.Status {
	st := landlock.Support()
	if names := s.Programs(); st.Why == "" && len(names) > 0 {
		st.Why = "programs are started (" + strings.Join(names, ", ") + "), which would be shut in too"
	}
	st.InForce = landlock.InForce()
	return st
}

// Grants returns the files that Confine leaves accessible.
func (s *Snapshot) Grants(more ...string) landlock.Grants {
	g := landlock.System()
	if git, err := githistory.Program(); err == nil {
		g.Run = append(g.Run, landlock.Program(git)...)
	}
	for _, r := range s.Roots.Roots() {
		g.Read = append(g.Read, r.Reads()...)
		g.Read = append(g.Read, githistory.Reads(r.Path())...)
	}
	for _, c := range s.Collections() {
		if s.opt.Extractors != nil && (c.Watch || s.opt.Indexes) {
			g.Read = append(g.Read, c.Directories...)
		}
	}
	for _, layer := range s.opt.layers() {
		g.Read = append(g.Read, layer.Dir)
	}
	if s.Artifacts != nil && !isTemporary(s.Artifacts.Within()) {
		g.Write = append(g.Write, makeDirectory(s.Artifacts.Within()))
	}
	if s.opt.State != "" {
		if len(s.Plan.Config.Servers) > 0 || s.opt.Cache { // a long-running process may get servers later
			makeDirectory(s.opt.State)
		}
		g.Write = append(g.Write, s.opt.State)
	}
	if file, ok := strings.CutPrefix(s.StoreURL(), "sqlite:"); ok && filepath.IsAbs(file) {
		g.Write = append(g.Write, filepath.Dir(file))
	}
	g.Write = append(g.Write, more...)
	return g
}

// isTemporary reports whether a directory lies below the directory for temporary files.
// That is accessible as a whole, so dir need not exist yet.
func isTemporary(dir string) bool {
	rel, err := filepath.Rel(os.TempDir(), dir)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// makeDirectory creates dir if possible, and returns it.
func makeDirectory(dir string) string {
	_ = os.MkdirAll(dir, 0o700)
	return dir
}
