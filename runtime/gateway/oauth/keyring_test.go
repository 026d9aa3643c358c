package oauth

import (
	"os"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/gateway/oauth/oauthtest"
)

// The system's own keyring takes a login, its renewal and its end. It is asked only where COMPACTOR_TEST_KEYRING is set:
// nobody wants a test in theirs.
func TestSystemKeyring(t *testing.T) {
	if os.Getenv("COMPACTOR_TEST_KEYRING") == "" {
		t.Skip("COMPACTOR_TEST_KEYRING is not set")
	}
	ring := SystemRing()
	if ring == nil {
		t.Fatal("there is no keyring")
	}
	w := oauthtest.Start(t, oauthtest.Options{})
	s, of := Open(t.TempDir()+"/logins", ring), Server{Name: "peer", URL: w.URL}
	if state, err := s.Login(t.Context(), of, browsing(t, nil)); err != nil || !state.Keyring {
		t.Fatalf("%+v, %v", state, err)
	}
	old := s.expire(t, of).Secrets.Access
	token, err := source(t, s, of).Token(t.Context())
	if err != nil || token == old || !accepted(t, of, token) {
		t.Errorf("renewed: %v", err)
	}
	if data, _ := os.ReadFile(s.path(of.loginKey())); strings.Contains(string(data), token) || !strings.Contains(string(data), `"keyring": true`) {
		t.Error("the token is in the file")
	}
	if had, told, err := s.Logout(t.Context(), of); !had || !told || err != nil {
		t.Errorf("logged out: %v, %v, %v", had, told, err)
	}
	if _, err := ring.Get(of.loginKey()); err == nil {
		t.Error("the keyring still has it")
	}
}
