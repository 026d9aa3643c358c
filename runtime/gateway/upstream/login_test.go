package upstream

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// login is one whose tokens are numbered.
type login struct {
	mu      sync.Mutex
	n       int
	renewed int
	err     error // of Renew
	none    bool
	lacks   string
}

func (l *login) Lacks(_ context.Context, scope string) { l.lacks = scope }

func (l *login) Token(context.Context) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.none {
		return "", nil
	}
	return "token-number-" + string(rune('a'+l.n)), nil
}

func (l *login) Renew(ctx context.Context, refused string) (string, error) {
	now, err := l.Token(ctx)
	if err != nil || now != refused { // somebody was faster
		return now, err
	}
	l.mu.Lock()
	l.renewed++
	if l.err == nil {
		l.n++
	}
	err = l.err
	l.mu.Unlock()
	if err != nil {
		return "", err
	}
	return l.Token(ctx)
}

func (l *login) Secrets() []string {
	return []string{"token-number-a", "token-number-b", "token-number-c", "token-number-d"}
}

// What a server refuses that somebody may log in to says how, in each case.
func TestARefusalNamesTheLogin(t *testing.T) {
	const key = `if it wants a key, set headers: Authorization: "Bearer ${TOKEN}" in servers.peer`
	for name, c := range map[string]struct {
		code    int
		said    string
		headers map[string]string
		login   *login
		says    string
	}{
		"nobody has logged in": {code: 401, login: &login{none: true}, says: `HTTP 401 Unauthorized ("no"): log in with: compactor servers login peer; ` + key},
		"forbidden":            {code: 403, login: &login{none: true}, says: `HTTP 403 Forbidden ("no"): if it wants a login: compactor servers login peer; ` + key},
		"the new token too":    {code: 401, login: &login{}, says: `HTTP 401 Unauthorized ("no"): it refuses the token of its login; log in again with: compactor servers login peer`},
		"not this person":      {code: 403, login: &login{}, says: `HTTP 403 Forbidden ("no"): permission denied for the logged-in account; log in with another one: compactor servers login peer`},
		"not this far": {code: 403, login: &login{}, said: `Bearer error="insufficient_scope", scope="read write"`,
			says: `HTTP 403 Forbidden ("no"): its login does not allow that; log in again with: compactor servers login peer, which asks for what it wants unless oauth: scopes says otherwise: "read write"`},
		"taken back": {code: 401, login: &login{err: errors.New("it has ended, log in\nagain token-number-a")}, says: "cannot be reached: it has ended, log in again ***"},
		"a key":      {code: 401, headers: map[string]string{"authorization": "Bearer x"}, login: &login{}, says: "is the Authorization header in servers.peer right"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("WWW-Authenticate", c.said)
				w.WriteHeader(c.code)
				_, _ = io.WriteString(w, `{"error":"no"}`)
			}))
			defer server.Close()
			s := newServer(t, Spec{URL: server.URL, Headers: c.headers}, Options{Login: c.login})
			for range openAfter + 1 { // no login is waited for
				if _, err := s.About(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) || codeOf(err) != CodeConnection {
					t.Fatalf("%v\nwant %s", err, c.says)
				}
				if c.headers != nil {
					return
				}
			}
			if (c.login.lacks == "read write") != (c.said != "") {
				t.Errorf("told to lack %q", c.login.lacks)
			}
		})
	}
}

// A call that is refused is asked once more with another token, and never a third time. One that ran is not repeated.
func TestARefusedCallIsRepeatedOnce(t *testing.T) {
	t.Run(HTTP, func(t *testing.T) {
		refusedOnce(t, HTTP, &streamable{peer: newPeer(Handshake), sessions: map[string]bool{}})
	})
	t.Run(SSE, func(t *testing.T) {
		refusedOnce(t, SSE, &eventful{peer: newPeer(Handshake), streams: map[string]func([]byte){}})
	})
}

func refusedOnce(t *testing.T, kind string, p http.Handler) {
	var mu sync.Mutex
	var tokens []string
	refuse := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		mu.Lock()
		bad := refuse[token] && r.Method == http.MethodPost // what listens would have the token renewed first
		if r.Method == http.MethodPost {
			tokens = append(tokens, token[len(token)-1:])
		}
		mu.Unlock()
		if bad {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	l := &login{}
	s := newServer(t, Spec{URL: server.URL + "/sse", Kind: kind}, Options{Login: l})
	if _, err := s.Do(t.Context(), toolCall("echo", `{}`)); err != nil {
		t.Fatal(err)
	}
	set := func(list ...string) {
		mu.Lock()
		defer mu.Unlock()
		tokens = nil
		for _, v := range list {
			refuse[v] = true
		}
	}
	set("token-number-a")
	if _, err := s.Do(t.Context(), toolCall("echo", `{}`)); err != nil || strings.Join(tokens, "") != "ab" || l.renewed != 1 {
		t.Errorf("%v: sent %q", err, tokens)
	}
	set("token-number-b", "token-number-c")
	_, err := s.Do(t.Context(), toolCall("echo", `{}`))
	if err == nil || strings.Join(tokens, "") != "bc" || !strings.Contains(err.Error(), "compactor servers login peer") {
		t.Errorf("%v: sent %q", err, tokens)
	}
}
