package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"
)

// NeededError says that the user has to log in.
type NeededError struct {
	Server string
	Why    string
}

func (e *NeededError) Error() string {
	return e.Why + ": log in again with: compactor servers login " + e.Server
}

// Source returns the tokens of one server, and renews them. It is safe for concurrent use.
type Source struct {
	store *Store
	of    func() (Server, error)

	mu      sync.Mutex
	at      stamp
	known   *record  // as of the file at that stamp
	past    []string // earlier tokens, which a server may still repeat
	renewal *renewal // under way
	closed  bool
	work    sync.WaitGroup
}

// renewal is shared by all who need it: a refresh token may work only once.
type renewal struct {
	done chan struct{}
	err  error
}

// Source returns the token source of a server. It calls of on each use, because the values of variables may change.
func (s *Store) Source(of func() (Server, error)) *Source { return &Source{store: s, of: of} }

// Token returns the token for a request to the server now; "" if there is no login.
func (s *Source) Token(ctx context.Context) (string, error) {
	of, r, err := s.load()
	if err != nil || r == nil {
		return "", err
	}
	if r.Needed != "" {
		return "", &NeededError{of.Name, r.Needed}
	}
	if !r.isExpired(time.Now()) || r.Secrets.Refresh == "" {
		return r.Secrets.Access, nil // an expiry that only our clock sees is for the server to report
	}
	token, err := s.Renew(ctx, r.Secrets.Access)
	var needed *NeededError
	if err != nil && ctx.Err() == nil && !errors.As(err, &needed) && time.Now().Before(r.Expires) {
		return r.Secrets.Access, nil
	}
	return token, err
}

// Renew returns a token to replace a refused one; "" if there is no login.
func (s *Source) Renew(ctx context.Context, refused string) (string, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return "", context.Canceled
	}
	if s.renewal == nil {
		begun := &renewal{done: make(chan struct{})}
		s.renewal = begun
		// It outlives the caller: if no one read the response, the new refresh token would be lost.
		s.work.Go(func() { s.renew(context.WithoutCancel(ctx), begun, refused) })
	}
	shared := s.renewal
	s.mu.Unlock()
	select {
	case <-shared.done:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if shared.err != nil {
		return "", shared.err
	}
	_, r, err := s.load()
	if err != nil || r == nil {
		return "", err
	}
	return r.Secrets.Access, nil
}

// renewTime limits a renewal, including the wait for other processes.
const renewTime = 45 * time.Second

func (s *Source) renew(ctx context.Context, shared *renewal, refused string) {
	ctx, stop := context.WithTimeout(ctx, renewTime)
	defer stop()
	of, err := s.of()
	if err == nil {
		err = s.store.withLock(ctx, of.loginKey(), func() error { return s.store.renew(ctx, of, refused) })
	}
	s.mu.Lock()
	shared.err, s.renewal = err, nil
	s.at = stamp{size: -1} // regardless of the file system's clock
	s.mu.Unlock()
	close(shared.done)
}

// justNow is the time after a renewal in which a refused token is not renewed again.
const justNow = 5 * time.Second

// renew replaces a refused token, unless another process has done so. The caller holds the login's lock.
func (s *Store) renew(ctx context.Context, of Server, refused string) error {
	key, now := of.loginKey(), time.Now()
	r, err := s.read(key)
	switch {
	case err != nil || r == nil:
		return err
	case r.Needed != "":
		return &NeededError{of.Name, r.Needed}
	case r.Secrets.Access != refused:
		return nil
	case r.Secrets.Refresh == "":
		return &NeededError{of.Name, "its login has ended, and cannot be renewed"}
	case r.Renewed && !r.isExpired(now) && now.Sub(r.Since) < justNow:
		return &NeededError{of.Name, "it refuses a token that it was just given"}
	}
	t, err := s.refresh(ctx, of, r)
	var no *refusal
	switch {
	case errors.As(err, &no) && no.isFinal():
		r.endLogin("its login was taken back or has ended (" + no.code + ")")
		if err := s.write(key, r); err != nil {
			return err
		}
		return &NeededError{of.Name, r.Needed}
	case err != nil:
		return fmt.Errorf("its login could not be renewed: %w", err)
	}
	r.storeTokens(t, time.Now())
	r.Renewed = true
	return s.write(key, r)
}

// refresh asks the authorization server that issued the login, and no other.
func (s *Store) refresh(ctx context.Context, of Server, r *record) (tokens, error) {
	server, err := secureURL(of.URL)
	if err != nil {
		return tokens{}, err
	}
	at, err := url.Parse(r.Token)
	g := newGuard(ctx, server)
	if err == nil {
		err = g.checkURL(at)
	}
	if err != nil {
		return tokens{}, err
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {r.Secrets.Refresh}}
	if r.Resource != "" {
		form.Set("resource", r.Resource)
	}
	return g.fetchTokens(ctx, r.Token, r.client(of), form)
}

// client returns the client that the login was made with.
func (r *record) client(of Server) client {
	c := client{id: r.ClientID, secret: r.Secrets.ClientSecret, method: r.Method}
	if r.Given {
		c.secret = of.ClientSecret
	}
	return c
}

// load reads the login if it differs from the known one.
func (s *Source) load() (Server, *record, error) {
	of, err := s.of()
	if err != nil {
		return of, nil, err
	}
	if _, err := secureURL(of.URL); err != nil {
		return of, nil, nil // no token may be sent there
	}
	key := of.loginKey()
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.store.stamp(key)
	if at == s.at {
		return of, s.known, nil
	}
	r, err := s.store.read(key)
	if err != nil {
		return of, nil, err
	}
	s.rememberTokens(s.known)
	s.at, s.known = at, r
	return of, r, nil
}

// lackTime limits the recording of a lacking scope, and maxScope its length.
const (
	lackTime = 2 * time.Second
	maxScope = 1 << 10
)

// Lacks records a scope that a request lacked: the next login asks for it too.
func (s *Source) Lacks(ctx context.Context, scope string) {
	of, r, err := s.load()
	if scope = plainScope(scope); err != nil || r == nil || scope == "" || r.Wanted == scope {
		return
	}
	ctx, stop := context.WithTimeout(ctx, lackTime)
	defer stop()
	_ = s.store.withLock(ctx, of.loginKey(), func() error { // on failure it is recorded the next time it is lacking
		r, err := s.store.read(of.loginKey())
		if err != nil || r == nil {
			return err
		}
		r.Wanted = scope
		return s.store.write(of.loginKey(), r)
	})
}

// plainScope returns a scope named by a foreign server, or "" if it is not valid.
func plainScope(scope string) string {
	if len(scope) > maxScope || strings.ContainsFunc(scope, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
		return ""
	}
	return strings.Join(strings.Fields(scope), " ")
}

// Changed reports whether the user has logged in or out since the login was last used.
func (s *Source) Changed() bool {
	of, err := s.of()
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store.stamp(of.loginKey()) != s.at
}

// maxPast is how many earlier tokens are kept out of results.
const maxPast = 8

func (s *Source) rememberTokens(r *record) {
	if r == nil || r.Secrets == nil {
		return
	}
	for _, v := range []string{r.Secrets.Access, r.Secrets.Refresh} {
		if v != "" {
			s.past = append(s.past, v)
		}
	}
	s.past = s.past[max(0, len(s.past)-maxPast):]
}

// Secrets returns values that must never be passed on: current and earlier tokens.
func (s *Source) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := append([]string(nil), s.past...)
	if s.known != nil && s.known.Secrets != nil {
		for _, v := range []string{s.known.Secrets.Access, s.known.Secrets.Refresh, s.known.Secrets.ClientSecret} {
			if len(v) >= minSecret {
				out = append(out, v)
			}
		}
	}
	return out
}

// Close waits for a renewal under way, so that its result is stored.
func (s *Source) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.work.Wait()
}
