package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/oauth/oauthtest"
)

// expire makes the kept token one that ended.
func (s *Store) expire(t *testing.T, of Server) *record {
	t.Helper()
	r := s.must(t, of)
	r.Since, r.Expires = time.Now().Add(-time.Hour), time.Now().Add(-time.Minute)
	if err := s.write(of.loginKey(), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// However many ask, a token that has ended is renewed once, and the new one is taken.
func TestATokenThatEndedIsRenewedOnce(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		s, of := loggedIn(t, w)
		old := s.expire(t, of)
		src := source(t, s, of)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				token, err := src.Token(t.Context())
				if err != nil || token == "" || token == old.Secrets.Access || !accepted(t, of, token) {
					t.Errorf("%q, %v", token, err)
				}
			})
		}
		wg.Wait()
		if n := w.Renews.Load(); n != 1 {
			t.Errorf("%d renewals", n)
		}
		if now := s.must(t, of).Secrets; now.Refresh == old.Secrets.Refresh {
			t.Error("the refresh token was not replaced")
		}
		if all := strings.Join(src.Secrets(), " "); !strings.Contains(all, old.Secrets.Access) || !strings.Contains(all, s.must(t, of).Secrets.Refresh) {
			t.Error("not all tokens are known as secrets")
		}
	})
}

// renewer has the test program renew a login as another compactor does.
const renewer = "renew-a-login"

func renewOnce(args []string) {
	s, of := Open(args[0], nil), Server{Name: "peer", URL: args[1]}
	src := s.Source(fixed(of))
	token, err := src.Token(context.Background())
	src.Close()
	fmt.Println(token, err)
}

// Processes that find a token ended at once renew it once: the server would take a refresh token that comes twice for a
// stolen one.
func TestProcessesRenewOnce(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		s, of := loggedIn(t, w)
		s.expire(t, of)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		tokens := make([]string, 4)
		for i := range tokens {
			wg.Go(func() {
				out, err := exec.Command(self, renewer, s.dir, w.URL).Output()
				tokens[i] = string(out)
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		want := s.must(t, of).Secrets.Access
		for _, out := range tokens {
			if out != want+" <nil>\n" {
				t.Errorf("a process got %s", out)
			}
		}
		if n := w.Renews.Load(); n != 1 || !accepted(t, of, want) {
			t.Errorf("%d renewals", n)
		}
	})
}

// A login that was taken back is said with the way out, once and for all: nobody asks again.
func TestALoginThatWasTakenBack(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		s, of := loggedIn(t, w)
		r := s.expire(t, of)
		w.Revoke(r.ClientID, r.Secrets.Refresh)
		for range 3 {
			_, err := source(t, s, of).Token(t.Context())
			var needed *NeededError
			if !errors.As(err, &needed) || !strings.HasSuffix(err.Error(), "log in again with: compactor servers login peer") || strings.Contains(err.Error(), r.Secrets.Refresh) {
				t.Errorf("%v", err)
			}
		}
		if n := w.Renews.Load(); n != 1 {
			t.Errorf("%d renewals", n)
		}
		if data, _ := os.ReadFile(s.path(of.loginKey())); strings.Contains(string(data), r.Secrets.Access) || strings.Contains(string(data), r.Secrets.Refresh) {
			t.Error("useless tokens are kept")
		}
		if state := s.State(of); state.In || !strings.HasPrefix(state.Line(time.Now()), "login needed: ") {
			t.Errorf("%+v", state)
		}
		if _, err := s.Login(t.Context(), of, browsing(t, nil)); err != nil || !s.State(of).In {
			t.Errorf("again: %v", err)
		}
	})
}

// An authorization server that is away for a while does not end a login.
func TestAnAuthorizationServerThatIsAway(t *testing.T) {
	var away atomic.Bool
	w := oauthtest.Start(t, oauthtest.Options{Issuer: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if away.Load() && r.URL.Path == "/token" {
				http.Error(rw, "later", http.StatusBadGateway)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}})
	s, of := loggedIn(t, w)
	r := s.must(t, of)
	r.Since, r.Expires = time.Now().Add(-time.Hour), time.Now().Add(20*time.Second) // about to end
	if err := s.write(of.loginKey(), r); err != nil {
		t.Fatal(err)
	}
	away.Store(true)
	src := source(t, s, of)
	if token, err := src.Token(t.Context()); err != nil || token != r.Secrets.Access {
		t.Errorf("a token that is still good: %q, %v", token, err)
	}
	_, err := src.Renew(t.Context(), r.Secrets.Access)
	var needed *NeededError
	if err == nil || errors.As(err, &needed) || !strings.Contains(err.Error(), "HTTP 502") {
		t.Errorf("%v", err)
	}
	away.Store(false)
	if token, err := src.Renew(t.Context(), r.Secrets.Access); err != nil || token == r.Secrets.Access || !accepted(t, of, token) {
		t.Errorf("back again: %q, %v", token, err)
	}
}

// A login is for one address: under another, or as another client, nobody has logged in.
func TestALoginIsForOneAddress(t *testing.T) {
	w := oauthtest.Start(t, oauthtest.Options{})
	s, of := loggedIn(t, w)
	for _, change := range []func(*Server){
		func(s *Server) { s.URL += "/other" },
		func(s *Server) { s.URL = "https://stranger.example/mcp" },
		func(s *Server) { s.URL = strings.Replace(s.URL, "127.0.0.1", "localhost", 1) },
		func(s *Server) { s.ClientID = "other" },
		func(s *Server) { s.Issuer = "https://stranger.example" },
		func(s *Server) { s.Headers = map[string]string{"host": "stranger.example"} }, // another's at the same address
	} {
		other := of
		change(&other)
		if token, err := source(t, s, other).Token(t.Context()); token != "" || err != nil {
			t.Errorf("%+v has %q, %v", other, token, err)
		}
	}
	same := of
	same.Headers = map[string]string{"X-Key": "k"}
	same.Name, same.URL = "renamed", strings.Replace(of.URL, "http://", "HTTP://", 1)
	if token, _ := source(t, s, same).Token(t.Context()); token == "" {
		t.Error("its name alone is another")
	}
}

// A scope that was lacking is asked for by the next login, unless the configuration says which are.
func TestAScopeThatIsLackingIsAskedFor(t *testing.T) {
	w := oauthtest.Start(t, oauthtest.Options{})
	s, of := loggedIn(t, w)
	src := source(t, s, of)
	for _, scope := range []string{"bad\nscope", strings.Repeat("x", maxScope+1), `"`, " write  tools ", " write  tools "} {
		src.Lacks(t.Context(), scope)
	}
	for _, c := range []struct {
		scopes []string
		want   string
	}{{[]string{"mine"}, "mine"}, {[]string{}, ""}, {nil, "tools write offline_access"}} {
		of.Scopes = c.scopes
		var asked string
		ctx, stop := context.WithCancel(t.Context())
		_, _ = s.Login(ctx, of, Person{Time: time.Minute, Show: func(address string) {
			u, _ := url.Parse(address)
			asked = u.Query().Get("scope")
			stop()
		}})
		if asked != c.want {
			t.Errorf("with %q asked for %q, want %q", c.scopes, asked, c.want)
		}
	}
}

// A user's logins are found again by every version; a project's are its own.
func TestLoginsAreFoundAgain(t *testing.T) {
	mine := Server{Name: "x", URL: "https://x.example/mcp"}
	named := Server{URL: "https://X.example:443/mcp", ClientID: "me", Issuer: "https://issuer.example", Headers: map[string]string{"host": "A.example"}}
	if mine.loginKey() != "fda1550d98fa99cc594dfdb9889cd50f" || named.loginKey() != "a21863e965246e9d14225a08ad4bb04f" {
		t.Errorf("a user's logins are kept as %s and %s, which no version before knows", mine.loginKey(), named.loginKey())
	}
	keys := map[string]bool{mine.loginKey(): true}
	for _, place := range []string{"x@1", "x@2", "y@1"} {
		of := mine
		of.Place = place
		if keys[of.loginKey()] {
			t.Errorf("%s has the login of another", place)
		}
		keys[of.loginKey()] = true
	}
}
