package service

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
)

// Holders returns b: profiles may have access tokens.
func (b Backend) Holders() guard.Holders { return b }

// Any reports whether a profile has access tokens of its own. A token whose variable is
// not set counts too: otherwise a closed profile would be left open.
func (b Backend) Any() bool {
	for _, p := range b.Snapshot().Plan.Config.Profiles {
		if len(p.Tokens) > 0 {
			return true
		}
	}
	return false
}

// Holder returns the profile that a token gives access to. Values are read each time, like those of servers: after a
// change in secrets.env, the old token stops working.
func (b Backend) Holder(token string) (profile string, is bool) {
	snap := b.Snapshot()
	name := snap.opt.tokenHolders(snap.Plan.Config)[sha256.Sum256([]byte(token))]
	return name, name != ""
}

// tokenHolders returns the profiles by the digests of their tokens, so that the lookup takes
// the same time for any token. Unusable tokens are left out.
func (o Options) tokenHolders(cfg *config.Config) map[[sha256.Size]byte]string {
	out := map[[sha256.Size]byte]string{}
	for name, p := range cfg.Profiles {
		for _, at := range p.Tokens {
			value, _ := o.Variable(config.Server{}, variableOf(at))
			if len(value) < guard.MinToken {
				continue
			}
			digest := sha256.Sum256([]byte(value))
			if other, taken := out[digest]; taken && other != name {
				out[digest] = "" // in two profiles, so valid for neither
				continue
			}
			out[digest] = name
		}
	}
	return out
}

// variableOf returns NAME from ${NAME}.
func variableOf(text string) string { return strings.TrimSuffix(strings.TrimPrefix(text, "${"), "}") }

// tokenDiagnostics warns of profile tokens that give no access.
func (o Options) tokenDiagnostics(cfg *config.Config) diag.List {
	c := &checker{cfg: cfg}
	first := map[string]string{} // profile by token value
	for _, name := range slices.Sorted(maps.Keys(cfg.Profiles)) {
		for i, text := range cfg.Profiles[name].Tokens {
			value, _ := o.Variable(config.Server{}, variableOf(text))
			what, do := "", "set it in the environment or in secrets.env beside the configuration, to 32 random hexadecimal digits"
			switch other, taken := first[value]; {
			case value == "":
				what = variableOf(text) + " is not set"
			case len(value) < guard.MinToken:
				what = variableOf(text) + " is shorter than " + strconv.Itoa(guard.MinToken) + " bytes"
			case taken && other != name:
				what, do = variableOf(text)+" has the value of a token of "+other+", so neither counts", "give each profile one of its own"
			}
			if first[value] = name; what != "" {
				c.warn("C163", what, do, "profiles", name, "tokens", strconv.Itoa(i))
			}
		}
	}
	return c.diags
}
