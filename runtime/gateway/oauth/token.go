package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Client authentication methods (RFC 6749, RFC 7591).
const (
	authNone  = "none"
	authBasic = "client_secret_basic"
	authPost  = "client_secret_post"
)

// client is our identity at an authorization server.
type client struct {
	id, secret, method string
}

// methodFor returns the authentication method of a client with or without a secret.
func (m metadata) methodFor(secret string) string {
	known := m.TokenEndpointAuthMethodsSupported
	switch {
	case secret == "":
		return authNone
	case slices.Contains(known, authPost) && !slices.Contains(known, authBasic):
		return authPost
	}
	return authBasic // RFC 8414: the default
}

// tokens are what an authorization server issues.
type tokens struct {
	access, refresh, scope string
	expires                time.Time // zero: not given
}

// refusal is a negative answer of an authorization server.
type refusal struct {
	who, code, said string
	status          int
}

func (e *refusal) Error() string {
	what := e.code
	if what == "" {
		what = fmt.Sprintf("HTTP %d", e.status)
	}
	if e.said != "" {
		what += ": " + e.said
	}
	return fmt.Sprintf("its authorization server %s refuses (%s)", e.who, what)
}

// isFinal reports whether repeating the request is useless.
func (e *refusal) isFinal() bool {
	return slices.Contains([]string{"invalid_grant", "invalid_client", "unauthorized_client"}, e.code)
}

// fetchTokens requests tokens from a token endpoint.
func (g *guard) fetchTokens(ctx context.Context, at string, c client, form url.Values) (tokens, error) {
	header := http.Header{}
	secrets := []string{c.secret, form.Get("code"), form.Get("refresh_token"), form.Get("code_verifier")}
	form = c.addCredentials(form, header)
	status, body, err := g.post(ctx, at, "application/x-www-form-urlencoded", []byte(form.Encode()), header)
	if err != nil {
		return tokens{}, err
	}
	var answer struct {
		AccessToken  string          `json:"access_token"`
		TokenType    string          `json:"token_type"`
		RefreshToken string          `json:"refresh_token"`
		Scope        string          `json:"scope"`
		ExpiresIn    json.RawMessage `json:"expires_in"`
		Error        string          `json:"error"`
		Description  string          `json:"error_description"`
	}
	bad := json.Unmarshal(body, &answer)
	switch {
	case status/100 != 2 || answer.Error != "":
		return tokens{}, &refusal{who: placeOf(at), status: status, code: sanitize.OneLine(maskValues(answer.Error, secrets...), maxSaid), said: sanitize.OneLine(maskValues(answer.Description, secrets...), maxSaid)}
	case bad != nil || !isSendable(answer.AccessToken) || answer.RefreshToken != "" && !isSendable(answer.RefreshToken):
		return tokens{}, fmt.Errorf("authorization server %s returned an invalid token response", placeOf(at))
	case answer.TokenType != "" && !strings.EqualFold(answer.TokenType, "Bearer"):
		return tokens{}, fmt.Errorf("its authorization server gives out tokens of the type %q; only Bearer is known here", sanitize.OneLine(answer.TokenType, maxSaid))
	}
	return tokens{access: answer.AccessToken, refresh: answer.RefreshToken, scope: answer.Scope, expires: parseExpiry(answer.ExpiresIn, time.Now())}, nil
}

// addCredentials adds the client's credentials to the form, or to a header.
func (c client) addCredentials(form url.Values, header http.Header) url.Values {
	if c.method == authBasic {
		r := http.Request{Header: header}
		r.SetBasicAuth(url.QueryEscape(c.id), url.QueryEscape(c.secret))
		return form
	}
	form.Set("client_id", c.id)
	if c.method == authPost {
		form.Set("client_secret", c.secret)
	}
	return form
}

// maxToken limits a token, which is in a header of each request.
const maxToken = 32 << 10

// isSendable reports whether a token is valid in a header.
func isSendable(token string) bool {
	return token != "" && len(token) <= maxToken && !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

// maxLife limits the accepted lifetime of a token.
const maxLife = 10 * 365 * 24 * time.Hour

// parseExpiry reads expires_in, which some servers write in quotes.
func parseExpiry(raw json.RawMessage, now time.Time) time.Time {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil || n <= 0 {
		return time.Time{}
	}
	return now.Add(min(time.Duration(min(n, maxLife.Seconds())*float64(time.Second)), maxLife))
}

// register registers this program with an authorization server (RFC 7591).
func (a *authority) register(ctx context.Context, g *guard, redirect string) (client, error) {
	if a.RegistrationEndpoint == "" {
		return client{}, errors.New("its authorization server does not support dynamic client registration: register there by hand, and write oauth: client_id in its entry of servers")
	}
	method := authNone
	if known := a.TokenEndpointAuthMethodsSupported; len(known) > 0 && !slices.Contains(known, authNone) {
		method = a.methodFor("some")
	}
	body, err := json.Marshal(map[string]any{
		"client_name": "compactor", "application_type": "native", "redirect_uris": []string{redirect},
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"}, "token_endpoint_auth_method": method,
	})
	if err != nil {
		return client{}, err
	}
	status, reply, err := g.post(ctx, a.RegistrationEndpoint, "application/json", body, nil)
	if err != nil {
		return client{}, err
	}
	var answer struct {
		ID          string `json:"client_id"`
		Secret      string `json:"client_secret"`
		Method      string `json:"token_endpoint_auth_method"`
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	bad := json.Unmarshal(reply, &answer)
	if status/100 != 2 {
		return client{}, fmt.Errorf("%w: register there by hand, and write oauth: client_id in its entry of servers",
			&refusal{who: placeOf(a.RegistrationEndpoint), status: status, code: sanitize.OneLine(answer.Error, maxSaid), said: sanitize.OneLine(answer.Description, maxSaid)})
	}
	if bad != nil || answer.ID == "" {
		return client{}, fmt.Errorf("authorization server %s returned an invalid registration response", placeOf(a.RegistrationEndpoint))
	}
	c := client{id: answer.ID, secret: answer.Secret, method: answer.Method}
	if c.method != authNone && c.method != authBasic && c.method != authPost {
		c.method = a.methodFor(c.secret)
	}
	if c.secret == "" {
		c.method = authNone
	}
	return c, nil
}
