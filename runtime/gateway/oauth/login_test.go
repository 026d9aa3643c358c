package oauth

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/oauth/oauthtest"
)

// edit changes JSON documents at addresses that end so.
func edit(end string, change func(map[string]any)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.Path, end) {
				next.ServeHTTP(w, r)
				return
			}
			kept := httptest.NewRecorder()
			next.ServeHTTP(kept, r)
			var doc map[string]any
			if json.Unmarshal(kept.Body.Bytes(), &doc) != nil {
				w.WriteHeader(kept.Code)
				return
			}
			change(doc)
			w.WriteHeader(kept.Code)
			_ = json.NewEncoder(w).Encode(doc)
		})
	}
}

// Whoever logs in has a token that the server takes: in both shapes of discovery, registering or as a given client.
func TestLogin(t *testing.T) {
	for name, old := range map[string]bool{"2025-06-18": false, "2025-03-26": true} {
		t.Run(name, func(t *testing.T) {
			oauthtest.Each(t, oauthtest.Options{Old: old}, func(t *testing.T, w *oauthtest.World) {
				for _, of := range []Server{{Name: "peer", URL: w.URL}, {Name: "peer", URL: w.URL, ClientID: oauthtest.ClientID, ClientSecret: oauthtest.ClientSecret, Issuer: w.Issuer}} {
					s := Open(t.TempDir()+"/logins", nil)
					if state := s.State(of); state.In || state.Line(time.Now()) != "" {
						t.Errorf("before: %+v", state)
					}
					state, err := s.Login(t.Context(), of, browsing(t, nil))
					if err != nil || !state.In || state.Issuer != w.Issuer {
						t.Fatalf("client %q: %+v, %v", of.ClientID, state, err)
					}
					token, err := source(t, s, of).Token(t.Context())
					if err != nil || !accepted(t, of, token) || accepted(t, of, "another") {
						t.Errorf("client %q: token %q: %v", of.ClientID, token, err)
					}
					if r := s.must(t, of); r.Secrets.Refresh == "" || (r.Resource == w.URL) == old || (r.ClientID == oauthtest.ClientID) != r.Given {
						t.Errorf("kept: %+v", r)
					}
				}
			})
		})
	}
}

// A second login registers no second client.
func TestAClientRegistersOnce(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		s, of := loggedIn(t, w)
		first := s.must(t, of).ClientID
		if _, err := s.Login(t.Context(), of, browsing(t, nil)); err != nil || s.must(t, of).ClientID != first {
			t.Errorf("client %q, then %q: %v", first, s.must(t, of).ClientID, err)
		}
	})
}

// The browser may be elsewhere: the address that it ends at is pasted. Other lines are told to be none.
func TestAnAnswerThatIsPasted(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		lines, said := make(chan string, 4), []string{}
		s, of := Open(t.TempDir()+"/logins", nil), Server{Name: "peer", URL: w.URL}
		_, err := s.Login(t.Context(), of, Person{Time: 10 * time.Second, Lines: lines, Said: func(text string) { said = append(said, text) }, Show: func(address string) {
			back := oauthtest.Browse(t, address)
			lines <- ""
			lines <- "what is this?"
			lines <- strings.Replace(back.String(), "state=", "state=x", 1)
			lines <- "  " + back.String() + "\r"
		}})
		if err != nil || len(said) != 2 || !s.State(of).In {
			t.Errorf("%v, said %q", err, said)
		}
	})
}

// A page elsewhere than where its answer goes may be that of somebody who knows nothing of it: a person is told.
func TestAPageOfOneAndAnAnswerToAnother(t *testing.T) {
	for page, want := range map[string]int{"": 0, "http://localhost:1/authorize": 1} {
		w := oauthtest.Start(t, oauthtest.Options{Issuer: edit(".well-known", func(d map[string]any) {
			if page != "" {
				d["authorization_endpoint"] = page
			}
		})})
		var said []string
		ctx, stop := context.WithCancel(t.Context())
		_, err := Open(t.TempDir()+"/logins", nil).Login(ctx, Server{Name: "peer", URL: w.URL}, Person{Time: time.Minute,
			Said: func(text string) { said = append(said, text) }, Show: func(string) { stop() }})
		if err == nil || len(said) != want || want > 0 && !strings.Contains(said[0], "The page is at http://localhost:1, and what comes of it goes to http://127.0.0.1:") {
			t.Errorf("%q: %q, %v", page, said, err)
		}
	}
}

// What a server may do wrong on the way to a login ends it, and nothing is kept.
func TestALoginThatMustNotBe(t *testing.T) {
	const stranger = "https://stranger.example"
	set := func(name string, value any) func(map[string]any) { return func(d map[string]any) { d[name] = value } }
	for name, c := range map[string]struct {
		o      oauthtest.Options
		of     func(*Server)
		answer func(url.Values)
		says   string
	}{
		"metadata of another issuer": {o: oauthtest.Options{Issuer: edit(".well-known", set("issuer", stranger))}, says: "that of https://stranger.example: issuer mismatch"},
		"metadata of another issuer, 2025-03-26": {o: oauthtest.Options{Old: true, Issuer: edit(".well-known", set("issuer", stranger))},
			says: `oauth: issuer: "https://stranger.example" in servers.peer`},
		"not the issuer of the configuration": {of: func(s *Server) { s.Issuer = stranger }, says: "issuer mismatch"},
		"metadata of the issuer of the configuration, with endpoints of another": {of: func(s *Server) { s.Issuer = stranger }, answer: func(q url.Values) { q.Del("iss") },
			o: oauthtest.Options{Issuer: edit(".well-known", func(d map[string]any) {
				d["issuer"] = stranger
				delete(d, "authorization_response_iss_parameter_supported")
			})},
			says: "a different server: issuer mismatch"},
		"another issuer answers":  {answer: func(q url.Values) { q.Set("iss", stranger) }, says: "somebody mixes up logins"},
		"two issuers answer":      {answer: func(q url.Values) { q.Add("iss", stranger) }, says: "somebody mixes up logins"},
		"no issuer answers":       {answer: func(q url.Values) { q.Del("iss") }, says: "promises to say so"},
		"another state":           {answer: func(q url.Values) { q.Set("state", "x"+q.Get("state")) }, says: "no login within"},
		"no state":                {answer: func(q url.Values) { q.Del("state") }, says: "no login within"},
		"a code of somebody else": {answer: func(q url.Values) { q.Set("code", "code-of-somebody") }, says: "refuses (invalid_grant"},
		"a refusal": {answer: func(q url.Values) {
			q.Del("code")
			q.Set("error", "access_denied")
			q.Set("error_description", "no\nway\x1b")
		},
			says: "refuses (access_denied: no way)"},
		"no code":                 {answer: func(q url.Values) { q.Del("code") }, says: "holds no code"},
		"no PKCE":                 {o: oauthtest.Options{Issuer: edit(".well-known", func(d map[string]any) { delete(d, "code_challenge_methods_supported") })}, says: "PKCE"},
		"PKCE in the clear alone": {o: oauthtest.Options{Issuer: edit(".well-known", set("code_challenge_methods_supported", []string{"plain"}))}, says: "PKCE"},
		"a page that is no page":  {o: oauthtest.Options{Issuer: edit(".well-known", set("authorization_endpoint", "javascript:alert(1)"))}, says: "authorization_endpoint of its authorization server is not to be used"},
		"tokens over http":        {o: oauthtest.Options{Issuer: edit(".well-known", set("token_endpoint", "http://stranger.example/token"))}, says: "not https"},
		"tokens of a cloud":       {o: oauthtest.Options{Issuer: edit(".well-known", set("token_endpoint", "https://169.254.169.254/token"))}, says: "nearer than the server"},
		"no registration":         {o: oauthtest.Options{Issuer: edit(".well-known", func(d map[string]any) { delete(d, "registration_endpoint") })}, says: "write oauth: client_id"},
		"metadata of another resource": {o: oauthtest.Options{Resource: edit("oauth-protected-resource", set("resource", stranger))},
			says: "metadata is of https://stranger.example"},
		"metadata of a part":  {o: oauthtest.Options{Resource: edit("oauth-protected-resource", func(d map[string]any) { d["resource"] = d["resource"].(string) + "/part" })}, says: "which does not contain it"},
		"nobody to log in to": {o: oauthtest.Options{Resource: edit("oauth-protected-resource", set("authorization_servers", []string{}))}, says: "names no authorization server"},
		"metadata elsewhere": {o: oauthtest.Options{Resource: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://stranger.example/x"`)
				w.WriteHeader(http.StatusUnauthorized)
			})
		}}, says: "not its own origin"},
		"metadata without end": {o: oauthtest.Options{Issuer: edit(".well-known", set("x", strings.Repeat("x", maxBody)))}, says: "answers with more than"},
	} {
		t.Run(name, func(t *testing.T) {
			oauthtest.Each(t, c.o, func(t *testing.T, w *oauthtest.World) {
				s, of := Open(t.TempDir()+"/logins", nil), Server{Name: "peer", URL: w.URL}
				if c.of != nil {
					c.of(&of)
				}
				who := browsing(t, c.answer)
				if strings.Contains(name, "state") {
					who.Time = time.Second
				}
				_, err := s.Login(t.Context(), of, who)
				if err == nil || !strings.Contains(err.Error(), c.says) || strings.ContainsAny(err.Error(), "\n\x1b") {
					t.Errorf("%v\nwant %s", err, c.says)
				}
				if state := s.State(of); state != (State{}) {
					t.Errorf("kept: %+v", state)
				}
			})
		})
	}
}

// A server without metadata of any kind is asked at the standard addresses of 2025-03-26; one that nobody has to log in
// to is not.
func TestStandardAddresses(t *testing.T) {
	bare := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, ".well-known") && r.Header.Get("User-Agent") != "" && r.Header.Get("Accept") == "application/json" {
				http.NotFound(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	w := oauthtest.Start(t, oauthtest.Options{Old: true, Resource: bare})
	loggedIn(t, w)
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, ".well-known") {
			http.NotFound(w, r)
		}
	}))
	defer open.Close()
	_, err := Open(t.TempDir(), nil).Login(t.Context(), Server{Name: "peer", URL: open.URL}, Person{})
	if err == nil || !strings.Contains(err.Error(), "accepts unauthenticated requests") {
		t.Errorf("%v", err)
	}
}

// Given up, or out of time, nothing stays: no listener, no file.
// A site that answers every address it does not know with 200 and a page of its
// own has no document there: the next address counts.
func TestAWebPageIsNoMetadata(t *testing.T) {
	for name, page := range map[string][2]string{
		"a page":                      {"text/html", "<!doctype html><title>app</title>"},
		"a page that calls itself so": {"application/json", "\ufeff\n <html></html>"},
		"text":                        {"text/plain", "not found"},
		"nothing":                     {"application/json", ""},
		"other JSON":                  {"application/json", `"not found"`},
	} {
		t.Run(name, func(t *testing.T) {
			pages := func(at ...string) func(http.Handler) http.Handler {
				return func(next http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						if slices.ContainsFunc(at, func(part string) bool { return strings.Contains(r.URL.Path, part) }) {
							w.Header().Set("Content-Type", page[0])
							_, _ = io.WriteString(w, page[1])
							return
						}
						next.ServeHTTP(w, r)
					})
				}
			}
			for _, o := range []oauthtest.Options{
				{Old: true, Resource: pages("oauth-protected-resource")},
				{Issuer: pages("oauth-authorization-server")}, // OpenID's address has it
			} {
				if o.Issuer != nil {
					o.Issuer = alsoAtOpenID(o.Issuer)
				}
				loggedIn(t, oauthtest.Start(t, o))
			}
		})
	}
	w := oauthtest.Start(t, oauthtest.Options{Issuer: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, `{"issuer":7}`) })
	}})
	_, err := Open(t.TempDir(), nil).Login(t.Context(), Server{Name: "peer", URL: w.URL}, Person{})
	if err == nil || !strings.Contains(err.Error(), "is not the document") {
		t.Errorf("a document that is broken: %v", err)
	}
}

// alsoAtOpenID gives an issuer's metadata at the address of OpenID Connect, past what stands before them.
func alsoAtOpenID(before func(http.Handler) http.Handler) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		masked := before(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/.well-known/openid-configuration" {
				r.URL.Path = "/.well-known/oauth-authorization-server"
				next.ServeHTTP(w, r)
				return
			}
			masked.ServeHTTP(w, r)
		})
	}
}

func TestALoginThatIsGivenUp(t *testing.T) {
	w := oauthtest.Start(t, oauthtest.Options{})
	s, of := Open(t.TempDir()+"/logins", nil), Server{Name: "peer", URL: w.URL}
	ctx, stop := context.WithCancel(t.Context())
	var address string
	_, err := s.Login(ctx, of, Person{Time: time.Minute, Show: func(a string) { address = a; stop() }})
	if err == nil || s.State(of).In {
		t.Errorf("%v", err)
	}
	u, _ := url.Parse(address)
	if _, err := http.Get(u.Query().Get("redirect_uri")); err == nil {
		t.Error("somebody still listens for the browser")
	}
	if u.Query().Get("code_challenge_method") != "S256" || u.Query().Get("resource") != w.URL || !strings.HasPrefix(u.Query().Get("redirect_uri"), "http://127.0.0.1:") {
		t.Errorf("asked: %s", u.RawQuery)
	}
}

// What lies in the state directory is for its user alone, and other things of its name are not trusted.
func TestWhatIsKept(t *testing.T) {
	w := oauthtest.Start(t, oauthtest.Options{})
	s, of := loggedIn(t, w)
	r := s.must(t, of)
	path := s.path(of.loginKey())
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), r.Secrets.Access) {
		t.Fatalf("%v: %s", err, data)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for at, want := range map[string]os.FileMode{s.dir: 0o700, path: 0o600} {
		if info, err := os.Stat(at); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", at, info.Mode(), err)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := source(t, s, of).Token(t.Context()); err == nil || !strings.Contains(err.Error(), "read by others") {
		t.Errorf("a file for all: %v", err)
	}
	elsewhere := t.TempDir() + "/x"
	_ = os.WriteFile(elsewhere, data, 0o600)
	_ = os.Remove(path)
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Fatal(err)
	}
	if _, err := source(t, s, of).Token(t.Context()); err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("a link: %v", err)
	}
	if _, err := s.Login(t.Context(), of, browsing(t, nil)); err != nil {
		t.Errorf("over a link: %v", err)
	}
	if left, _ := os.ReadFile(elsewhere); string(left) != string(data) {
		t.Error("the link was followed")
	}
	_ = os.WriteFile(path, []byte("{"), 0o600)
	if _, err := source(t, s, of).Token(t.Context()); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged file: %v", err)
	}
}

// ring is a keyring in memory.
type ring map[string]string

func (r ring) Get(name string) (string, error) {
	v, ok := r[name]
	if !ok {
		return "", os.ErrNotExist
	}
	return v, nil
}
func (r ring) Set(name, value string) error { r[name] = value; return nil }
func (r ring) Delete(name string) error     { delete(r, name); return nil }

// Where there is a keyring no secret is in a file; one that is closed is said, and logging in again does without.
func TestKeyring(t *testing.T) {
	w := oauthtest.Start(t, oauthtest.Options{})
	kept := ring{}
	s, of := Open(t.TempDir()+"/logins", kept), Server{Name: "peer", URL: w.URL}
	state, err := s.Login(t.Context(), of, browsing(t, nil))
	if err != nil || !state.Keyring || len(kept) != 1 {
		t.Fatalf("%+v, %v, %v", state, kept, err)
	}
	token, err := source(t, s, of).Token(t.Context())
	if err != nil || !accepted(t, of, token) {
		t.Errorf("%v", err)
	}
	if data, _ := os.ReadFile(s.path(of.loginKey())); strings.Contains(string(data), token) || !s.State(of).In {
		t.Errorf("file: %s", data)
	}
	clear(kept)
	if _, err := source(t, s, of).Token(t.Context()); err == nil || !strings.Contains(err.Error(), "--file") {
		t.Errorf("closed: %v", err)
	}
	if state, err = s.InFiles().Login(t.Context(), of, browsing(t, nil)); err != nil || state.Keyring || len(kept) != 0 {
		t.Errorf("%+v, %v, %v", state, kept, err)
	}
	if token, err = source(t, s, of).Token(t.Context()); err != nil || !accepted(t, of, token) {
		t.Errorf("of the file: %v", err)
	}
}

// Logging out takes the tokens back, and leaves nothing.
func TestLogout(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		s, of := loggedIn(t, w)
		token := s.must(t, of).Secrets.Access
		had, told, err := s.Logout(t.Context(), of)
		if err != nil || !had || !told || accepted(t, of, token) || s.State(of) != (State{}) {
			t.Errorf("had %v, told %v, %v", had, told, err)
		}
		if had, _, err = s.Logout(t.Context(), of); had || err != nil {
			t.Errorf("again: %v, %v", had, err)
		}
	})
}

// A login counts as revoked only if the server took back each of its tokens.
func TestLogoutThatHalfFails(t *testing.T) {
	for _, hint := range []string{"refresh_token", "access_token"} {
		w := oauthtest.Start(t, oauthtest.Options{Issuer: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/revoke" && r.FormValue("token_type_hint") == hint {
					rw.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				next.ServeHTTP(rw, r)
			})
		}})
		s, of := loggedIn(t, w)
		if had, revoked, err := s.Logout(t.Context(), of); err != nil || !had || revoked {
			t.Errorf("%s is not taken back: had %v, revoked %v, %v", hint, had, revoked, err)
		}
	}
}
