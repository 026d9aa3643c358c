package oauthtest

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Options configure a World.
type Options struct {
	// Old makes the MCP server its own authorization server, as of 2025-03-26.
	Old bool
	// Issuer and Resource, if not nil, wrap the servers, to misbehave.
	Issuer, Resource func(http.Handler) http.Handler
}

// World is an authorization server and an MCP server that accepts its tokens.
type World struct {
	URL    string // of the MCP server
	Issuer string
	Slow   chan struct{} // each call of the tool slow sends when it has begun, and once more before it ends

	auth     *httptest.Server
	resource *httptest.Server

	mu     sync.Mutex
	seen   []string
	barred map[string]bool
	Renews atomic.Int32 // number of requested renewals
}

// Each runs a test with each available authorization server.
func Each(t *testing.T, o Options, fn func(t *testing.T, w *World)) {
	t.Run("in memory", func(t *testing.T) { fn(t, start(t, o, "")) })
	if modules := os.Getenv("COMPACTOR_OIDC_PROVIDER"); modules != "" {
		t.Run("oidc-provider", func(t *testing.T) { fn(t, start(t, o, modules)) })
	}
}

// Start returns a world with the authorization server in memory.
func Start(t *testing.T, o Options) *World { return start(t, o, "") }

func start(t *testing.T, o Options, modules string) *World {
	t.Helper()
	w := &World{Slow: make(chan struct{}), barred: map[string]bool{}}
	var issuing, serving http.Handler // known only once the addresses are
	w.auth = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { issuing.ServeHTTP(rw, r) }))
	w.resource = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { serving.ServeHTTP(rw, r) }))
	t.Cleanup(func() {
		for _, s := range []*httptest.Server{w.auth, w.resource} {
			s.CloseClientConnections()
			s.Close()
		}
	})
	w.URL, w.Issuer = w.resource.URL+"/mcp", w.auth.URL
	if o.Old {
		w.Issuer = w.resource.URL
	}
	issuing = w.countRenewals(w.authServer(t, modules))
	if o.Issuer != nil {
		issuing = o.Issuer(issuing)
	}
	serving = w.server(o.Old, issuing)
	if o.Resource != nil {
		serving = o.Resource(serving)
	}
	return w
}

// countRenewals counts the renewals.
func (w *World) countRenewals(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" && r.Method == http.MethodPost {
			if _ = r.ParseForm(); r.PostForm.Get("grant_type") == "refresh_token" {
				w.Renews.Add(1)
			}
			body := r.PostForm.Encode()
			r.Body = readCloser{strings.NewReader(body)}
			r.ContentLength = int64(len(body))
			r.Form, r.PostForm = nil, nil
		}
		next.ServeHTTP(rw, r)
	})
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

//go:embed testdata/provider.mjs
var script string

// authServer returns the authorization server: in memory, or a program.
func (w *World) authServer(t *testing.T, modules string) http.Handler {
	if modules == "" {
		return newIssuer(w.Issuer)
	}
	cmd := exec.Command("node", "--input-type=module", "-e", script)
	cmd.Env = append(os.Environ(), "PROVIDER_MODULES="+modules, "PROVIDER_ISSUER="+w.Issuer, "PROVIDER_LIFE=3600")
	if testing.Verbose() {
		cmd.Stderr = os.Stderr
	}
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("oidc-provider does not start: ", err)
	}
	to, err := url.Parse("http://127.0.0.1:" + strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	issuer, _ := url.Parse(w.Issuer)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Header.Set("X-Forwarded-Host", issuer.Host)
		r.Out.Header.Set("X-Forwarded-Proto", issuer.Scheme)
	}}
	// It publishes the OpenID Connect document; servers of 2025-03-26 have it at the other URL.
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/.well-known/oauth-authorization-server" && w.Issuer == w.resource.URL {
			r.URL.Path = "/.well-known/openid-configuration"
		}
		proxy.ServeHTTP(rw, r)
	})
}

// server returns the MCP server, which accepts tokens that the authorization server confirms as issued for it.
func (w *World) server(old bool, issuing http.Handler) http.Handler {
	s := server.NewMCPServer("guarded", "1.0.0")
	s.AddTool(mcp.NewTool("echo", mcp.WithDescription("Repeats a text"), mcp.WithString("text")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(r.GetString("text", "")), nil
	})
	s.AddTool(mcp.NewTool("token", mcp.WithDescription("Gives away what the request was authorized by")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("it was " + r.Header.Get("Authorization")), nil
	})
	s.AddTool(mcp.NewTool("slow", mcp.WithDescription("Takes its time")), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for range 2 {
			select {
			case w.Slow <- struct{}{}:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return mcp.NewToolResultText("done"), nil
	})
	inner := server.NewStreamableHTTPServer(s)
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/mcp":
			token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
			w.noteToken(token)
			if !w.isActive(token, old) {
				said := `Bearer error="invalid_token"`
				if !old {
					said += `, resource_metadata="` + w.resource.URL + `/.well-known/oauth-protected-resource/mcp", scope="tools"`
				}
				rw.Header().Set("WWW-Authenticate", said)
				writeJSON(rw, http.StatusUnauthorized, map[string]any{"error": "invalid_token"})
				return
			}
			inner.ServeHTTP(rw, r)
		case old:
			issuing.ServeHTTP(rw, r)
		case r.URL.Path == "/.well-known/oauth-protected-resource/mcp":
			writeJSON(rw, http.StatusOK, map[string]any{"resource": w.URL, "authorization_servers": []string{w.Issuer}, "scopes_supported": []string{"tools"}})
		default:
			http.NotFound(rw, r)
		}
	})
}

// isActive asks the authorization server about a token (RFC 7662).
func (w *World) isActive(token string, old bool) bool {
	w.mu.Lock()
	barred := w.barred[token]
	w.mu.Unlock()
	if token == "" || barred {
		return false
	}
	answer := w.askIssuer("introspect", token, resourceID)
	return answer.Active && (old || answer.Audience == w.URL)
}

type introspection struct {
	Active   bool   `json:"active"`
	Audience string `json:"aud"`
}

// askIssuer sends a token to an endpoint from the authorization server's metadata.
func (w *World) askIssuer(what, token, client string) (answer introspection) {
	var places struct {
		Introspection string `json:"introspection_endpoint"`
		Revocation    string `json:"revocation_endpoint"`
	}
	for _, name := range []string{"oauth-authorization-server", "openid-configuration"} {
		if r, err := http.Get(w.Issuer + "/.well-known/" + name); err == nil {
			_ = json.NewDecoder(r.Body).Decode(&places)
			r.Body.Close()
		}
	}
	at, form := places.Introspection, url.Values{"token": {token}}
	if what == "revoke" {
		at = places.Revocation
		form.Set("client_id", client)
	}
	r, _ := http.NewRequest(http.MethodPost, at, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if client == resourceID {
		r.SetBasicAuth(resourceID, resourceSecret)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return introspection{}
	}
	defer response.Body.Close()
	_ = json.NewDecoder(response.Body).Decode(&answer)
	return answer
}

func (w *World) noteToken(token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, token)
}

// Refuse makes the MCP server reject a token, whatever its authorization server says.
func (w *World) Refuse(token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.barred[token] = true
}

// Tokens returns the tokens sent to the MCP server, in order, "" for none.
func (w *World) Tokens() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.seen...)
}

// Revoke revokes a client's token, and all others of its login (RFC 7009).
func (w *World) Revoke(client, token string) { w.askIssuer("revoke", token, client) }
