package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// metadata describes an authorization server (RFC 8414, RFC 9207).
type metadata struct {
	transport.AuthServerMetadata
	SaysIssuer bool `json:"authorization_response_iss_parameter_supported"`
}

// authority is the authorization server that issues tokens for a server.
type authority struct {
	metadata
	resource string   // RFC 8707; "" for a server without metadata, which may not know it
	scopes   []string // required by the server
	guessed  bool     // endpoints are the defaults of 2025-03-26, because none are published
}

// protectedResource is a server's published metadata (RFC 9728).
type protectedResource struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
}

// discover finds the authorization server for a server.
func (s Server) discover(ctx context.Context, g *guard) (*authority, error) {
	said, open, err := s.probe(ctx, g)
	if err != nil {
		return nil, err
	}
	of, err := s.readResource(ctx, g, said.metadata)
	var a *authority
	switch {
	case errors.Is(err, errAbsent) && said.metadata == "":
		a, err = s.atOrigin(ctx, g, open)
	case err == nil:
		a, err = s.namedAuthority(ctx, g, of)
	}
	if err != nil {
		return nil, err
	}
	if a.scopes = strings.Fields(said.scope); len(a.scopes) == 0 && of != nil {
		a.scopes = of.Scopes
	}
	return a, a.checkUsable(g)
}

// probe asks the server without a token and returns its challenge. open reports that it was not refused.
func (s Server) probe(ctx context.Context, g *guard) (said challenge, open bool, err error) {
	status, header, err := s.sendProbe(ctx, g, "")
	if err != nil {
		return challenge{}, false, err
	}
	return challengeIn(header), status != http.StatusUnauthorized && status != http.StatusForbidden, nil
}

// Wants reports whether the server refuses requests without a login, and offers one.
func (s Server) Wants(ctx context.Context) bool {
	at, err := secureURL(s.URL)
	if err != nil {
		return false
	}
	status, header, err := s.sendProbe(ctx, newGuard(ctx, at), "")
	return err == nil && status == http.StatusUnauthorized && challengeIn(header).bearer
}

// ping is a request that starts nothing at a server, not even a session.
const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// sendProbe sends a request to the server, with a token if given: what matters is whether it is refused.
func (s Server) sendProbe(ctx context.Context, g *guard, token string) (int, http.Header, error) {
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		var body *strings.Reader
		if body = strings.NewReader(""); method == http.MethodPost {
			body = strings.NewReader(ping)
		}
		r, err := http.NewRequestWithContext(ctx, method, s.URL, body)
		if err != nil {
			return 0, nil, errors.New("the url is not valid")
		}
		for name, value := range s.Headers {
			r.Header.Set(name, value)
			if http.CanonicalHeaderKey(name) == "Host" {
				r.Host = value
			}
		}
		r.Header.Set("Accept", "application/json, text/event-stream")
		if method == http.MethodPost {
			r.Header.Set("Content-Type", "application/json")
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		client := *g.client
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		response, err := client.Do(r)
		if err != nil {
			return 0, nil, withoutURL(r, err)
		}
		response.Body.Close()
		if method == http.MethodPost && (response.StatusCode == http.StatusMethodNotAllowed || response.StatusCode == http.StatusNotFound) {
			continue // HTTP+SSE of 2024-11-05, which takes a GET
		}
		return response.StatusCode, response.Header, nil
	}
	return http.StatusNotFound, http.Header{}, nil
}

// readResource reads a server's metadata: from the given URL, or from one of the two well-known ones.
func (s Server) readResource(ctx context.Context, g *guard, said string) (*protectedResource, error) {
	places := []string{said}
	if said == "" {
		places = wellKnown(s.URL, "oauth-protected-resource")
	} else if !sameOrigin(said, s.URL) {
		return nil, fmt.Errorf("it says that its metadata is at %s, which is not its own origin", placeOf(said))
	}
	for _, at := range places {
		var p protectedResource
		switch err := g.get(ctx, at, &p); {
		case errors.Is(err, errAbsent):
			continue
		case err != nil:
			return nil, err
		case !bindsServer(p.Resource, s.URL):
			return nil, fmt.Errorf("its metadata is of %s, which does not contain it: a token for that is not for this server", describeURL(p.Resource))
		case len(p.Servers) == 0:
			return nil, errors.New("its metadata names no authorization server")
		}
		return &p, nil
	}
	if said != "" {
		return nil, errors.New("there is no metadata where it says that it is")
	}
	return nil, errAbsent
}

// namedAuthority finds the authorization server that a server names.
func (s Server) namedAuthority(ctx context.Context, g *guard, of *protectedResource) (*authority, error) {
	at := of.Servers[0]
	if slices.Contains(of.Servers, s.Issuer) {
		at = s.Issuer
	}
	for _, from := range metadataPlaces(at) {
		a, err := s.readAuthority(ctx, g, from, at)
		if errors.Is(err, errAbsent) {
			continue
		}
		if err != nil {
			return nil, err
		}
		a.resource = of.Resource
		return a, nil
	}
	return nil, fmt.Errorf("its authorization server %s publishes no metadata", describeURL(at))
}

// atOrigin performs discovery as of 2025-03-26: the server is its own authorization server, with default endpoints if
// it publishes none.
func (s Server) atOrigin(ctx context.Context, g *guard, open bool) (*authority, error) {
	base := origin(s.URL)
	for _, from := range metadataPlaces(base) {
		a, err := s.readAuthority(ctx, g, from, base)
		if !errors.Is(err, errAbsent) {
			return a, err
		}
	}
	if open {
		return nil, errors.New("no authorization server advertised; the server accepts unauthenticated requests")
	}
	a := &authority{guessed: true}
	a.Issuer, a.AuthorizationEndpoint, a.TokenEndpoint, a.RegistrationEndpoint = base, base+"/authorize", base+"/token", base+"/register"
	return a, nil
}

// readAuthority reads the metadata of an authorization server and checks its issuer.
func (s Server) readAuthority(ctx context.Context, g *guard, from, issuer string) (*authority, error) {
	a := &authority{}
	if err := g.get(ctx, from, &a.metadata); err != nil {
		return nil, err
	}
	want := issuer
	if s.Issuer != "" {
		want = s.Issuer
	}
	if !sameIssuer(a.Issuer, want) {
		return nil, &issuerError{server: s.Name, want: want, got: a.Issuer}
	}
	if !sameIssuer(a.Issuer, issuer) {
		return a, a.checkEndpoints(issuer)
	}
	return a, nil
}

// checkEndpoints checks metadata published by another server than its issuer, which the configuration allows: all endpoints must
// be the issuer's own, or a login at one would be passed to the other.
func (a *authority) checkEndpoints(publisher string) error {
	for _, at := range []string{a.AuthorizationEndpoint, a.TokenEndpoint, a.RegistrationEndpoint, a.RevocationEndpoint} {
		if at != "" && !sameOrigin(at, a.Issuer) {
			return fmt.Errorf("the metadata that %s publishes of %s names an endpoint at %s, a different server: issuer mismatch", describeURL(publisher), describeURL(a.Issuer), placeOf(at))
		}
	}
	return nil
}

// issuerError reports metadata whose issuer is not the requested one.
type issuerError struct{ server, want, got string }

func (e *issuerError) Error() string {
	return fmt.Sprintf("the metadata of its authorization server %s is that of %s: issuer mismatch; if that is right, write oauth: issuer: %q in servers.%s",
		describeURL(e.want), describeURL(e.got), sanitize.OneLine(e.got, maxSaid), e.server)
}

// sameIssuer compares names of issuers; both spellings of an empty path are equal.
func sameIssuer(a, b string) bool {
	return a != "" && strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}

// describeURL returns a foreign URL in a form that an error may repeat: without its query.
func describeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return fmt.Sprintf("%q", sanitize.OneLine(raw, maxSaid))
	}
	return sanitize.OneLine(u.Scheme+"://"+u.Host+u.EscapedPath(), maxSaid)
}

// checkUsable requires that the endpoints may be contacted, and that the server supports PKCE.
func (a *authority) checkUsable(g *guard) error {
	for _, e := range []struct {
		name, at string
		needed   bool
	}{{"authorization_endpoint", a.AuthorizationEndpoint, true}, {"token_endpoint", a.TokenEndpoint, true},
		{"registration_endpoint", a.RegistrationEndpoint, false}, {"revocation_endpoint", a.RevocationEndpoint, false}} {
		if e.at == "" && !e.needed {
			continue
		}
		u, err := url.Parse(e.at)
		if err == nil {
			err = g.checkURL(u)
		}
		if err != nil {
			return fmt.Errorf("the %s of its authorization server is not to be used: %s", e.name, sanitize.OneLine(err.Error(), maxSaid))
		}
	}
	if !a.guessed && !slices.Contains(a.CodeChallengeMethodsSupported, "S256") {
		return fmt.Errorf("its authorization server %s does not say that it knows PKCE with S256: a code on its way back could be used by whoever sees it", describeURL(a.Issuer))
	}
	return nil
}

// wellKnown returns the URLs of a document about a URL: by its path, then at its origin.
func wellKnown(raw, what string) []string {
	u, err := url.Parse(raw)
	if err != nil {
		return nil
	}
	root := u.Scheme + "://" + u.Host + "/.well-known/" + what
	if path := strings.TrimSuffix(u.EscapedPath(), "/"); path != "" {
		return []string{root + path, root}
	}
	return []string{root}
}

// metadataPlaces returns the possible URLs of an issuer's metadata (RFC 8414, OpenID Connect Discovery).
func metadataPlaces(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return nil
	}
	root, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	out := []string{root + "/.well-known/oauth-authorization-server" + path, root + "/.well-known/openid-configuration" + path}
	if path != "" {
		out = append(out, root+path+"/.well-known/openid-configuration")
	}
	return out
}
