package service

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// Profile names the profile that a client is served with: what it asks for, where it may
// ask for that, else what clients says of its name, else what compactor was told.
func (b Backend) Profile(asked *server.Asked, client string) (string, error) {
	snap := b.Snapshot()
	cfg := snap.Plan.Config
	if asked == nil {
		if c, is := clientOf(cfg, client); is {
			return c.Profile, nil
		}
		return snap.opt.Profile, nil
	}
	name := asked.Profile
	p, is := cfg.Profiles[name]
	switch {
	case asked.Token && len(p.Tokens) > 0, !asked.Token && is && snap.opt.byHeader(name, p):
		return name, nil
	case asked.Token:
		return "", failure{&contract.Error{Name: "NotFoundError", Code: "PROFILE_UNKNOWN", Message: "the access token opens no profile any more"}, ""}
	}
	return "", failure{&contract.Error{Name: "NotFoundError", Code: "PROFILE_UNKNOWN",
		Message: "no profile that can be asked for is called " + strconv.Quote(snap.Egress.Line(shortened(name))) + snap.askable(name)}, ""}
}

// maxAsked is how much of what was asked for an error repeats, in bytes.
const maxAsked = 80

// shortened is a text as an error may repeat it. What is long is no name, and half of a
// secret is not found: it is left out.
func shortened(text string) string {
	if len(text) > maxAsked {
		return "…"
	}
	return text
}

// askable says which profiles a client can ask for: of others it hears nothing.
func (s *Snapshot) askable(asked string) string {
	var names []string
	for name, p := range s.Plan.Config.Profiles {
		if s.opt.byHeader(name, p) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "; there are none: leave the header out"
	}
	text := "; there are: " + strings.Join(names, ", ")
	if near := diag.Nearest(shortened(asked), names); near != "" {
		text = "; did you mean " + near + "?" + strings.Replace(text, "; there", " There", 1)
	}
	return text
}

// As is the service for clients of a profile.
func (b Backend) As(profile string) server.Backend {
	b.as = profile
	return b
}

// clientOf is what the configuration says of clients of a name. The name itself counts
// before globs, and of these the longest.
func clientOf(cfg *config.Config, name string) (config.Client, bool) {
	name = strings.ToLower(name)
	best, is := "", false
	for _, pattern := range slices.Sorted(maps.Keys(cfg.Clients)) {
		p := strings.ToLower(pattern)
		if p == name {
			return cfg.Clients[pattern], true
		}
		if glob.Folded.Match(p, name) && (!is || len(pattern) > len(best)) {
			best, is = pattern, true
		}
	}
	return cfg.Clients[best], is
}

// profile is the name of what this backend's clients are served with.
func (b Backend) profile() string {
	if b.as != "" {
		return b.as
	}
	return b.Service.Profile()
}

// snap is the configuration as this client's profile has it.
func (b Backend) snap() *Snapshot { return b.Snapshot().of(b.as) }
