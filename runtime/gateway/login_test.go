package gateway

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth/oauthtest"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// guardedWorld is a gateway over a server that wants a login, with a store that may hold one.
func guardedWorld(t *testing.T, w *oauthtest.World, era string) *world {
	t.Helper()
	cfg := &config.Config{Gateway: config.Gateway{Surface: "discovery", Trust: "first", TTL: time.Hour, Digest: 100}, Servers: map[string]config.Server{
		"peer": {Name: "peer", Enabled: true, Prefix: "peer", URL: w.URL, Kind: "http", Era: era, Timeout: 20 * time.Second, Start: 20 * time.Second}}}
	dir := filepath.Join(t.TempDir(), "logins")
	now := time.Now()
	g := New(Options{Logins: oauth.Open(dir, nil), Now: func() time.Time { return now }})
	g.Configure(cfg)
	t.Cleanup(func() { _ = g.Close() })
	return &world{t: t, Gateway: g, cfg: cfg, dir: dir}
}

func (w *world) login() {
	w.t.Helper()
	_, err := w.Login(w.t.Context(), "peer", oauth.Person{Time: 20 * time.Second, Show: func(address string) {
		oauthtest.Open(w.t, oauthtest.Browse(w.t, address).String())
	}}, false)
	if err != nil {
		w.t.Fatal(err)
	}
}

// await asks for tools, as any client does, until there is one of this name. It comes without the time passing after
// which the server would be asked again anyway: the clock of the gateway stands.
func (w *world) await(tool string) {
	w.t.Helper()
	clocktest.Until(w.t, tool+" comes up", func() bool {
		return slices.ContainsFunc(w.Tools(w.t.Context()).List, func(u *catalog.UpstreamTool) bool { return u.Listed == tool })
	})
}

// last is the token that the server was sent last.
func last(w *oauthtest.World) string {
	all := w.Tokens()
	return all[len(all)-1]
}

// In both eras: without a login the command is named, with one calls work, also when the token is refused or ends in
// between, and the server is never sent a refused token twice.
func TestALoginIsUsedAndRenewed(t *testing.T) {
	for _, era := range []string{"handshake", "stateless"} {
		t.Run(era, func(t *testing.T) {
			oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, peer *oauthtest.World) {
				w := guardedWorld(t, peer, era)
				w.Probe(t.Context(), nil, func(int, int, string) {})
				if problem := w.Servers()[0].Problem; !strings.Contains(problem, "log in with: compactor servers login peer") {
					t.Errorf("problem: %s", problem)
				}
				w.login()
				w.await("peer__echo")
				if got, err := w.run("peer__echo", `{"text":"a"}`); err != nil || got != "a" {
					t.Fatalf("logged in: %q, %v", got, err)
				}
				first := last(peer)
				if got, err := w.run("peer__token", `{}`); err != nil || got != "it was Bearer [REDACTED:token]" {
					t.Errorf("a server that repeats its token: %q, %v", got, err)
				}
				peer.Refuse(first)
				var wg sync.WaitGroup
				for i := range 8 {
					wg.Go(func() {
						text := strconv.Itoa(i)
						if got, err := w.run("peer__echo", `{"text":"`+text+`"}`); err != nil || got != text {
							t.Errorf("refused in between: %q, %v", got, err)
						}
					})
				}
				wg.Wait()
				if n := peer.Renews.Load(); n != 1 || last(peer) == first {
					t.Errorf("%d renewals", n)
				}
				if got, err := w.run("peer__token", `{}`); err != nil || got != "it was Bearer [REDACTED:token]" {
					t.Errorf("a server that repeats its new token: %q, %v", got, err)
				}
			})
		})
	}
}

// kept is the login as it is on disk.
func (w *world) kept() (login struct {
	Client  string `json:"client_id"`
	Secrets struct {
		Refresh string `json:"refresh_token"`
	} `json:"secrets"`
}) {
	w.t.Helper()
	files, _ := filepath.Glob(filepath.Join(w.dir, "*.json"))
	if len(files) != 1 {
		w.t.Fatalf("kept: %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(data, &login)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return login
}

// expire has the token end now, as this machine sees it.
func (w *world) expire() {
	w.t.Helper()
	files, _ := filepath.Glob(filepath.Join(w.dir, "*.json"))
	if len(files) != 1 {
		w.t.Fatalf("kept: %q", files)
	}
	data, err := os.ReadFile(files[0])
	var login map[string]any
	if err == nil {
		err = json.Unmarshal(data, &login)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	if login["expires"] == nil {
		w.t.Fatal("nothing says when the token ends")
	}
	login["since"], login["expires"] = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
	if data, err = json.Marshal(login); err == nil {
		err = os.WriteFile(files[0], data, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// A token that ends while a call runs ends no call; the next one has another.
func TestATokenThatEndsInMidCall(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, peer *oauthtest.World) {
		w := guardedWorld(t, peer, "handshake")
		w.login()
		var got string
		var err error
		var call sync.WaitGroup
		call.Go(func() { got, err = w.run("peer__slow", `{}`) })
		<-peer.Slow // it has begun
		before := last(peer)
		w.expire()
		peer.Refuse(before)
		<-peer.Slow // and ends
		call.Wait()
		if err != nil || got != "done" || last(peer) != before {
			t.Fatalf("%q, %v", got, err)
		}
		if got, err := w.run("peer__echo", `{"text":"b"}`); err != nil || got != "b" || last(peer) == before || peer.Renews.Load() == 0 {
			t.Errorf("afterwards: %q, %v", got, err)
		}
	})
}

// A login that was taken back is an error that names the way out, and a new one is taken up at once.
func TestALoginThatWasTakenBackIsSaid(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, peer *oauthtest.World) {
		w := guardedWorld(t, peer, "")
		w.login()
		if _, err := w.run("peer__echo", `{"text":"a"}`); err != nil {
			t.Fatal(err)
		}
		access, refresh := last(peer), w.kept().Secrets.Refresh
		peer.Revoke(w.kept().Client, refresh)
		peer.Refuse(access)
		for range 6 { // as often as would have the server left alone for a while
			_, err := w.run("peer__echo", `{"text":"a"}`)
			if code(err) != CodeConnection || !strings.Contains(err.Error(), "log in again with: compactor servers login peer") || strings.Contains(err.Error(), refresh) {
				t.Fatalf("%v", err)
			}
		}
		if line := w.LoginState(w.cfg.Servers["peer"]).Line(time.Now()); !strings.HasPrefix(line, "login needed") {
			t.Errorf("state: %s", line)
		}
		w.login()
		if got, err := w.run("peer__echo", `{"text":"a"}`); err != nil || got != "a" { // it is not left alone for a while
			t.Errorf("logged in again: %q, %v", got, err)
		}
		if had, told, err := w.Logout(t.Context(), "peer"); !had || !told || err != nil {
			t.Errorf("logged out: %v, %v, %v", had, told, err)
		}
		_, err := w.run("peer__echo", `{"text":"a"}`)
		if code(err) != CodeConnection || !strings.Contains(err.Error(), "log in with: compactor servers login peer") {
			t.Errorf("logged out: %v", err)
		}
	})
}

// Another server under the name of one that somebody has logged in to gets nothing of it.
func TestATokenGoesToNoOtherServer(t *testing.T) {
	peer := oauthtest.Start(t, oauthtest.Options{})
	w := guardedWorld(t, peer, "handshake")
	w.login()
	if _, err := w.run("peer__echo", `{"text":"a"}`); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var got []string
	stranger := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		data, _ := json.Marshal(r.Header)
		got = append(got, string(data))
		rw.WriteHeader(http.StatusUnauthorized)
	}))
	defer stranger.Close()
	s := w.cfg.Servers["peer"]
	s.URL = stranger.URL + "/mcp"
	w.Configure(&config.Config{Gateway: w.cfg.Gateway, Servers: map[string]config.Server{"peer": s}})
	w.Probe(t.Context(), nil, func(int, int, string) {})
	mu.Lock()
	defer mu.Unlock()
	if all := strings.Join(got, "\n"); len(got) == 0 || strings.Contains(all, "Authorization") || strings.Contains(all, last(peer)) {
		t.Errorf("the stranger got %s", all)
	}
}

// A project's server at the address of one that its user has logged in to, of whatever name, gets nothing of that
// login, also where a reload puts it in the place of the user's; nor does one of another project.
func TestAProjectsServerHasNoLoginOfTheUsers(t *testing.T) {
	peer := oauthtest.Start(t, oauthtest.Options{})
	w := guardedWorld(t, peer, "handshake")
	w.login()
	mine := w.cfg.Servers["peer"]
	theirs := mine
	theirs.Project = true
	other := theirs
	other.Name, other.Prefix = "other", "other"
	in := func(project string, servers ...config.Server) *world {
		g := New(Options{Logins: oauth.Open(w.dir, nil), Project: project, Now: w.opt.Now})
		t.Cleanup(func() { _ = g.Close() })
		of := &world{t: t, Gateway: g, cfg: w.cfg, dir: w.dir}
		of.has(servers...)
		return of
	}
	refused := func(w *world, tool string) {
		t.Helper()
		if _, err := w.run(tool, `{"text":"a"}`); err == nil || !strings.Contains(err.Error(), "compactor servers login "+strings.TrimSuffix(tool, "__echo")) {
			t.Errorf("%s: %v", tool, err) // with a token it would work
		}
	}
	works := func(w *world) {
		t.Helper()
		w.await("peer__echo")
		if got, err := w.run("peer__echo", `{"text":"a"}`); err != nil || got != "a" {
			t.Errorf("%q, %v", got, err)
		}
	}
	a := in("/a", mine)
	works(a)
	a.has(theirs, other)
	refused(a, "peer__echo")
	refused(a, "other__echo")
	a.login()
	works(a)
	refused(a, "other__echo")
	refused(in("/b", theirs), "peer__echo")
	works(in("/a", theirs))
	works(in("/b", mine))
	if _, _, err := a.Logout(t.Context(), "peer"); err != nil {
		t.Fatal(err)
	}
	works(in("/b", mine))
}

// has gives a world other servers.
func (w *world) has(servers ...config.Server) {
	next := &config.Config{Gateway: w.cfg.Gateway, Servers: map[string]config.Server{}}
	for _, s := range servers {
		next.Servers[s.Name] = s
	}
	w.Configure(next)
}

// What nobody can log in to says so.
func TestServersWithoutALogin(t *testing.T) {
	g := New(Options{Logins: oauth.Open(t.TempDir(), nil), AllowWith: "compactor allow", Allowed: func(c config.Server) bool { return c.Name != "held" }})
	defer g.Close()
	g.Configure(&config.Config{Servers: map[string]config.Server{
		"program": {Name: "program", Enabled: true, Command: "x"}, "held": {Name: "held", Enabled: true, URL: "https://x.example"}, "off": {Name: "off", URL: "https://x.example"},
		"keyed": {Name: "keyed", Enabled: true, URL: "https://x.example", Headers: map[string]string{"authorization": "Bearer x"}},
		"unset": {Name: "unset", Enabled: true, URL: "https://x.example", OAuth: config.OAuth{ClientID: "x", ClientSecret: "${MISSING}"}}}})
	for name, says := range map[string]string{"program": "takes no login", "held": "compactor allow", "off": "not enabled", "keyed": "leave Authorization out", "unset": "MISSING", "none": "not enabled"} {
		if _, err := g.Login(t.Context(), name, oauth.Person{}, false); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
