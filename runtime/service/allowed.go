package service

import (
	"slices"
	"strings"

	"compactor/runtime/config"
	"compactor/runtime/gateway"
	"compactor/runtime/gateway/allowed"
)

// allows reports whether a server may be started or connected to: a
// configuration that came with the working directory needs its user's word.
func (o Options) allows(s config.Server) bool {
	return !o.Found || allowed.In(o.State).Has(o.Dir, gateway.Digest(s))
}

// Held are the enabled servers that wait for their user's word, by name.
func (s *Snapshot) Held() []config.Server {
	var out []config.Server
	for _, server := range s.Plan.Config.Servers {
		if server.Enabled && !s.opt.allows(server) {
			out = append(out, server)
		}
	}
	slices.SortFunc(out, func(a, b config.Server) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Allow lets servers of the configuration start, as they are declared now.
func (s *Snapshot) Allow(names ...string) error { return s.opt.Allow(s.Plan.Config, names...) }

// Allow is Snapshot.Allow of a configuration that is not opened.
func (o Options) Allow(cfg *config.Config, names ...string) error {
	if !o.Found {
		return nil
	}
	var digests []string
	for name, server := range cfg.Servers {
		if slices.Contains(names, name) {
			digests = append(digests, gateway.Digest(server))
		}
	}
	return allowed.In(o.State).Add(o.Dir, digests...)
}
