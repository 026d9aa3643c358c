package oauth

import (
	"context"
	"net/url"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/gateway/oauth/oauthtest"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == renewer {
		renewOnce(os.Args[2:])
		return
	}
	// The connection to the keyring is one for the process.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*Conn).inWorker"), goleak.IgnoreTopFunction("github.com/godbus/dbus/v5.newConn.func1"))
}

// loggedIn is a store in which somebody has logged in to a world.
func loggedIn(t *testing.T, w *oauthtest.World) (*Store, Server) {
	t.Helper()
	s, of := Open(t.TempDir()+"/logins", nil), Server{Name: "peer", URL: w.URL}
	if _, err := s.Login(t.Context(), of, browsing(t, nil)); err != nil {
		t.Fatal(err)
	}
	return s, of
}

// browsing is a person whose browser comes back, with an answer that edit has changed.
func browsing(t *testing.T, edit func(url.Values)) Person {
	return Person{Time: 10 * time.Second, Show: func(address string) {
		back := oauthtest.Browse(t, address)
		q := back.Query()
		if edit != nil {
			edit(q)
		}
		back.RawQuery = q.Encode()
		oauthtest.Open(t, back.String())
	}}
}

func fixed(of Server) func() (Server, error) { return func() (Server, error) { return of, nil } }

func (s *Store) must(t *testing.T, of Server) *record {
	t.Helper()
	r, err := s.read(of.loginKey())
	if err != nil || r == nil {
		t.Fatalf("there is no login: %v", err)
	}
	return r
}

func source(t *testing.T, s *Store, of Server) *Source {
	src := s.Source(fixed(of))
	t.Cleanup(src.Close)
	return src
}

// accepted reports whether the server takes a token.
func accepted(t *testing.T, of Server, token string) bool {
	t.Helper()
	u, err := secureURL(of.URL)
	if err != nil {
		t.Fatal(err)
	}
	status, _, err := of.sendProbe(context.WithoutCancel(t.Context()), newGuard(t.Context(), u), token)
	if err != nil {
		t.Fatal(err)
	}
	return status != 401
}
