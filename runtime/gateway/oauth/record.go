package oauth

import (
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// record is one stored login. Everything outside Secrets may be shown.
type record struct {
	Server     string    `json:"server"` // its origin, for people who look into the file
	Resource   string    `json:"resource,omitempty"`
	Issuer     string    `json:"issuer"`
	Token      string    `json:"token_endpoint"`
	Revocation string    `json:"revocation_endpoint,omitempty"`
	ClientID   string    `json:"client_id"`
	Method     string    `json:"auth_method"`
	Given      bool      `json:"client_given"` // by the configuration, which holds its secret
	Redirect   string    `json:"redirect_uri"`
	Scope      string    `json:"scope,omitempty"`
	Wanted     string    `json:"wanted,omitempty"` // scope that a request lacked
	Since      time.Time `json:"since"`            // when the tokens were issued
	Expires    time.Time `json:"expires,omitzero"`
	Renewed    bool      `json:"renewed"` // the token comes from a renewal
	Renews     bool      `json:"renews"`  // there is a refresh token
	Needed     string    `json:"needed,omitempty"`
	Keyring    bool      `json:"keyring"` // the secrets are there
	Secrets    *secrets  `json:"secrets,omitempty"`
}

type secrets struct {
	Access       string `json:"access_token,omitempty"`
	Refresh      string `json:"refresh_token,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"` // of a client that registered itself
}

// storeTokens stores tokens in the record. If a server issues no new refresh token, the old one remains valid.
func (r *record) storeTokens(t tokens, now time.Time) {
	r.Secrets.Access, r.Since, r.Expires, r.Needed = t.access, now, t.expires, ""
	if t.refresh != "" {
		r.Secrets.Refresh = t.refresh
	}
	if t.scope != "" {
		r.Scope = sanitize.OneLine(t.scope, maxSaid)
	}
	r.Renews = r.Secrets.Refresh != ""
}

// endLogin records that another login is needed, and why. The client registration is kept.
func (r *record) endLogin(why string) {
	r.Secrets.Access, r.Secrets.Refresh = "", ""
	r.Needed, r.Renews = why, false
}

// isExpired reports whether the token has expired, or is about to: within a tenth of its life, at most half a minute.
func (r *record) isExpired(now time.Time) bool {
	if r.Expires.IsZero() {
		return false
	}
	early := min(r.Expires.Sub(r.Since)/10, 30*time.Second)
	return now.After(r.Expires.Add(-early))
}

// State is a login in a form that may be shown.
type State struct {
	In      bool      // logged in
	Until   time.Time // the end of a login that cannot be renewed; zero: open
	Needed  string    // why another login is needed; "" if there never was one
	Issuer  string
	Scope   string
	Keyring bool
}

func (r *record) state() State {
	s := State{In: r.Needed == "" && r.Issuer != "", Needed: r.Needed, Issuer: describeURL(r.Issuer), Scope: r.Scope, Keyring: r.Keyring}
	if !r.Renews {
		s.Until = r.Expires
	}
	return s
}

// Line describes the login in a few words; "" for no login.
func (s State) Line(now time.Time) string {
	switch {
	case s.Needed != "":
		return "login needed: " + s.Needed
	case !s.In:
		return ""
	case s.Until.IsZero():
		return "logged in at " + s.Issuer
	case now.After(s.Until):
		return "login needed: it ended " + s.Until.Local().Format(time.DateTime)
	}
	return "logged in at " + s.Issuer + " until " + s.Until.Local().Format(time.DateTime)
}
