package oauthtest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// The client that the authorization servers know in advance.
const (
	ClientID     = "given"
	ClientSecret = "secret-of-the-given-client-0123456789"
)

// The resource's credentials at an authorization server.
const (
	resourceID     = "resource"
	resourceSecret = "secret-of-the-resource-0123456789"
)

// issuer is an authorization server in memory.
type issuer struct {
	name string

	mu      sync.Mutex
	clients map[string]known
	codes   map[string]grant
	tokens  map[string]grant // that grant access
	renews  map[string]grant
	spent   map[string]string // used refresh tokens, and the family they belong to
}

type known struct {
	secret    string
	redirects []string
}

// grant is a user's consent, represented by a code or a token.
type grant struct {
	family, client, redirect, challenge, resource string
}

func newIssuer(name string) *issuer {
	return &issuer{name: name, codes: map[string]grant{}, tokens: map[string]grant{}, renews: map[string]grant{}, spent: map[string]string{},
		clients: map[string]known{ClientID: {ClientSecret, []string{"http://127.0.0.1/callback"}}, resourceID: {resourceSecret, nil}}}
}

// ServeHTTP answers as an authorization server whose user agrees to everything.
func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		writeJSON(w, http.StatusOK, map[string]any{"issuer": i.name, "authorization_endpoint": i.name + "/authorize", "token_endpoint": i.name + "/token",
			"registration_endpoint": i.name + "/register", "revocation_endpoint": i.name + "/revoke", "introspection_endpoint": i.name + "/introspect",
			"code_challenge_methods_supported": []string{"S256"}, "response_types_supported": []string{"code"}, "scopes_supported": []string{"tools", "offline_access"},
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_basic"}, "authorization_response_iss_parameter_supported": true})
	case "/register":
		i.register(w, r)
	case "/authorize":
		i.authorize(w, r)
	case "/token":
		i.token(w, r)
	case "/revoke":
		i.revoke(r.FormValue("token"))
		w.WriteHeader(http.StatusOK)
	case "/introspect":
		g, ok := i.tokens[r.FormValue("token")]
		writeJSON(w, http.StatusOK, map[string]any{"active": ok, "aud": g.resource})
	default:
		http.NotFound(w, r)
	}
}

func (i *issuer) register(w http.ResponseWriter, r *http.Request) {
	var ask struct {
		Redirects []string `json:"redirect_uris"`
		Kind      string   `json:"application_type"`
	}
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil || len(ask.Redirects) == 0 || ask.Kind != "native" {
		writeError(w, "invalid_client_metadata")
		return
	}
	id := rand.Text()
	i.clients[id] = known{redirects: ask.Redirects}
	writeJSON(w, http.StatusCreated, map[string]any{"client_id": id, "redirect_uris": ask.Redirects, "token_endpoint_auth_method": "none"})
}

func (i *issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	client, ok := i.clients[q.Get("client_id")]
	if err != nil || !ok || !slices.ContainsFunc(client.redirects, func(u string) bool { return loopbackEqual(u, back) }) ||
		q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" {
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	i.codes[code] = grant{family: code, client: q.Get("client_id"), redirect: q.Get("redirect_uri"), challenge: q.Get("code_challenge"), resource: q.Get("resource")}
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {i.name}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// loopbackEqual compares redirects on this machine, ignoring the port (RFC 8252).
func loopbackEqual(registered string, u *url.URL) bool {
	at, err := url.Parse(registered)
	return err == nil && at.Scheme == u.Scheme && at.Hostname() == u.Hostname() && at.Path == u.Path
}

func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id = r.PostFormValue("client_id")
	}
	client, ok := i.clients[id]
	if !ok || client.secret != secret {
		writeError(w, "invalid_client")
		return
	}
	var g grant
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		code := r.PostFormValue("code")
		g, ok = i.codes[code]
		delete(i.codes, code)
		sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		ok = ok && g.redirect == r.PostFormValue("redirect_uri") && g.challenge == base64.RawURLEncoding.EncodeToString(sum[:])
	case "refresh_token":
		old := r.PostFormValue("refresh_token")
		if family := i.spent[old]; family != "" {
			i.revokeFamily(family) // the token was stolen
		}
		g, ok = i.renews[old]
		delete(i.renews, old)
		i.spent[old] = g.family
	}
	if !ok || g.client != id || g.resource != r.PostFormValue("resource") {
		writeError(w, "invalid_grant")
		return
	}
	access, refresh := rand.Text(), rand.Text()
	i.tokens[access] = g
	i.renews[refresh] = g
	writeJSON(w, http.StatusOK, map[string]any{"access_token": access, "token_type": "bearer", "expires_in": 3600, "refresh_token": refresh, "scope": "tools"})
}

func (i *issuer) revoke(token string) {
	if g, ok := i.renews[token]; ok {
		i.revokeFamily(g.family)
	}
	delete(i.tokens, token)
}

// revokeFamily revokes all tokens of one login.
func (i *issuer) revokeFamily(family string) {
	for _, list := range []map[string]grant{i.tokens, i.renews} {
		for t, g := range list {
			if g.family == family {
				delete(list, t)
			}
		}
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func writeError(w http.ResponseWriter, code string) {
	writeJSON(w, http.StatusBadRequest, map[string]any{"error": code, "error_description": strings.ReplaceAll(code, "_", " ")})
}
