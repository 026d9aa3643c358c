package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// Person is the user who is asked to log in.
type Person struct {
	// Show receives the URL to be opened in a browser.
	Show func(address string)
	// Said receives other messages for the user. nil: they are dropped.
	Said func(text string)
	// Lines, if not nil, receives what the user pastes: the URL that the browser was sent back to.
	Lines <-chan string
	// Time limits the wait for the answer.
	Time time.Duration
}

// Login asks the user to log in to a server, and stores the result.
func (s *Store) Login(ctx context.Context, of Server, who Person) (State, error) {
	server, err := secureURL(of.URL)
	if err != nil {
		return State{}, err
	}
	if err := s.ensureDir(); err != nil { // before the user is asked
		return State{}, err
	}
	g := newGuard(ctx, server)
	a, err := of.discover(ctx, g)
	if err != nil {
		return State{}, err
	}
	old, _ := s.read(of.loginKey()) // one that cannot be read is replaced
	r, t, err := a.login(ctx, g, of, old, who)
	if err != nil {
		return State{}, err
	}
	r.storeTokens(t, time.Now())
	err = s.withLock(ctx, of.loginKey(), func() error { return s.write(of.loginKey(), r) })
	if err != nil {
		return State{}, err
	}
	return r.state(), of.confirmToken(ctx, g, t.access)
}

// confirmToken tries the token.
func (s Server) confirmToken(ctx context.Context, g *guard, token string) error {
	status, _, err := s.sendProbe(ctx, g, token)
	if err == nil && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		return fmt.Errorf("it gave out a token, and refuses it (HTTP %d): is who you logged in as allowed to use it?", status)
	}
	return err
}

// login performs the authorization code grant.
func (a *authority) login(ctx context.Context, g *guard, of Server, old *record, who Person) (*record, tokens, error) {
	state, err1 := transport.GenerateState()
	verifier, err2 := transport.GenerateCodeVerifier()
	if err := errors.Join(err1, err2); err != nil {
		return nil, tokens{}, err
	}
	back, err := newReceiver(state, ports(of, old)...)
	if err != nil {
		return nil, tokens{}, err
	}
	defer back.close()
	r := &record{Server: origin(of.URL), Resource: a.resource, Issuer: a.Issuer, Token: a.TokenEndpoint, Revocation: a.RevocationEndpoint,
		Redirect: back.redirect, Secrets: &secrets{}}
	if err := a.setClient(ctx, g, of, old, r); err != nil {
		return nil, tokens{}, err
	}
	scopes := a.scopesFor(of, old)
	r.Scope = strings.Join(scopes, " ")
	address, err := a.authorizationURL(r, scopes, state, transport.GenerateCodeChallenge(verifier))
	if err != nil {
		return nil, tokens{}, err
	}
	if who.Said != nil && !sameOrigin(a.AuthorizationEndpoint, a.TokenEndpoint) {
		who.Said(fmt.Sprintf("The page is at %s, and what comes of it goes to %s, both as %s says: log in only if they belong together.",
			placeOf(a.AuthorizationEndpoint), placeOf(a.TokenEndpoint), describeURL(a.Issuer)))
	}
	who.Show(address)
	answer, err := back.wait(ctx, who)
	if err != nil {
		return nil, tokens{}, err
	}
	code, err := a.codeIn(answer)
	if err != nil {
		return nil, tokens{}, err
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {r.Redirect}, "code_verifier": {verifier}}
	if a.resource != "" {
		form.Set("resource", a.resource)
	}
	t, err := g.fetchTokens(ctx, a.TokenEndpoint, r.client(of), form)
	return r, t, err
}

// ports returns the ports to listen on: the configured one, or the one that the client was registered with, else any.
func ports(of Server, old *record) []int {
	if of.RedirectPort != 0 {
		return []int{of.RedirectPort}
	}
	if old != nil {
		var port int
		if n, _ := fmt.Sscanf(old.Redirect, "http://127.0.0.1:%d"+callback, &port); n == 1 && port > 0 && port < 1<<16 {
			return []int{port, 0}
		}
	}
	return []int{0}
}

// setClient sets our client: the configured one, the one registered here before, or a new one.
func (a *authority) setClient(ctx context.Context, g *guard, of Server, old, r *record) error {
	if of.ClientID != "" {
		r.ClientID, r.Given, r.Method = of.ClientID, true, a.methodFor(of.ClientSecret)
		return nil
	}
	if old != nil && old.Needed == "" && !old.Given && old.Issuer == a.Issuer && old.Redirect == r.Redirect && old.Token == a.TokenEndpoint {
		r.ClientID, r.Method, r.Secrets.ClientSecret = old.ClientID, old.Method, old.Secrets.ClientSecret
		return nil
	}
	c, err := a.register(ctx, g, r.Redirect)
	r.ClientID, r.Method, r.Secrets.ClientSecret = c.id, c.method, c.secret
	return err
}

// offline is the scope for refresh tokens at providers of OpenID Connect.
const offline = "offline_access"

// scopesFor returns the configured scopes, else those that the server asks for, those that were lacking, and the scope
// that lets a login be renewed.
func (a *authority) scopesFor(of Server, old *record) []string {
	if of.Scopes != nil {
		return of.Scopes
	}
	more := strings.Fields(plainScope(strings.Join(a.scopes, " ")))
	if old != nil {
		more = append(more, strings.Fields(old.Wanted)...)
	}
	if slices.Contains(a.ScopesSupported, offline) {
		more = append(more, offline)
	}
	var out []string
	for _, scope := range more {
		if !slices.Contains(out, scope) {
			out = append(out, scope)
		}
	}
	return out
}

// authorizationURL returns the URL that the browser is sent to.
func (a *authority) authorizationURL(r *record, scopes []string, state, challenge string) (string, error) {
	u, err := url.Parse(a.AuthorizationEndpoint)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return "", errors.New("the authorization_endpoint of its authorization server is not an address for a browser")
	}
	q := u.Query()
	for name, value := range map[string]string{"response_type": "code", "client_id": r.ClientID, "redirect_uri": r.Redirect, "state": state,
		"code_challenge": challenge, "code_challenge_method": "S256", "resource": a.resource, "scope": strings.Join(scopes, " ")} {
		if q.Del(name); value != "" {
			q.Set(name, value)
		}
	}
	if slices.Contains(scopes, offline) {
		q.Set("prompt", "consent") // OpenID Connect gives no refresh token without it
	}
	u.RawQuery, u.Fragment = q.Encode(), ""
	return u.String(), nil
}

// wait waits for the answer: from the browser, or pasted by the user.
func (r *receiver) wait(ctx context.Context, who Person) (url.Values, error) {
	timer := time.NewTimer(who.Time)
	defer timer.Stop()
	lines := who.Lines
	for {
		select {
		case answer := <-r.answers:
			return answer, nil
		case line, more := <-lines:
			if !more {
				lines = nil
				continue
			}
			if strings.TrimSpace(line) == "" {
				continue
			}
			if err := r.takePasted(line); err != nil && who.Said != nil {
				who.Said(err.Error())
			}
		case <-timer.C:
			return nil, fmt.Errorf("no login within %s", who.Time)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Logout removes a login, and revokes it at the authorization server if possible. had reports whether there was one,
// told whether the server revoked all of its tokens.
func (s *Store) Logout(ctx context.Context, of Server) (had, told bool, err error) {
	server, err := secureURL(of.URL)
	if err != nil {
		return false, false, err
	}
	key := of.loginKey()
	var r *record
	err = s.withLock(ctx, key, func() error {
		var unread error
		if r, unread = s.read(key); unread != nil { // damaged, or in a locked keyring: remove what can be removed
			r, _ = s.readFile(key)
		}
		had = r != nil || unread != nil
		return s.remove(key, r)
	})
	if err != nil || r == nil || r.Revocation == "" || r.Secrets == nil {
		return had, false, err
	}
	told = r.revoke(ctx, newGuard(ctx, server), of)
	return had, told, nil
}

// revoke revokes the tokens (RFC 7009) and reports whether the server revoked all of them.
func (r *record) revoke(ctx context.Context, g *guard, of Server) bool {
	asked, revoked := 0, 0
	for _, t := range []struct{ hint, value string }{{"refresh_token", r.Secrets.Refresh}, {"access_token", r.Secrets.Access}} {
		at, err := url.Parse(r.Revocation)
		if t.value == "" || err != nil || g.checkURL(at) != nil {
			continue
		}
		asked++
		header := http.Header{}
		form := r.client(of).addCredentials(url.Values{"token": {t.value}, "token_type_hint": {t.hint}}, header)
		status, _, err := g.post(ctx, r.Revocation, "application/x-www-form-urlencoded", []byte(form.Encode()), header)
		if err == nil && status/100 == 2 {
			revoked++
		}
	}
	return asked > 0 && revoked == asked
}
