package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/netscope"
)

// What a server names is asked only where the server could be itself.
func TestWhatAServerNamesIsNoNearerThanTheServer(t *testing.T) {
	for _, c := range []struct {
		limit netscope.Scope
		at    string
		may   bool
	}{
		{netscope.Public, "https://login.example/token", true},
		{netscope.Public, "https://93.184.216.34/", true},
		{netscope.Public, "http://login.example/token", false},
		{netscope.Public, "http://127.0.0.1/", false},
		{netscope.Public, "https://127.0.0.1/", false},
		{netscope.Public, "https://localhost/", false},
		{netscope.Public, "https://[::1]/", false},
		{netscope.Public, "https://[::ffff:127.0.0.1]/", false},
		{netscope.Public, "https://10.0.0.1/", false},
		{netscope.Public, "https://100.64.0.1/", false},
		{netscope.Public, "https://[fd00::1]/", false},
		{netscope.Public, "https://169.254.169.254/", false},
		{netscope.Public, "https://0.0.0.0/", false},
		{netscope.Public, "https://user@login.example/", false},
		{netscope.Public, "file:///etc/passwd", false},
		{netscope.Public, "javascript:alert(1)", false},
		{netscope.Public, "https:opaque", false},
		{netscope.Public, "//login.example", false},
		{netscope.Private, "https://10.0.0.1/", true},
		{netscope.Private, "http://10.0.0.1/", false},
		{netscope.Private, "https://127.0.0.1/", false},
		{netscope.Loopback, "http://127.0.0.1:1234/", true},
		{netscope.Loopback, "http://[::1]/", true},
		{netscope.Loopback, "http://localhost/", true},
		{netscope.Loopback, "https://10.0.0.1/", true},
		{netscope.Loopback, "http://login.example/", false},
		{netscope.Loopback, "https://169.254.169.254/", false},
		{netscope.Loopback, "https://[fe80::1]/", false},
	} {
		u, err := url.Parse(c.at)
		if err != nil {
			t.Fatal(err)
		}
		if err := (&guard{limit: c.limit}).checkURL(u); (err == nil) != c.may {
			t.Errorf("a server at distance %d names %s: %v", c.limit, c.at, err)
		}
	}
	for address, may := range map[string]bool{"93.184.216.34:443": true, "127.0.0.1:443": false, "10.1.2.3:443": false, "[::1]:443": false, "[fd00::1]:443": false, "169.254.169.254:80": false, "x": false} {
		if err := (&guard{limit: netscope.Public}).checkDial("tcp", address, nil); (err == nil) != may {
			t.Errorf("a name that leads to %s: %v", address, err)
		}
	}
}

// A server names its own addresses: one of this machine among them, or in turn with others, brings nothing of it in reach.
func TestAServersNameThatLeadsHere(t *testing.T) {
	far, lan, here, none := netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("169.254.169.254")
	for _, c := range []struct {
		ips  []netip.Addr
		want netscope.Scope
	}{{nil, netscope.Public}, {[]netip.Addr{none}, netscope.Public}, {[]netip.Addr{here, far}, netscope.Public}, {[]netip.Addr{lan, here}, netscope.Private}, {[]netip.Addr{here, none}, netscope.Loopback}} {
		if got := farthestScope(c.ips); got != c.want {
			t.Errorf("%v: %d, want %d", c.ips, got, c.want)
		}
	}
	g, near := &guard{limit: netscope.Loopback}, &url.URL{Scheme: "http", Host: "127.0.0.1:6379"}
	if err := g.checkURL(near); err != nil {
		t.Fatal(err)
	}
	if err := g.checkOwnDial("tcp", "93.184.216.34:443", nil); err != nil || g.checkURL(near) == nil || g.checkDial("tcp", "10.0.0.1:443", nil) == nil {
		t.Errorf("a server that turned out to be far has this machine asked: %v", err)
	}
	if g.checkOwnDial("tcp", "169.254.169.254:443", nil) == nil {
		t.Error("a server is where none is")
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	u, _ := url.Parse(server.URL)
	g = newGuard(t.Context(), u)
	if err := g.get(t.Context(), server.URL, &metadata{}); !errors.Is(err, errAbsent) || g.distanceLimit() != netscope.Loopback {
		t.Errorf("a server of this machine: %v, at distance %d", err, g.distanceLimit())
	}
}

// A document may lie elsewhere at the same distance. What carries a token or a code goes where it was sent.
func TestRedirects(t *testing.T) {
	var strayed []string
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, 100)
		n, _ := r.Body.Read(body)
		strayed = append(strayed, r.Method+string(body[:n])+r.Header.Get("Authorization"))
		_, _ = w.Write([]byte(`{"issuer":"x"}`))
	}))
	defer stranger.Close()
	to := stranger.URL
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusTemporaryRedirect) }))
	defer server.Close()
	u, _ := url.Parse(server.URL)
	g := newGuard(t.Context(), u)
	var doc metadata
	if err := g.get(t.Context(), server.URL, &doc); err != nil || doc.Issuer != "x" {
		t.Errorf("a document elsewhere: %v", err)
	}
	strayed = nil
	if _, err := g.fetchTokens(t.Context(), server.URL, client{id: "c", secret: "the-secret", method: authPost}, url.Values{"refresh_token": {"the-token"}}); err == nil {
		t.Error("a token request was redirected")
	}
	of := Server{URL: server.URL, Headers: map[string]string{"X-Key": "k"}}
	if status, _, err := of.sendProbe(t.Context(), g, "the-token"); err != nil || status != http.StatusTemporaryRedirect {
		t.Errorf("%d, %v", status, err)
	}
	if strayed != nil {
		t.Errorf("a stranger got %q", strayed)
	}
	to = "http://169.254.169.254/latest"
	if err := g.get(t.Context(), server.URL, &doc); err == nil || !strings.Contains(err.Error(), "not https") {
		t.Errorf("redirected to a cloud's metadata: %v", err)
	}
	to = server.URL
	if err := g.get(t.Context(), server.URL, &doc); err == nil || !strings.Contains(err.Error(), "more than 3 times") {
		t.Errorf("redirected without end: %v", err)
	}
}

func TestATokenGoesOverHTTPSOrNowhere(t *testing.T) {
	for at, may := range map[string]bool{"https://x.example/mcp": true, "http://127.0.0.1:1/mcp": true, "http://localhost/mcp": true, "http://x.example/mcp": false,
		"http://10.0.0.1/mcp": false, "http://localhost.x.example/": false, "ftp://x.example": false, "": false, "://": false} {
		if _, err := secureURL(at); (err == nil) != may {
			t.Errorf("%q: %v", at, err)
		}
	}
	_, err := Open(t.TempDir(), nil).Login(t.Context(), Server{Name: "peer", URL: "http://x.example/mcp"}, Person{})
	if err == nil || !strings.Contains(err.Error(), "not https") {
		t.Errorf("%v", err)
	}
}

func TestResources(t *testing.T) {
	for _, c := range []struct {
		resource, server string
		binds            bool
	}{
		{"https://a.example/mcp", "https://a.example/mcp", true},
		{"https://A.example:443/mcp/", "https://a.example/mcp", true},
		{"https://a.example", "https://a.example/mcp", true},
		{"https://a.example/", "https://a.example/mcp?x=1", true},
		{"https://a.example/m", "https://a.example/mcp", false},
		{"https://a.example/mcp/more", "https://a.example/mcp", false},
		{"http://a.example/mcp", "https://a.example/mcp", false},
		{"https://a.example:8443/mcp", "https://a.example/mcp", false},
		{"https://b.example/mcp", "https://a.example/mcp", false},
		{"https://a.example@b.example/mcp", "https://a.example/mcp", false},
		{"", "https://a.example/mcp", false},
	} {
		if got := bindsServer(c.resource, c.server); got != c.binds {
			t.Errorf("%q binds %q: %v", c.resource, c.server, got)
		}
	}
	if diff := cmp.Diff([]string{"https://a.example/.well-known/oauth-authorization-server/t/1", "https://a.example/.well-known/openid-configuration/t/1",
		"https://a.example/t/1/.well-known/openid-configuration"}, metadataPlaces("https://a.example/t/1/")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"https://a.example/.well-known/x/mcp", "https://a.example/.well-known/x"}, wellKnown("https://a.example/mcp?q=1", "x")); diff != "" {
		t.Error(diff)
	}
}

func TestChallenges(t *testing.T) {
	for line, want := range map[string]challenge{
		`Bearer`: {bearer: true},
		`Bearer resource_metadata="https://a.example/x, y", scope="a b"`:      {true, "https://a.example/x, y", "a b"},
		`Basic realm="x", bearer Scope=one , Resource_Metadata = https://a/x`: {true, "https://a/x", "one"},
		`Negotiate YWJj==, Bearer error="invalid_token", scope="\"q\""`:       {true, "", `"q"`},
		`Bearer scope="first", scope="second"`:                                {true, "", "first"},
		`Basic resource_metadata="https://a/x"`:                               {},
		``:                                                                    {},
		`"`:                                                                   {},
		`Bearer resource_metadata="no end`:                                    {bearer: true},
		`DPoP algs="ES256", Bearer realm="a", resource_metadata="https://b/x"`: {true, "https://b/x", ""},
	} {
		if diff := cmp.Diff(want, challengeIn(http.Header{"Www-Authenticate": {line}}), cmp.AllowUnexported(challenge{})); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

// FuzzWhatServersSay reads what strangers may write, and shows none of it as it came.
func FuzzWhatServersSay(f *testing.F) {
	f.Add(`Bearer resource_metadata="https://a.example/x", scope="a b"`, `{"issuer":"https://a.example","token_endpoint":"https://a.example/t"}`)
	f.Add(`Bearer =,"`, `{"issuer":1}`)
	f.Fuzz(func(t *testing.T, header, body string) {
		c := challengeIn(http.Header{"Www-Authenticate": {header}})
		if len(c.metadata)+len(c.scope) > len(header) {
			t.Errorf("%q grew to %+v", header, c)
		}
		g := &guard{limit: netscope.Public}
		g.client = &http.Client{Transport: choose(func(*http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			_, _ = w.WriteString(body)
			return w.Result(), nil
		})}
		of := Server{Name: "peer", URL: "https://a.example/mcp"}
		_, err1 := of.readResource(context.Background(), g, c.metadata)
		a, err2 := of.atOrigin(context.Background(), g, false)
		if err2 == nil && a.checkUsable(g) == nil && !strings.HasPrefix(a.TokenEndpoint, "https://") {
			t.Errorf("tokens are fetched at %q", a.TokenEndpoint)
		}
		_, err3 := g.fetchTokens(context.Background(), "https://a.example/t", client{}, url.Values{})
		for _, err := range []error{err1, err2, err3} {
			if err != nil && (strings.ContainsAny(err.Error(), "\n\r\x1b\u202e") || len(err.Error()) > 1500) {
				t.Errorf("%q", err)
			}
		}
	})
}
