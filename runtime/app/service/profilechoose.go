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

// Profile returns the profile that a client is served with: the requested one, if a client may request it; else the
// one that the configuration assigns to the client's name; else the one that compactor was started with.
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
		Message: "no profile that can be asked for is called " + strconv.Quote(snap.Egress.Line(shortenAsked(name))) + snap.askableProfiles(name)}, ""}
}

// maxAsked is the longest requested name that an error repeats, in bytes.
const maxAsked = 80

// shortenAsked returns text if an error may repeat it. A longer text cannot be a profile name, and cutting it could
// leave half of a secret, which masking would miss, so it is replaced.
func shortenAsked(text string) string {
	if len(text) > maxAsked {
		return "…"
	}
	return text
}

// askableProfiles lists the profiles that a client can request; it must not learn of others.
func (s *Snapshot) askableProfiles(asked string) string {
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
	if near := diag.Nearest(shortenAsked(asked), names); near != "" {
		text = "; did you mean " + near + "?" + strings.Replace(text, "; there", " There", 1)
	}
	return text
}

// As returns the backend for clients of a profile.
func (b Backend) As(profile string) server.Backend {
	b.as = profile
	return b
}

// clientOf returns the settings for a client name. An exact name takes precedence over
// globs, and the longest glob over others.
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

// profile returns the name of the profile that this backend's clients are served with.
func (b Backend) profile() string {
	if b.as != "" {
		return b.as
	}
	return b.Service.Profile()
}

// snap returns the snapshot for this client's profile.
func (b Backend) snap() *Snapshot { return b.Snapshot().ofProfile(b.as) }
