package upstream

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// saying is a server that gives one and the same answer to all.
func saying(t testing.TB, code int, kind, body string, header ...string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		if len(header) > 0 {
			w.Header().Set(header[0], header[1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAServerThatRefusesIsReportedByItsStatus(t *testing.T) {
	const key = `set headers: Authorization: "Bearer ${TOKEN}" in servers.peer`
	for name, c := range map[string]struct {
		code       int
		kind, body string
		headers    map[string]string
		says       string // the whole message behind "cannot be reached: "
	}{
		"OAuth": {code: 401, kind: "application/json", body: `{"error":"invalid_token"}`,
			says: `HTTP 401 Unauthorized ("invalid_token"): ` + key},
		"OAuth with a description": {code: 401, kind: "application/json", body: `{"error":"invalid_token","error_description":"No\nbearer token"}`,
			says: `HTTP 401 Unauthorized ("invalid_token: No bearer token"): ` + key},
		"a message of the protocol": {code: 401, kind: "application/json", body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized: no key"}}`,
			says: `HTTP 401 Unauthorized ("Unauthorized: no key"): ` + key},
		"a key that is wrong": {code: 401, kind: "application/json", body: `{"message":"key s3cret-word is unknown"}`, headers: map[string]string{"authorization": "Bearer s3cret-word"},
			says: `HTTP 401 Unauthorized ("key *** is unknown"): is the Authorization header in servers.peer right, and still valid?`},
		"forbidden": {code: 403, kind: "application/problem+json", body: `{"title":"Forbidden","detail":"not for you"}`,
			says: `HTTP 403 Forbidden ("Forbidden: not for you"): if it wants a key, ` + key},
		"forbidden page": {code: 403, kind: "text/html", body: `<p>s3cret`,
			says: `HTTP 403 Forbidden (a web page): if it wants a key, ` + key},
		"not found": {code: 404, kind: "application/json", body: `{"detail":"Not Found"}`,
			says: `HTTP 404 Not Found ("Not Found"): see whether its url is right; those of MCP servers often end in /mcp or /sse`},
		"error with a code, but not of the protocol": {code: 400, kind: "application/json", body: `{"error":{"code":17,"message":"no such app"}}`,
			says: `HTTP 400 Bad Request ("no such app")`},
		"broken": {code: 500, kind: "application/json", body: `{"error":"boom"}`,
			says: `HTTP 500 Internal Server Error ("boom"): the fault is the server's; its log may say more`},
		"deep": {code: 500, kind: "application/json", body: strings.Repeat(`{"error":`, 20000),
			says: `HTTP 500 Internal Server Error: the fault is the server's; its log may say more`},
		"long": {code: 401, kind: "application/json", body: `{"error":"` + strings.Repeat("ü", 500) + `"}`,
			says: `HTTP 401 Unauthorized ("` + strings.Repeat("ü", (maxSaid-len("..."))/2) + `..."): ` + key},
		"unknown status": {code: 499, kind: "text/plain", body: "s3cret", says: "HTTP 499"},
		"a login page": {code: 200, kind: "text/html; charset=utf-8", body: `<title>Sign in`,
			says: "the answer cannot be used: HTML instead of MCP: the url may be wrong, or require a login"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, Spec{URL: saying(t, c.code, c.kind, c.body), Headers: c.headers}, Options{})
			_, err := s.About(t.Context())
			if err == nil || err.Error() != "peer: cannot be reached: "+c.says || codeOf(err) != CodeConnection {
				t.Errorf("%v\nwant %s", err, c.says)
			}
		})
	}
}

func TestAServerThatAsksToWaitSaysHowLong(t *testing.T) {
	for _, c := range []struct{ value, says string }{
		{"7", "429 Too Many Requests: the server asks to wait 7s before the next try"},
		{"", "429 Too Many Requests: wait before the next try, or ask less often"},
		{"Thu, 01 Jan 1970 00:00:00 GMT", "429 Too Many Requests: wait before the next try, or ask less often"},
		{"-1e9", "429 Too Many Requests: wait before the next try, or ask less often"},
	} {
		s := newServer(t, Spec{URL: saying(t, 429, "text/plain", "slow down", "Retry-After", c.value)}, Options{})
		if _, err := s.About(t.Context()); err == nil || !strings.HasSuffix(err.Error(), c.says) {
			t.Errorf("%q: %v", c.value, err)
		}
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if got := retryAfter(now.Add(time.Minute).Format(http.TimeFormat), now); got != time.Minute {
		t.Errorf("a date a minute ahead: %s", got)
	}
}

// A framework's own 404 is how a server of the older transport refuses the POST.
func TestSSEIsTriedWhenAFrameworkRefuses(t *testing.T) {
	p := &eventful{peer: newPeer(Handshake), streams: map[string]func([]byte){}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/sse" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusMethodNotAllowed)
			_, _ = io.WriteString(w, `{"error":"Method Not Allowed"}`)
			return
		}
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close(); p.work.Wait() })
	s := newServer(t, Spec{URL: server.URL + "/sse"}, Options{})
	if about, err := s.About(t.Context()); err != nil || about.Kind != SSE {
		t.Errorf("%+v %v", about, err)
	}
}

// A key that is taken back later is an error of the call, with the same way out.
func TestACallThatIsRefusedIsReportedByItsStatus(t *testing.T) {
	s := newServer(t, Spec{URL: status(t, 401, `{"error":"invalid_token"}`)}, Options{})
	_, err := s.Do(t.Context(), toolCall("x", `{}`))
	want := `peer: HTTP 401 Unauthorized ("invalid_token"): set headers: Authorization: "Bearer ${TOKEN}" in servers.peer`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
