package oauth

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Server is an upstream server as configured, with variables expanded.
type Server struct {
	Name         string
	Place        string // distinguishes a project's server; "" for the user's own
	URL          string
	Headers      map[string]string // sent with the request that asks for its requirements
	ClientID     string            // "": this program registers itself
	ClientSecret string
	Scopes       []string // nil: those that the server asks for
	RedirectPort int      // on this machine; 0: any
	Issuer       string   // of the authorization server; "": the one that the server names
}

// Command returns the command for logging in.
func (s Server) Command() string { return "compactor servers login " + s.Name }

// loginKey identifies a server's login: another URL under the same name, or another client, has a different one. A project's
// server has only logins made for it there, so that the user's own logins go where the user says.
func (s Server) loginKey() string {
	of := fmt.Appendf(nil, "%q %q %q", canonical(s.URL), s.ClientID, s.Issuer)
	for name, value := range s.Headers {
		if http.CanonicalHeaderKey(name) == "Host" { // one address may host servers for many names
			of = fmt.Appendf(of, " %q", strings.ToLower(value))
		}
	}
	if s.Place != "" {
		of = fmt.Appendf(of, " of %q", s.Place)
	}
	sum := sha256.Sum256(of)
	return hex.EncodeToString(sum[:16])
}

// canonical returns the normalized spelling of a URL.
func canonical(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	u.Scheme, u.Host, u.Fragment = strings.ToLower(u.Scheme), strings.ToLower(u.Host), ""
	if port := u.Port(); port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	if u.Path == "/" {
		u.Path = ""
	}
	return u.String()
}

// bindsServer reports whether a resource is the server at a URL, or contains it.
func bindsServer(resource, server string) bool {
	r, err := url.Parse(canonical(resource))
	if err != nil || r.User != nil || r.RawQuery != "" {
		return err == nil && canonical(resource) == canonical(server)
	}
	s, err := url.Parse(canonical(server))
	if err != nil || r.Scheme != s.Scheme || r.Host != s.Host {
		return false
	}
	above, path := strings.TrimSuffix(r.EscapedPath(), "/"), strings.TrimSuffix(s.EscapedPath(), "/")
	return path == above || strings.HasPrefix(path, above+"/")
}

// sameOrigin reports whether two URLs have the same scheme, host and port.
func sameOrigin(a, b string) bool {
	x, err1 := url.Parse(canonical(a))
	y, err2 := url.Parse(canonical(b))
	return err1 == nil && err2 == nil && x.Host != "" && x.Scheme == y.Scheme && x.Host == y.Host
}

// origin returns the scheme and host of a URL.
func origin(raw string) string {
	u, _ := url.Parse(canonical(raw))
	return u.Scheme + "://" + u.Host
}
